import type { siteApi } from '../../contract/session-api.ts'
import { makeKey } from '../../operations/make-key.ts'
import type { SiteHandler } from '../session/site-handler.ts'

export const handleMakeKey: SiteHandler<typeof siteApi.makeKey> = async (
  { ports, service, settings },
  { viewer },
) => {
  const keyPrefix = settings.keyPrefixes[service]
  return { json: await makeKey(ports, { service, keyPrefix, accountId: viewer.accountId }) }
}
