import type { SiteQuota } from '../contract/accounts.ts'
import {
  FAILURES_PER_MINUTE,
  HOUR_MS,
  MINUTE_MS,
  REQUESTS_PER_MINUTE,
  WRITES_PER_MINUTE,
} from '../contract/quotas.ts'

/** What the `RateLimit-*` headers say. */
export type QuotaReport = {
  readonly limit: number
  readonly remaining: number
  /** Whole seconds to the top of the next minute, 1 to 60 (D-9). */
  readonly resetSeconds: number
}

/**
 * Whole seconds until a window ends, at most as many as it has (D-9): after a clock was set back, a
 * counter may be in the window after the present one, and is asked for again in between.
 */
const wholeSeconds = (resetMs: number, windowMs: number): number =>
  Math.min(Math.max(1, Math.ceil(resetMs / 1000)), windowMs / 1000)

/** Whole seconds to the reset of a counter in minutes, 1 to 60 (D-9). */
export const minuteResetSeconds = (resetMs: number): number => wholeSeconds(resetMs, MINUTE_MS)

/** Whole seconds to the reset of a counter in hours, 1 to 3600 (spec 8). */
export const hourResetSeconds = (resetMs: number): number => wholeSeconds(resetMs, HOUR_MS)

/** ms to the top of the next minute: the reset of counters that cannot be asked. */
export const msToNextMinute = (now: number): number =>
  MINUTE_MS - (((now % MINUTE_MS) + MINUTE_MS) % MINUTE_MS)

/**
 * The account's quotas after a request: a read spends requests alone; of the two that a write
 * spends, the one with fewer left is told, on a tie the write quota (D-9).
 */
export function reportAccount(
  spent: { requests: number; writes: number },
  isWrite: boolean,
  resetMs: number,
): QuotaReport {
  const requestsLeft = Math.max(0, REQUESTS_PER_MINUTE - spent.requests)
  const writesLeft = Math.max(0, WRITES_PER_MINUTE - spent.writes)
  const resetSeconds = minuteResetSeconds(resetMs)
  return isWrite && writesLeft <= requestsLeft
    ? { limit: WRITES_PER_MINUTE, remaining: writesLeft, resetSeconds }
    : { limit: REQUESTS_PER_MINUTE, remaining: requestsLeft, resetSeconds }
}

/** The failed-attempt quota of an address (D-5, D-10). */
export const reportAddress = (failures: number, resetMs: number): QuotaReport => ({
  limit: FAILURES_PER_MINUTE,
  remaining: Math.max(0, FAILURES_PER_MINUTE - failures),
  resetSeconds: minuteResetSeconds(resetMs),
})

/** Both quotas of an account, for its own page. */
export const presentQuota = (
  spent: { requests: number; writes: number },
  resetMs: number,
): SiteQuota => ({
  requests: {
    limit: REQUESTS_PER_MINUTE,
    left: Math.max(0, REQUESTS_PER_MINUTE - spent.requests),
  },
  writes: { limit: WRITES_PER_MINUTE, left: Math.max(0, WRITES_PER_MINUTE - spent.writes) },
  resetSeconds: minuteResetSeconds(resetMs),
})

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
