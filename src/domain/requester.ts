/**
 * Who asks, as fair shares are counted (D-56): an account, or, where nobody is signed in, an address
 * as attempts are counted (an IPv6 address by its /64, spec 8).
 */
export type Requester = `account ${string}` | `address ${string}`

/** @param address where the request came from; only counts when there is no account. */
export function requesterOf(accountId: string | null, address: string): Requester {
  return accountId === null ? `address ${address}` : `account ${accountId}`
}

/** Whether somebody who is signed in asks. */
export function isAccount(requester: string): boolean {
  return requester.startsWith('account ')
}
