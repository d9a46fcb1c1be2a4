import type { siteApi } from '../../contract/session-api.ts'
import { presentModeratedPack } from '../../domain/moderation.ts'
import { listModerated } from '../../operations/list-moderated.ts'
import { pageFields } from '../session/page-fields.ts'
import type { SiteHandler } from '../session/site-handler.ts'

export const handleListModerated: SiteHandler<typeof siteApi.listModerated> = async (
  { ports, settings },
  { viewer, query, page },
) => {
  const filter = { query: query.query ?? '', only: query.only ?? null }
  const { rows, total } = await listModerated(ports, viewer, filter, page)
  return {
    json: {
      packs: rows.map((row) => presentModeratedPack(row, viewer, settings.poolsOwnerName)),
      ...pageFields(page, total),
    },
  }
}
