import { chunksOf } from '../domain/batch.ts'
import { type Beatmap, type Known, knownBeatmap } from '../domain/beatmaps.ts'
import { type Caller, callerKind } from '../domain/platform.ts'
import type { BeatmapCache } from '../ports/beatmaps.ts'
import type { Platform } from '../ports/platform.ts'
import type { Clock } from '../ports/system.ts'
import { askPlatform } from './ask-platform.ts'
import type { LookUp, LookUpLimits } from './look-up.ts'
import { RecentTroubles } from './recent-troubles.ts'

export type BeatmapPorts = {
  readonly beatmapCache: BeatmapCache
  readonly platform: Pick<Platform, 'readBeatmaps'>
  readonly clock: Clock
}

/** The platform takes so many ids in a call. */
const IDS_IN_A_CALL = 50

/** One beatmap that the platform cannot tell must not hide 49 others. */
const halves = (ids: readonly number[]): readonly (readonly number[])[] =>
  ids.length < 2 ? [] : chunksOf(ids, Math.ceil(ids.length / 2))

/**
 * What these beatmaps are: from the cache when it was learned within a day, else from the platform.
 * Each answer is remembered before the next is waited for. Never throws `PlatformTrouble`.
 */
export const lookUpBeatmaps = async (
  { beatmapCache, platform, clock }: BeatmapPorts,
  ids: readonly number[],
  caller: Caller,
  { most = Infinity, troubles = new RecentTroubles() }: LookUpLimits = {},
): Promise<LookUp<number, Beatmap | 'gone'>> => {
  const known = new Map<number, Known<Beatmap | 'gone'>>()
  const wanted = [...new Set(ids)]
  const now = clock.now()
  for (const [id, { beatmap, at }] of await beatmapCache.readBeatmaps(wanted)) {
    known.set(id, knownBeatmap(beatmap, at, now))
  }
  const open = wanted.filter((id) => known.get(id)?.isOld ?? true)
  const asked = troubles.choose(open, (id) => id, now)
  const failed = new Set(open)
  for (const id of asked) failed.delete(id)

  const ask = async (portion: readonly number[]): Promise<void> => {
    for (const id of portion) failed.add(id)
    const answer = new Map<number, Beatmap | 'gone'>(portion.map((id) => [id, 'gone']))
    for (const beatmap of await platform.readBeatmaps(portion, caller)) {
      if (answer.has(beatmap.id)) answer.set(beatmap.id, beatmap)
    }
    await keep(answer)
  }
  const keep = async (answer: ReadonlyMap<number, Beatmap | 'gone'>): Promise<void> => {
    const found = [...answer.values()].filter((value) => value !== 'gone')
    const gone = [...answer.keys()].filter((id) => answer.get(id) === 'gone')
    await beatmapCache.keepBeatmaps(found, gone, clock.now())
    for (const [id, value] of answer) {
      known.set(id, { value, isOld: false })
      failed.delete(id)
      troubles.forget(id)
    }
  }

  // Somebody who waits for a page is better served with less at once.
  const split = callerKind(caller) === 'visitor' ? () => [] : halves
  const outcome = await askPlatform(chunksOf(asked, IDS_IN_A_CALL), ask, { most, split })
  if ((outcome.trouble?.retryAt ?? null) === null) {
    for (const id of asked) if (failed.has(id)) troubles.note(id, now)
  }
  return { ...outcome, known, failed }
}
