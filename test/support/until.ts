import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'

const POLL_INTERVAL_MS = 20

/**
 * Asks until there is an answer, and gives it; throws when there is none in time. The time is counted in
 * pauses between the questions: on a busy machine they last longer, as everything does.
 */
export const until = async <T>(
  look: () => Promise<T | null | undefined | false>,
  withinMs = 30_000,
): Promise<T> => {
  for (let left = withinMs; ; left -= POLL_INTERVAL_MS) {
    const found = await look()
    if (found || left <= 0) {
      expect(found, `it did not come within ${withinMs} ms`).toBeTruthy()
      return found as T
    }
    await pause(POLL_INTERVAL_MS)
  }
}
