import {
  FAILURES_PER_MINUTE,
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

/** The window that a moment lies in: whole minutes since the epoch. */
export const windowOf = (now: number): number => Math.floor(now / MINUTE_MS)

const secondsToNextWindow = (now: number): number =>
  Math.ceil((MINUTE_MS - (((now % MINUTE_MS) + MINUTE_MS) % MINUTE_MS)) / 1000)

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
