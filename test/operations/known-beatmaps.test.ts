import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  cacheFor,
  factOf,
  factsOf,
  lookedUpSlots,
  openCache,
} from '../../src/operations/known-beatmaps.ts'
import { aNewPack, someStats } from '../ports/sample-pack.ts'
import { aBeatmap, withBuckets } from '../support/a-beatmap.ts'
import { MemoryBeatmapCache } from '../support/memory-beatmap-cache.ts'

const slots = ['NM', 'HD', 'HR', 'X1'].map((mod, at) => ({ mod, index: 1, beatmapId: at + 1 }))
const dark = { code: 'X1', color: 1, mods: { kind: 'forced' as const, set: ['HD', 'DT'] as const } }
const packOf = (complete: boolean) => {
  const table = withBuckets({ slots }, dark as never)
  return aNewPack({ ...table, stats: { ...someStats(), complete }, updatedAt: 1_000_000 })
}

test('slots are looked up once stats are complete, with HD alone three minutes after the save (D-74, D-94)', () => {
  const forced = (now: number | undefined, complete = true) =>
    lookedUpSlots(packOf(complete), now).map((play) => play.forced)
  const soon = [[], [], ['HR'], ['HD', 'DT']]
  const later = [[], ['HD'], ['HR'], ['HD', 'DT']]
  expect(forced(1_000_000)).toEqual(soon)
  expect(forced(1_000_000 + 179_999)).toEqual(soon)
  expect(forced(1_000_000 + 180_000)).toEqual(later)
  expect(forced(undefined)).toEqual(soon)
  expect(forced(9_000_000, false)).toEqual([])
  expect(lookedUpSlots({ ...packOf(true), stats: null }, 9_000_000)).toEqual([])
})

test('a reader sees what is public and what they may know, as if nothing else were cached (D-74)', async () => {
  const beatmap = fc.record({
    isCached: fc.boolean(),
    isPublic: fc.boolean(),
    isRated: fc.boolean(),
    isRatingPublic: fc.boolean(),
    isPlayed: fc.boolean(),
    isPlayedWithMods: fc.boolean(),
  })
  const property = fc.asyncProperty(fc.array(beatmap, { maxLength: 8 }), async (made) => {
    const cache = new MemoryBeatmapCache()
    const keys = made.map(
      (_, at) => ({ beatmapId: at + 1, ruleset: 'base', mods: ['HD', 'HR'] }) as const,
    )
    for (const [at, each] of made.entries()) {
      const key = keys[at]!
      if (each.isCached) await cache.keepBeatmaps([aBeatmap(at + 1)], [], 1)
      if (each.isPublic) await cache.publish([at + 1], [])
      if (each.isRated) await cache.keepRating(key, { stars: 6 }, 1)
      if (each.isRatingPublic) await cache.publish([], [key])
    }
    const plays = made.flatMap((each, at) => [
      ...(each.isPlayed ? [{ beatmapId: at + 1, forced: [] }] : []),
      ...(each.isPlayedWithMods ? [{ beatmapId: at + 1, forced: ['HD', 'HR'] as const }] : []),
    ])
    const seen = openCache(cache, plays as never)
    const isSeen = made.map(
      ({ isCached, isPublic, isPlayed, isPlayedWithMods }) =>
        isCached && (isPublic || isPlayed || isPlayedWithMods),
    )
    const ids = made.map((_, at) => at + 1)
    const beatmaps = await seen.readBeatmaps(ids)
    expect(ids.map((id) => beatmaps.has(id))).toEqual(isSeen)
    expect((await seen.readRatings(keys)).map((rating) => rating !== null)).toEqual(
      made.map(
        ({ isRated, isRatingPublic, isPlayedWithMods }) =>
          isRated && (isRatingPublic || isPlayedWithMods),
      ),
    )
  })
  await fc.assert(property)
})

test('what is kept through it is noted, each fact as it is read again', async () => {
  const noted: string[] = []
  const cache = new MemoryBeatmapCache()
  const seen = cacheFor(cache, { mayRead: () => false, onKept: (fact) => noted.push(fact) })
  await seen.keepBeatmaps([aBeatmap(1)], [2], 5)
  await seen.keepRating({ beatmapId: 1, ruleset: 'base', mods: ['HD', 'HR'] }, { stars: 6 }, 5)
  expect(noted).toEqual([factOf(1), factOf(2), factOf(1, ['HD', 'HR'])])
  expect([...factsOf([{ beatmapId: 1, forced: ['HD', 'HR'] }])]).toEqual([noted[0], noted[2]])
  expect((await cache.readBeatmaps([1, 2])).size).toBe(2)
})
