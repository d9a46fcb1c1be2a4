import type { Caller } from './beatmap.ts'

/** The window that calls to the platform are counted in: any 60 seconds, not a clock's minute. */
export const CALL_WINDOW_MS = 60_000
/** Of the 60 that the platform allows: what others ask in the application's name must not cost it. */
export const CALLS_PER_WINDOW = 50
const VISITOR_CALLS = 30

/** A call that was made. */
export type PastCall = {
  /** ms since the epoch. */
  readonly at: number
  readonly caller: Caller
}

/** Who wants to call, and when. */
export type CallWish = {
  readonly caller: Caller
  /** How many calls must be left behind this one. */
  readonly spare: number
  /** ms since the epoch. */
  readonly now: number
}

/**
 * When a call may be made: `now` or earlier is at once. Visitors have at most 30 of the 50 calls;
 * 20 are kept for background work, which has all of them while nobody else has called in the window.
 * Whoever signs in has what is left of the 50: nobody is kept out by those who look at pages.
 *
 * @param recent the calls within the window before `now`, oldest first.
 */
export const callMayBeginAt = (
  recent: readonly PastCall[],
  { caller, spare, now }: CallWish,
): number => {
  /** When fewer than `most` of these are left in the window. */
  const belowAt = (calls: readonly PastCall[], most: number): number => {
    const over = calls.length + spare - most
    if (over < 0) return now
    const leaver = calls[Math.min(over, calls.length - 1)]
    return (leaver?.at ?? now) + CALL_WINDOW_MS
  }
  const own = recent.filter((call) => call.caller === caller)
  const people = recent.filter((call) => call.caller !== 'background')
  const inAll = belowAt(recent, CALLS_PER_WINDOW)
  if (caller === 'sign-in') return inAll
  if (caller === 'visitor') return Math.max(inAll, belowAt(own, VISITOR_CALLS))
  const whenAlone = (people.at(-1)?.at ?? -Infinity) + CALL_WINDOW_MS
  const ofOwn = belowAt(own, CALLS_PER_WINDOW - VISITOR_CALLS)
  return Math.max(inAll, Math.min(ofOwn, Math.max(now, whenAlone)))
}
