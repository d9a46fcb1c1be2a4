const MINUTE_MS = 60_000
const LONGEST_WAIT_MS = 24 * 60 * MINUTE_MS
const GIVE_UP_MS = 30 * 24 * 60 * MINUTE_MS

/** How long after the first of a row of attempts this one comes: 0, 1, 2, 4, 8, 16 … minutes, later each day. */
const momentOf = (attempt: number): number => {
  if (attempt <= 1) return 0
  let moment = MINUTE_MS
  for (let each = 2; each < attempt && moment <= GIVE_UP_MS; each++) {
    moment += Math.min(moment, LONGEST_WAIT_MS)
  }
  return moment
}

/**
 * How long to wait after an attempt that failed, ms; null after 30 days of them.
 *
 * @param attempt from 1.
 */
export const waitAfter = (attempt: number): number | null => {
  const next = momentOf(attempt + 1)
  return next > GIVE_UP_MS ? null : next - momentOf(attempt)
}
