import type { siteApi } from '../../contract/session-api.ts'
import { presentViewer } from '../../domain/sessions.ts'
import { showQuota } from '../../operations/show-quota.ts'
import type { SiteHandler } from '../session/site-handler.ts'

export const handleGetSession: SiteHandler<typeof siteApi.getSession> = async (
  { ports, service },
  { viewer },
) => ({
  json:
    viewer === null
      ? { viewer: null, quota: null }
      : {
          viewer: presentViewer(viewer),
          quota: await showQuota(ports, service, viewer.accountId),
        },
})
