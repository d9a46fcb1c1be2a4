import type { siteApi } from '../../contract/session-api.ts'
import { replacePack, savedLast } from '../../operations/replace-pack.ts'
import type { SiteHandler } from '../session/site-handler.ts'
import { sitePackReply } from '../session/site-pack-reply.ts'

export const handleReplacePack: SiteHandler<typeof siteApi.replacePack> = async (
  context,
  { viewer, slug, body },
) => {
  const check = savedLast(body.basedOn)
  const pack = await replacePack(context.ports, viewer.accountId, slug, body.pack, check)
  return { json: sitePackReply(context, viewer, pack) }
}
