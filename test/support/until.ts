import { setTimeout as pause } from 'node:timers/promises'

const LOOK_EACH_MS = 20

/** Asks until there is an answer, and gives it; throws when there is none in time. */
export const until = async <T>(
  look: () => Promise<T | null | undefined | false>,
  withinMs = 5_000,
): Promise<T> => {
  const end = performance.now() + withinMs
  for (;;) {
    const found = await look()
    if (found) return found
    if (performance.now() > end) throw new Error(`it did not come within ${withinMs} ms`)
    await pause(LOOK_EACH_MS)
  }
}
