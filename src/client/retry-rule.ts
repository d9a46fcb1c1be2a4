import type { MapcrateError } from './mapcrate-error.ts'

const FIRST_BACK_OFF_MS = 500
const LONGEST_BACK_OFF_MS = 8_000
/** When a 429 does not say how long. */
const UNTOLD_WAIT_MS = 1_000

const passingStatuses: readonly (number | null)[] = [500, 502, 503, 504]

/** Is it a failure that may be gone at the next attempt? */
const isPassing = ({ code, status }: MapcrateError): boolean =>
  code === 'unreachable' || code === 'timed_out' || passingStatuses.includes(status)

/** What a call has been through. */
export type Tries = {
  /** Attempts that failed, 429 aside. */
  readonly failures: number
  /** ms, pacing aside. */
  readonly waited: number
}

/**
 * How long to wait before another attempt, in ms; null when there is to be none. Every call may be
 * repeated: reads, PUT and DELETE by their nature, POST by its `Idempotency-Key`.
 *
 * @param chance from 0 to 1: many clients that failed at once shall not come back at once.
 */
export const waitBeforeRetry = (
  error: MapcrateError,
  { failures, waited }: Tries,
  { retries, maxWait }: { readonly retries: number; readonly maxWait: number },
  chance: number,
): number | null => {
  const told = (error.retryAfter ?? 0) * 1000
  const isLimited = error.code === 'rate_limited'
  if (!isLimited && (!isPassing(error) || failures >= retries)) return null
  const backOff = Math.min(FIRST_BACK_OFF_MS * 2 ** failures, LONGEST_BACK_OFF_MS)
  const ms = Math.max(told, isLimited ? UNTOLD_WAIT_MS : backOff * (0.5 + chance / 2))
  return waited + ms > maxWait ? null : ms
}
