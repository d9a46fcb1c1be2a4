const SECOND_MS = 1_000
/** A slip of the platform must not silence us for years; if it meant it, it will say it again. */
const LONGEST_WAIT_MS = 60 * 60_000

const SECONDS = /^\d+$/
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/**
 * Until when a `Retry-After` asks to wait, ms since the epoch: from a second to an hour from now.
 * null when there is none, or none that can be read.
 */
export const readRetryAfter = (header: string | null, now: number): number | null => {
  const text = header?.trim() ?? ''
  let at = Number.NaN
  if (SECONDS.test(text)) at = now + Number(text) * SECOND_MS
  else if (HTTP_DATE.test(text)) at = Date.parse(text)
  if (Number.isNaN(at)) return null
  return Math.min(Math.max(at, now + SECOND_MS), now + LONGEST_WAIT_MS)
}
