import type { siteApi } from '../../contract/session-api.ts'
import { presentPack } from '../../domain/packs.ts'
import { listMyPacks } from '../../operations/list-my-packs.ts'
import { pageFields } from '../session/page-fields.ts'
import type { SiteHandler } from '../session/site-handler.ts'

export const handleListMyPacks: SiteHandler<typeof siteApi.listMyPacks> = async (
  { ports, settings, builds },
  { viewer, page },
) => {
  const json = await builds.run(viewer.accountId, `packs ${page}`, async () => {
    const { packs, total } = await listMyPacks(ports, viewer.accountId, page)
    return {
      packs: packs.map((pack) => presentPack(pack, settings.poolsOwnerName)),
      ...pageFields(page, total),
    }
  })
  return { json }
}
