import type { siteApi } from '../../contract/session-api.ts'
import { removeMagnet } from '../../operations/remove-magnet.ts'
import type { SiteHandler } from '../session/site-handler.ts'
import { sitePackReply } from '../session/site-pack-reply.ts'

export const handleRemoveMagnet: SiteHandler<typeof siteApi.removeMagnet> = async (
  context,
  { viewer, slug, body },
) => {
  const pack = await removeMagnet(context.ports, viewer.accountId, slug, body.url)
  return { json: sitePackReply(context, viewer, pack) }
}
