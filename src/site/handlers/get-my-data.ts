import type { siteApi } from '../../contract/session-api.ts'
import { gatherMyData } from '../../operations/gather-my-data.ts'
import type { SiteHandler } from '../session/site-handler.ts'

export const handleGetMyData: SiteHandler<typeof siteApi.getMyData> = async (
  { ports, settings, builds },
  { viewer },
) => ({
  json: await builds.run(viewer.accountId, `my data ${viewer.hash}`, () =>
    gatherMyData(ports, viewer, settings.poolsOwnerName),
  ),
})
