import type { siteApi } from '../../contract/session-api.ts'
import { createPack } from '../../operations/create-pack.ts'
import type { SiteHandler } from '../session/site-handler.ts'
import { sitePackReply } from '../session/site-pack-reply.ts'

export const handleCreatePack: SiteHandler<typeof siteApi.createPack> = async (
  context,
  { viewer, body, idempotencyKey },
) => {
  const pack = await createPack(context.ports, viewer.accountId, body, idempotencyKey)
  return { json: sitePackReply(context, viewer, pack) }
}
