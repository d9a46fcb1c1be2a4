import type { siteApi } from '../../contract/session-api.ts'
import { signOut } from '../../operations/sign-out.ts'
import { dropSession } from '../session/session-cookie.ts'
import type { SiteHandler } from '../session/site-handler.ts'

export const handleSignOut: SiteHandler<typeof siteApi.signOut> = async (
  context,
  { viewer, body },
) => {
  await signOut(context.ports, viewer, body.everywhere ?? false)
  return { cookies: [dropSession(context)] }
}
