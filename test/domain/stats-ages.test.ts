import { expect, test } from 'vitest'
import {
  beatmapAgainAt,
  knownBeatmap,
  knownRating,
  meantRating,
  type Rating,
  ratingAgainAt,
} from '../../src/domain/beatmaps.ts'
import { ratingChanges } from '../../src/domain/ratings.ts'
import { aBeatmap } from '../support/a-beatmap.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

test('a beatmap row, and that a beatmap is gone, count for a day', () => {
  for (const value of [aBeatmap(1), 'gone'] as const) {
    expect(knownBeatmap(value, 1000, 1000 + DAY - 1)).toEqual({ value, isOld: false })
    expect(knownBeatmap(value, 1000, 1000 + DAY)).toEqual({ value, isOld: true })
  }
})

test('what was read while the clock was ahead counts for less than twice as long (D-53)', () => {
  const lasting: readonly [number, (at: number, now: number) => { readonly isOld: boolean }][] = [
    [DAY, (at, now) => knownBeatmap(aBeatmap(1), at, now)],
    [DAY, (at, now) => knownBeatmap('gone', at, now)],
    [HOUR, (at, now) => knownBeatmap(aBeatmap(1, { stars: 0 }), at, now)],
    [30 * DAY, (at, now) => knownRating({ stars: 6.52 }, at, now, 0)],
    [HOUR, (at, now) => knownRating('refused', at, now, 1)],
    [7 * DAY, (at, now) => knownRating('gone', at, now, 3)],
  ]
  const now = 1000 * DAY
  for (const [lasts, known] of lasting) {
    expect(known(now + 1, now).isOld).toBe(false)
    for (const ahead of [1, HOUR / 2, HOUR, DAY, 31 * DAY, 365 * DAY]) {
      const [atOnce, later] = [now, now + 2 * lasts].map((when) => known(now + ahead, when).isOld)
      expect(atOnce || later).toBe(true)
    }
  }
})

test('a beatmap that has no stars yet counts for an hour', () => {
  const value = aBeatmap(1, { stars: 0 })
  expect(beatmapAgainAt(value, 1000)).toBe(1000 + HOUR)
  expect(beatmapAgainAt(aBeatmap(1), 1000)).toBeNull()
  expect(beatmapAgainAt('gone', 1000)).toBeNull()
  expect(knownBeatmap(value, 1000, 1000 + HOUR - 1)).toEqual({ value, isOld: false })
  expect(knownBeatmap(value, 1000, 1000 + HOUR)).toEqual({ value, isOld: true })
})

test.each<[Rating, nones: number, number]>([
  [{ stars: 6.52 }, 0, 30 * DAY],
  [{ stars: 0 }, 0, HOUR],
  ['refused', 1, HOUR],
  ['refused', 2, DAY],
  ['refused', 3, 7 * DAY],
  ['refused', 50, 7 * DAY],
  ['gone', 1, HOUR],
  ['gone', 2, DAY],
])('D-93: a rating of %j, %d times in a row, counts for %d ms', (value, nones, lasts) => {
  expect(knownRating(value, 1000, 1000 + lasts - 1, nones)).toEqual({ value, isOld: false })
  expect(knownRating(value, 1000, 1000 + lasts, nones)).toEqual({ value, isOld: true })
  const isNone = lasts < 30 * DAY
  expect(ratingAgainAt(value, 1000, nones)).toBe(isNone ? 1000 + lasts : null)
})

test.each<[Rating, plain: number | null, Rating]>([
  [{ stars: 0 }, 5.2, 'refused'],
  [{ stars: 0 }, 0, { stars: 0 }],
  [{ stars: 0 }, null, { stars: 0 }],
  [{ stars: 6.1 }, 5.2, { stars: 6.1 }],
  ['refused', 5.2, 'refused'],
  ['gone', 5.2, 'gone'],
])('D-93: %j for a beatmap of %j stars means %j', (answer, plain, meant) => {
  expect(meantRating(answer, plain)).toEqual(meant)
})

test.each([
  [5, 5.005, false],
  [5, 5.006, true],
  [5, 4.994, true],
  [5, 5, false],
])('D-95: a rating of %d that is %d now has changed: %s', (before, after, isChange) => {
  const key = { beatmapId: 1, ruleset: 'base', mods: ['DT'] } as const
  const other = { ...key, mods: ['HR'] } as const
  const now = [
    { key, stars: after },
    { key: other, stars: 9 },
  ]
  expect(ratingChanges([{ key, stars: before }], now)).toEqual(
    isChange ? [{ key, before, after }] : [],
  )
})
