import type { siteApi } from '../../contract/session-api.ts'
import { openPack } from '../../operations/open-pack.ts'
import type { SiteHandler } from '../session/site-handler.ts'
import { sitePackReply } from '../session/site-pack-reply.ts'

export const handleGetPack: SiteHandler<typeof siteApi.getPack> = async (
  context,
  { viewer, slug },
) => {
  const pack = await openPack(context.ports, viewer, slug)
  return { json: sitePackReply(context, viewer, pack) }
}
