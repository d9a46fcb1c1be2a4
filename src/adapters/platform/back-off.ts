const MINUTE_MS = 60_000
const LONGEST_MINUTES = 16

/** How long to keep still when the platform is throttling and does not say for how long. */
export type BackOff = ReturnType<typeof createBackOff>

export const createBackOff = () => {
  let minutes = 1
  let since = -Infinity
  let until = -Infinity

  return {
    /**
     * The call that was sent at `sentAt` was throttled: wait 1, 2, 4, 8, then always 16 minutes.
     *
     * @returns until when, ms since the epoch.
     */
    grow: (sentAt: number, now: number): number => {
      // A call that was already under way when the wait began tells nothing about its length.
      // A wait that began later than now was begun by a clock that has been put right since.
      if (since <= now && sentAt < until) return until
      since = now
      until = now + minutes * MINUTE_MS
      minutes = Math.min(minutes * 2, LONGEST_MINUTES)
      return until
    },
    /** The call that was sent at `sentAt` was let through. */
    calm: (sentAt: number): void => {
      if (sentAt >= until || sentAt < since) minutes = 1
    },
  }
}
