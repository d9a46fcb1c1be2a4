import { PlatformTrouble } from '../domain/platform.ts'
import type { CallBudget, Platform } from '../ports/platform.ts'
import type { Clock } from '../ports/system.ts'

/** What stats ask the platform for. */
export type BeatmapPlatform = Pick<Platform, 'readBeatmaps' | 'readRating'>

export type GuardPorts = {
  readonly platform: BeatmapPlatform
  readonly callBudget: CallBudget
  readonly clock: Clock
}

/** Within which bounds calls are made. */
export type CallBounds = {
  /** Calls to leave in the budget. */
  readonly spare: number
  /** Whether a call may still be begun. */
  readonly mayBegin: () => boolean
}

const FAILURES_IN_A_ROW = 5
const SILENCE_MS = 15_000

/**
 * Remembers that calls of one kind fail, each perhaps after a long wait, and makes none for a
 * while: packs that need no call would have to wait behind those that do.
 */
const breaker = (clock: Clock) => {
  let failures = 0
  let closedUntil = 0
  return async <T>(call: () => Promise<T>): Promise<T> => {
    const wait = closedUntil - clock.now()
    // A longer wait was begun by a clock that has been put right since (D-53).
    if (wait > 0 && wait <= SILENCE_MS) throw new PlatformTrouble('it has not answered of late')
    try {
      const answer = await call()
      failures = 0
      return answer
    } catch (error) {
      if (error instanceof PlatformTrouble && error.retryAt === null) failures += 1
      if (failures >= FAILURES_IN_A_ROW) closedUntil = clock.now() + SILENCE_MS
      throw error
    }
  }
}

/** The platform behind bounds; one for each round of work. A call beyond them is not made and throws `PlatformTrouble`. */
export const guardPlatform = ({ platform, callBudget, clock }: GuardPorts) => {
  // Each kind has its own: when ratings are down, beatmaps still come.
  const beatmaps = breaker(clock)
  const ratings = breaker(clock)
  return ({ spare, mayBegin }: CallBounds): BeatmapPlatform => {
    const check = async (): Promise<void> => {
      const now = clock.now()
      if (!mayBegin()) throw new PlatformTrouble('no time is left for calls', now)
      const leave = spare > 0 ? await callBudget.look(spare, now) : null
      if (leave?.granted === false) {
        throw new PlatformTrouble('the calls left are kept for new packs', leave.retryAt)
      }
    }
    return {
      async readBeatmaps(ids, caller) {
        await check()
        return beatmaps(() => platform.readBeatmaps(ids, caller))
      },
      async readRating(key, caller) {
        await check()
        return ratings(() => platform.readRating(key, caller))
      },
    }
  }
}
