import type { siteApi } from '../../contract/session-api.ts'
import { deleteAccount } from '../../operations/delete-account.ts'
import { dropSession } from '../session/session-cookie.ts'
import type { SiteHandler } from '../session/site-handler.ts'

export const handleDeleteAccount: SiteHandler<typeof siteApi.deleteAccount> = async (
  context,
  { viewer, body },
) => {
  await deleteAccount(context.ports, viewer, body.username)
  return { cookies: [dropSession(context)] }
}
