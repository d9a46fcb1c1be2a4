const MINUTE_MS = 60_000

/**
 * The platform's limit, in its strictest reading: so many calls in any 60 seconds, wherever they begin.
 * Who keeps within it keeps within windows that start at the top of a minute as well.
 */
export const createThrottle = (clock: () => number, perMinute: number | null) => {
  let limit = perMinute
  let admitted: number[] = []
  return {
    setLimit: (next: number | null) => {
      limit = next
    },
    /** @returns 0 when the call may pass, else the whole seconds to wait. A refused call is not counted. */
    admit: (): number => {
      const now = clock()
      admitted = admitted.filter((at) => at > now - MINUTE_MS)
      if (limit !== null && admitted.length >= limit) {
        return Math.max(1, Math.ceil(((admitted[0] ?? now) + MINUTE_MS - now) / 1000))
      }
      admitted.push(now)
      return 0
    },
  }
}
