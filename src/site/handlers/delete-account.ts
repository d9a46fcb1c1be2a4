import type { siteApi } from '../../contract/site-api.ts'
import { deleteAccount } from '../../operations/delete-account.ts'
import { dropSession } from '../session/session-cookie.ts'
import type { SiteHandler } from '../session/site-handler.ts'
import { dropPending } from '../sign-in/pending-cookie.ts'

export const handleDeleteAccount: SiteHandler<typeof siteApi.deleteAccount> = async (
  { ports, settings },
  { viewer, body },
) => {
  await deleteAccount(ports, viewer, body.username)
  return { cookies: [dropSession(settings), dropPending(settings)] }
}
