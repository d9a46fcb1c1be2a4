import { setTimeout as pause } from 'node:timers/promises'
import { resultCodeOf } from './store-check.ts'

const SQLITE_BUSY = 5
const LONGEST_PAUSE_MS = 20

/** Does this error say that another connection holds the lock? */
export const isBusy = (error: unknown): boolean => resultCodeOf(error) === SQLITE_BUSY

/**
 * Tries until another connection lets go of the lock. SQLite's own waiting would block the event
 * loop, so it is switched off and the waiting is done here.
 *
 * @param deadline on the scale of `performance.now()`; behind it, one try is still made.
 * @throws what `attempt` threw last.
 */
export const whenFree = async <T>(attempt: () => T, deadline: number): Promise<T> => {
  for (let wait = 1; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadline) throw error
    }
    await pause(wait)
  }
}
