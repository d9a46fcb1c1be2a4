import type { siteApi } from '../../contract/site-api.ts'
import { replacePack } from '../../operations/replace-pack.ts'
import type { SiteHandler } from '../session/site-handler.ts'
import { sitePackReply } from '../session/site-pack-reply.ts'

export const handleReplacePack: SiteHandler<typeof siteApi.replacePack> = async (
  context,
  { viewer, slug, body },
) => {
  const pack = await replacePack(context.ports, viewer.accountId, slug, body.pack, body.basedOn)
  return { json: sitePackReply(context, viewer, pack) }
}
