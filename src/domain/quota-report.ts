import {
  FAILURES_PER_MINUTE,
  HOUR_MS,
  MINUTE_MS,
  REQUESTS_PER_MINUTE,
  WRITES_PER_MINUTE,
} from '../contract/quotas.ts'
import type { SiteQuota } from '../contract/viewer.ts'

/** What the `RateLimit-*` headers say. */
export type QuotaReport = {
  readonly limit: number
  readonly remaining: number
  /** Whole seconds to the top of the next minute, 1 to 60 (D-9). */
  readonly resetSeconds: number
}

/** The window that a moment lies in: whole minutes since the epoch. */
export const windowOf = (now: number): number => Math.floor(now / MINUTE_MS)

/** The hour that a moment lies in: whole hours since the epoch. */
export const hourOf = (now: number): number => Math.floor(now / HOUR_MS)

const secondsToNext = (length: number, now: number): number =>
  Math.ceil((length - (((now % length) + length) % length)) / 1000)

const secondsToNextWindow = (now: number): number => secondsToNext(MINUTE_MS, now)

/** Whole seconds to the top of the next hour, 1 to 3600 (spec 8). */
export const secondsToNextHour = (now: number): number => secondsToNext(HOUR_MS, now)

/**
 * The account's quotas after a request: a read spends requests alone; of the two that a write
 * spends, the one with fewer left is told, on a tie the write quota (D-9).
 */
export const reportAccount = (
  spent: { requests: number; writes: number },
  isWrite: boolean,
  now: number,
): QuotaReport => {
  const requestsLeft = Math.max(0, REQUESTS_PER_MINUTE - spent.requests)
  const writesLeft = Math.max(0, WRITES_PER_MINUTE - spent.writes)
  const resetSeconds = secondsToNextWindow(now)
  return isWrite && writesLeft <= requestsLeft
    ? { limit: WRITES_PER_MINUTE, remaining: writesLeft, resetSeconds }
    : { limit: REQUESTS_PER_MINUTE, remaining: requestsLeft, resetSeconds }
}

/** The failed-attempt quota of an address (D-5, D-10). */
export const reportAddress = (failures: number, now: number): QuotaReport => ({
  limit: FAILURES_PER_MINUTE,
  remaining: Math.max(0, FAILURES_PER_MINUTE - failures),
  resetSeconds: secondsToNextWindow(now),
})

/** Both quotas of an account, for its own page. */
export const presentQuota = (
  spent: { requests: number; writes: number },
  now: number,
): SiteQuota => ({
  requests: {
    limit: REQUESTS_PER_MINUTE,
    left: Math.max(0, REQUESTS_PER_MINUTE - spent.requests),
  },
  writes: { limit: WRITES_PER_MINUTE, left: Math.max(0, WRITES_PER_MINUTE - spent.writes) },
  resetSeconds: secondsToNextWindow(now),
})
