import { setImmediate as otherWork } from 'node:timers/promises'
import { DAY_MS, HOUR_MS } from '../contract/quotas.ts'
import type { BeatmapCache } from '../ports/beatmaps.ts'
import type { Ports } from '../ports/ports.ts'
import { type Loop, startLoop, type WorkerLog } from './loop.ts'

/** What is in use is read again each day; a rating, each month. */
const KEPT_MS = 90 * DAY_MS
/** That there is no such beatmap is read again after a day, and anybody may ask for any. */
const GONE_KEPT_MS = 2 * DAY_MS

type CleanUpPorts = Pick<Ports, 'clock'> & { beatmapCache: Pick<BeatmapCache, 'forget'> }

/** Deletes, each hour, facts from the platform that have not been requested in a long time. */
export function startCleanUp({ beatmapCache, clock }: CleanUpPorts, log: WorkerLog): Loop {
  return startLoop({
    work: async (signal) => {
      const now = clock.now()
      while (!signal.aborted && (await beatmapCache.forget(now - KEPT_MS, now - GONE_KEPT_MS))) {
        await otherWork()
      }
      return HOUR_MS
    },
    backOff: { firstMs: HOUR_MS, longestMs: HOUR_MS },
    log,
    failure: { message: 'old beatmaps are not forgotten' },
  })
}
