import { call } from '../api.ts'
import { leaveTo } from '../browser.ts'
import { forgetAccount } from '../kept.ts'
import { isSignedOut } from '../site-failure.ts'

export type SignOutKind = 'signed-out' | 'everywhere' | 'deleted'

/** Where a reader who leaves the account is sent: a page of either service, which says so. */
export const signedOutHref = (kind: SignOutKind): string => `/account?left=${kind}`

/** Ends this session, or with `everywhere` all of the account, and leaves the page. Throws as `call` does. */
export async function signOut(everywhere: boolean): Promise<void> {
  await call('signOut', { body: { everywhere } }).catch((error: unknown) => {
    // This session has ended already; of others, nothing is known.
    if (everywhere || !isSignedOut(error)) throw error
  })
  return leaveAccount(everywhere ? 'everywhere' : 'signed-out')
}

/** Removes everything of the account from this browser, and leaves the page. */
export function leaveAccount(kind: SignOutKind): Promise<void> {
  forgetAccount()
  return leaveTo(signedOutHref(kind))
}
