import type { siteApi } from '../../contract/session-api.ts'
import { recordMagnet } from '../../operations/record-magnet.ts'
import type { SiteHandler } from '../session/site-handler.ts'
import { sitePackReply } from '../session/site-pack-reply.ts'

export const handleRecordMagnet: SiteHandler<typeof siteApi.recordMagnet> = async (
  context,
  { viewer, slug, body },
) => {
  const pack = await recordMagnet(context.ports, viewer.accountId, slug, body)
  return { json: sitePackReply(context, viewer, pack) }
}
