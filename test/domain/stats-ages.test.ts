import { expect, test } from 'vitest'
import { knownBeatmap, knownRating, meantRating, type Rating } from '../../src/domain/beatmaps.ts'
import { aBeatmap } from '../support/a-beatmap.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

test('a beatmap row, and that a beatmap is gone, count for a day', () => {
  for (const value of [aBeatmap(1), 'gone'] as const) {
    expect(knownBeatmap(value, 1000, 1000 + DAY - 1)).toEqual({ value, isOld: false })
    expect(knownBeatmap(value, 1000, 1000 + DAY)).toEqual({ value, isOld: true })
  }
})

test('a beatmap that has no stars yet counts for an hour', () => {
  const value = aBeatmap(1, { stars: 0 })
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
