import type { siteApi } from '../../contract/session-api.ts'
import { deletePack } from '../../operations/delete-pack.ts'
import type { SiteHandler } from '../session/site-handler.ts'

export const handleDeletePack: SiteHandler<typeof siteApi.deletePack> = async (
  { ports },
  { viewer, slug },
) => {
  await deletePack(ports, viewer.accountId, slug)
  return {}
}
