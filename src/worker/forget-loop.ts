import { setImmediate as otherWork } from 'node:timers/promises'
import type { BeatmapCache } from '../ports/beatmaps.ts'
import type { Clock } from '../ports/system.ts'
import type { WorkerLog } from './worker-log.ts'

export type ForgetLoop = {
  /** Ends the loop. */
  readonly stop: () => Promise<void>
}

export type ForgetPorts = {
  readonly beatmapCache: Pick<BeatmapCache, 'forget'>
  readonly clock: Clock
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** What is looked at is asked for again each day; a rating, each month. */
const KEPT_MS = 90 * DAY_MS
/** That there is no such beatmap is asked for again after a day, and anybody may ask for any. */
const GONE_KEPT_MS = 2 * DAY_MS

/** Forgets, each hour, what the platform has said and nobody has asked for in a long time. */
export const startForgetLoop = (
  { beatmapCache, clock }: ForgetPorts,
  log: WorkerLog,
): ForgetLoop => {
  const stopping = new AbortController()

  const forget = async (): Promise<void> => {
    const now = clock.now()
    while (
      !stopping.signal.aborted &&
      (await beatmapCache.forget(now - KEPT_MS, now - GONE_KEPT_MS))
    ) {
      await otherWork()
    }
  }
  const work = (): Promise<void> =>
    forget().catch((err: unknown) => log.error({ err }, 'old beatmaps are not forgotten'))

  let working = work()
  const timer = setInterval(() => {
    working = working.then(work)
  }, HOUR_MS)
  return {
    stop: async () => {
      stopping.abort()
      clearInterval(timer)
      await working
    },
  }
}
