import type { Stats } from '../../src/contract/packs.ts'
import type { Slot } from '../../src/contract/pools.ts'
import type { SavedPack } from '../../src/domain/packs.ts'
import { createRatingRun } from '../../src/worker/ratings.ts'
import { createStatsRun } from '../../src/worker/stats.ts'
import { aNewPack } from '../ports/sample-pack.ts'
import { HandClock } from './hand-clock.ts'
import { MemoryBeatmapCache } from './memory-beatmap-cache.ts'
import { MemoryCallBudget } from './memory-call-budget.ts'
import { MemoryRatingWatch } from './memory-rating-watch.ts'
import { MemoryStatsWork } from './memory-stats-work.ts'
import { ScriptedPlatform } from './scripted-platform.ts'

/** `count` slots of one bucket, their beatmaps from `firstId` on. */
export const slotsOf = (mod: string, count: number, firstId: number): Slot[] =>
  Array.from({ length: count }, (_, at) => ({ mod, index: at + 1, beatmapId: firstId + at }))

/** Everything that computes stats, with a hand-set clock, ports in memory and a scripted platform. */
export const statsRig = () => {
  const clock = new HandClock()
  const callBudget = new MemoryCallBudget()
  const platform = new ScriptedPlatform({ callBudget, clock })
  const statsWork = new MemoryStatsWork()
  const beatmapCache = new MemoryBeatmapCache()
  const ratingWatch = new MemoryRatingWatch()
  const ports = { clock, callBudget, platform, statsWork, beatmapCache, ratingWatch }
  const said: string[] = []
  const log = {
    warn: (details: object, message: string) =>
      said.push(`warn ${message} ${JSON.stringify(details)}`),
    error: (details: object, message: string) =>
      said.push(`error ${message} ${JSON.stringify(details)}`),
  }
  const turn = createStatsRun(ports, log)
  const look = createRatingRun(ports, log)

  /** Saves a new pack and gives its slug. */
  const save = (slots: readonly Slot[], changes: Partial<SavedPack> = {}): string => {
    const now = clock.now()
    const pack = aNewPack({ slots, createdAt: now, updatedAt: now, ...changes })
    statsWork.save({ ...pack, ownerUsername: null }, now)
    return pack.slug
  }

  /** Makes turns until nothing is due, and tells how many packs they took. */
  const work = async (): Promise<number> => {
    let all = 0
    for (let turns = 0; turns < 10_000; turns++) {
      const taken = await turn()
      if (taken === 0) return all
      all += taken
    }
    throw new Error('the work never ends')
  }

  /** Works, moving the clock from one due moment to the next, until all is done or so much time has passed. */
  const workFor = async (ms: number): Promise<void> => {
    const end = clock.now() + ms
    for (;;) {
      await work()
      const next = await statsWork.nextDueAt(clock.now())
      if (next === null || next > end) break
      clock.advance(Math.max(0, next - clock.now()))
    }
    clock.advance(end - clock.now())
  }

  const statsOf = (slug: string): Stats | null => statsWork.row(slug).pack.stats

  return { ...ports, ports, said, log, turn, look, save, work, workFor, statsOf }
}
