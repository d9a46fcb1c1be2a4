import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { builtinCodes, forcedMods, rulesets, statsMods } from '../../src/contract/mods.ts'
import { Stats } from '../../src/contract/packs.ts'
import {
  type Beatmap,
  type Known,
  type Rating,
  ratingNeeds,
  ratingText,
} from '../../src/domain/beatmaps.ts'
import { betterStats, computeStats } from '../../src/domain/stats.ts'
import { orderForcedSet } from '../../src/pool/slots.ts'
import { aBeatmap, withBuckets } from '../support/a-beatmap.ts'

const known = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<Known<T> | undefined> =>
  fc.option(fc.record({ value, isOld: fc.boolean() }), { nil: undefined, freq: 6 })

const beatmap: fc.Arbitrary<Beatmap> = fc
  .record({
    ruleset: fc.constantFrom(...rulesets),
    stars: fc.integer({ min: 0, max: 2_000_000 }).map((value) => value / 1e5),
    length: fc.integer({ min: 0, max: 5_000 }),
    bpm: fc.option(fc.integer({ min: 0, max: 100_000 }).map((value) => value / 100)),
  })
  .map((fields) => aBeatmap(1, fields))

const rating: fc.Arbitrary<Rating> = fc.oneof(
  fc.integer({ min: 0, max: 2_000_000 }).map((value) => ({ stars: value / 1e5 })),
  fc.constantFrom('refused' as const, 'gone' as const),
)

const set = fc
  .uniqueArray(fc.constantFrom(...forcedMods), { minLength: 1, maxLength: 3 })
  .map((mods) => ({ kind: 'forced' as const, set: orderForcedSet(mods) }))

/** A pack of up to 64 slots and what is known of its beatmaps and ratings. */
const world = fc
  .record({
    mods: fc.option(fc.oneof(set, fc.constant({ kind: 'free' as const })), { nil: undefined }),
    slots: fc.array(
      fc.record({
        mod: fc.constantFrom(...builtinCodes, 'X', null),
        beatmapId: fc.integer({ min: 1, max: 12 }),
      }),
      { minLength: 1, maxLength: 64 },
    ),
    beatmaps: fc.array(known(fc.oneof(beatmap, fc.constant('gone' as const))), {
      minLength: 12,
      maxLength: 12,
    }),
    ratings: fc.infiniteStream(known(rating)),
  })
  .map(({ mods, slots, beatmaps, ratings }) => {
    const pool = withBuckets(
      { slots: slots.map((slot, at) => ({ ...slot, index: (at % 99) + 1 })) },
      { code: 'X', color: 0, ...(mods && { mods }) },
    )
    const byId = new Map(
      beatmaps.flatMap((each, at) => (each === undefined ? [] : [[at + 1, each] as const])),
    )
    const rated = new Map<string, Known<Rating>>()
    for (const key of ratingNeeds(pool, byId)) {
      const each = ratings.next().value
      if (each !== undefined) rated.set(ratingText(key), each)
    }
    return { pool, byId, rated }
  })

type Told = { readonly pool: Parameters<typeof ratingNeeds>[0] } & {
  readonly byId: Map<number, Known<Beatmap | 'gone'>>
  readonly rated: Map<string, Known<Rating>>
}
const statsOf = ({ pool, byId, rated }: Told): Stats => computeStats(pool, byId, rated, 0)

test('spec 2.6: whatever is known, the stats fit their schema and their ranges are in order', () => {
  fc.assert(
    fc.property(world, (told) => {
      const stats = statsOf(told)
      expect(Value.Check(Stats, stats)).toBe(true)
      expect(stats.count).toBe(told.pool.slots.length)
      for (const [low, high] of [
        [stats.srMin, stats.srMax],
        [stats.lenMin, stats.lenMax],
        [stats.bpmMin, stats.bpmMax],
        [stats.srMin, stats.srAvg],
        [stats.srAvg, stats.srMax],
      ]) {
        expect(low === null).toBe(high === null)
        expect(low ?? 0).toBeLessThanOrEqual(high ?? 0)
      }
    }),
  )
})

