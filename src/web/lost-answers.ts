import * as texts from '#texts/common'
import { later, listen } from './browser.ts'
import { CallFailure, isNotFound, isUnknown } from './site-failure.ts'

/** What reads again what the page shows. */
const readers = new Set<() => unknown>()

/** Calls back when a write may have been made although no answer says so; returns a function that stops that. */
export function whenLost(read: () => unknown): () => void {
  readers.add(read)
  return () => void readers.delete(read)
}

export const readAllAgain = (): void => readers.forEach((read) => read())

/** Before each further attempt, so many ms. */
const PAUSES = [1_000, 2_000, 4_000]

const LONGEST_WAIT_MS = 30_000

/** In how many ms to try again, after so many other failures: when the site says, else later each time. */
export const waitAfter = ({ retryAfter }: CallFailure, failures: number): number =>
  // At once would be again and again.
  retryAfter ? retryAfter * 1000 : Math.min(1000 * 2 ** failures, LONGEST_WAIT_MS)

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    const stops = [later(ms, () => end()), listen({ online: () => end() })]
    const end = (): void => {
      for (const stop of stops) stop()
      resolve()
    }
  })

/** Tries again what cannot be reached, or answers nothing that can be read. Throws what the last attempt has. */
export async function untilAnswered<T>(attempt: () => Promise<T>, isAtOnce = false): Promise<T> {
  const [...left] = isAtOnce ? [0, ...PAUSES] : PAUSES
  for (;;) {
    await pause(left.shift() ?? 0)
    try {
      return await attempt()
    } catch (error) {
      const isOver = left.length === 0 || !(error instanceof CallFailure) || !error.mayPass
      if (isOver || error.code === 'rate_limited') throw error
    }
  }
}

/**
 * Makes a write that cannot be made twice. Where its answer is lost, or what it is to change is not found, `look` reads
 * whether it was made, here or elsewhere, and returns what the write would have; null: not so far. What is not found may
 * also be out of sight of who has lost their access.
 */
export async function orLook<T>(
  write: () => Promise<T>,
  look: () => Promise<T | null>,
): Promise<T> {
  try {
    return await write()
  } catch (error) {
    const isLost = isUnknown(error)
    if (!isLost && !isNotFound(error)) throw error
    const found = await untilAnswered(look, true).catch((failure: unknown) => {
      throw isUnknown(failure) ? failure : error
    })
    if (found !== null) return found
    throw isLost ? unknown(texts.notDoneSoFar) : error
  }
}

/** What a read returns; null when that is not found. */
export const orGone = <T>(reading: Promise<T>): Promise<T | null> =>
  reading.catch((error: unknown) => {
    if (isNotFound(error)) return null
    throw error
  })

/** Says what was read of a write whose answer is lost, in the place of an error. */
export const unknown = (message: string): CallFailure =>
  new CallFailure('unreachable', message, { outcome: 'unknown' })
