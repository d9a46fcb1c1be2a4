import type { siteApi } from '../../contract/session-api.ts'
import { presentLogEntry } from '../../domain/moderation.ts'
import { readModerationLog } from '../../operations/read-moderation-log.ts'
import { pageFields } from '../session/page-fields.ts'
import type { SiteHandler } from '../session/site-handler.ts'

export const handleReadModerationLog: SiteHandler<typeof siteApi.readModerationLog> = async (
  { ports },
  { viewer, page },
) => {
  const { notes, total } = await readModerationLog(ports, viewer, page)
  return { json: { entries: notes.map(presentLogEntry), ...pageFields(page, total) } }
}