test('D-33, D-34: the order of the slots changes nothing', () => {
  fc.assert(
    fc.property(world, (told) => {
      const reversed = { ...told.pool, slots: told.pool.slots.toReversed() }
      expect(statsOf({ ...told, pool: reversed })).toEqual(statsOf(told))
    }),
  )
})

test('spec 2.6, D-93: complete when and only when nothing is missing or old but that there is no rating', () => {
  const seen = new Set<boolean>()
  fc.assert(
    fc.property(world, (told) => {
      const isKnown = (each: Known<unknown> | undefined) => each?.isOld === false
      const isNone = (each: Known<Rating> | undefined) =>
        each !== undefined && (typeof each.value === 'string' || each.value.stars === 0)
      const beatmaps = told.pool.slots.map(({ beatmapId }) => told.byId.get(beatmapId))
      const ratings = ratingNeeds(told.pool, told.byId).map((key) =>
        told.rated.get(ratingText(key)),
      )
      const { complete } = statsOf(told)
      expect(complete).toBe(
        beatmaps.every(isKnown) && ratings.every((each) => isKnown(each) || isNone(each)),
      )
      if (complete) seen.add(ratings.every(isKnown))
    }),
    { numRuns: 1_000 },
  )
  expect(seen.size).toBe(2)
})

test('spec 2.6 rule 3: a gone beatmap changes no number', () => {
  fc.assert(
    fc.property(world, (told) => {
      const { mods, count, ...numbers } = statsOf(told)
      const slots = [...told.pool.slots, { mod: 'DT', index: 99, beatmapId: 13 }]
      const byId = new Map(told.byId).set(13, { value: 'gone', isOld: false })
      const stats = statsOf({ ...told, pool: { ...told.pool, slots }, byId })
      expect(stats).toMatchObject(numbers)
      expect(stats.count).toBe(count + 1)
      expect(stats.mods).toEqual(expect.arrayContaining([...mods, 'DT']))
    }),
  )
})

test('spec 2.6: a beatmap that gives no stars changes none', () => {
  fc.assert(
    fc.property(world, (told) => {
      const slots = [...told.pool.slots, { mod: 'NM', index: 99, beatmapId: 13 }]
      const byId = new Map(told.byId).set(13, { value: aBeatmap(13, { stars: 0 }), isOld: false })
      const { srMin, srMax, srAvg } = statsOf(told)
      const stats = statsOf({ ...told, pool: { ...told.pool, slots }, byId })
      expect(stats).toMatchObject({ srMin, srMax, srAvg })
    }),
  )
})

test('spec 2.6: mods stand in one order for built-in slots and one for forced ones', () => {
  fc.assert(
    fc.property(world, (told) => {
      const places = statsOf(told).mods.map((mod) => statsMods.indexOf(mod))
      expect(new Set(places).size).toBe(places.length)
      const falls = places.filter((place, at) => place < (places[at - 1] ?? -1))
      expect(falls.length).toBeLessThanOrEqual(1)
    }),
  )
})

test('nothing that was known is lost to incomplete stats of less, and all that is more is stored', () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(world, fc.infiniteStream(fc.boolean()), ({ pool, byId, rated }, stays) => {
      const some = <K, V>(all: ReadonlyMap<K, V>) =>
        new Map([...all].filter(() => stays.next().value))
      const more = computeStats(pool, byId, rated, 1)
      const less = computeStats(pool, some(byId), some(rated), 2)
      if (less.complete) return
      const isSame = isDeepStrictEqual({ ...less, computedAt: '' }, { ...more, computedAt: '' })
      expect(betterStats(less, more)).toEqual(isSame ? null : more)
      const known = ({ srAvg: _avg, computedAt: _at, complete: _all, ...rest }: Stats) => rest
      expect(known(betterStats(more, less) ?? more)).toEqual(known(more))
      seen.add(isSame ? 'same' : 'more')
    }),
  )
  expect([...seen].toSorted()).toEqual(['more', 'same'])
})
