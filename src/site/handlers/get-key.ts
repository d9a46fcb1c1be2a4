import type { siteApi } from '../../contract/session-api.ts'
import { showKey } from '../../operations/show-key.ts'
import type { SiteHandler } from '../session/site-handler.ts'

export const handleGetKey: SiteHandler<typeof siteApi.getKey> = async (
  { ports, service },
  { viewer },
) => ({ json: await showKey(ports, service, viewer.accountId) })
