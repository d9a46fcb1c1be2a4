import { call } from '../api.ts'
import { forgetAccount } from '../kept.ts'

export type Parting = 'signed-out' | 'everywhere' | 'deleted'

/** Where a reader who leaves the account is sent: a page of either service, which says so. */
export const partingHref = (parting: Parting): string => `/account?left=${parting}`

/** Ends this session, or with `everywhere` all of the account, and leaves the page. Throws as `call` does. */
export async function signOut(everywhere: boolean): Promise<void> {
  await call('signOut', { body: { everywhere } })
  part(everywhere ? 'everywhere' : 'signed-out')
}

/** Leaves the page, and in this browser nothing of the account. */
export function part(parting: Parting): void {
  forgetAccount()
  location.assign(partingHref(parting))
}
