import type { siteApi } from '../../contract/session-api.ts'
import { revokeOwnKey } from '../../operations/revoke-own-key.ts'
import type { SiteHandler } from '../session/site-handler.ts'

export const handleRevokeKey: SiteHandler<typeof siteApi.revokeKey> = async (
  { ports, service },
  { viewer },
) => {
  await revokeOwnKey(ports, service, viewer.accountId)
  return {}
}
