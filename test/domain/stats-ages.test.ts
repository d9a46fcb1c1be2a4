import { expect, test } from 'vitest'
import { knownBeatmap, knownRating, type Rating } from '../../src/domain/beatmaps.ts'
import { aBeatmap } from '../support/a-beatmap.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

test('a beatmap row, and that a beatmap is gone, count for a day', () => {
  for (const value of [aBeatmap(1), 'gone'] as const) {
    expect(knownBeatmap(value, 1000, 1000 + DAY - 1)).toEqual({ value, isOld: false })
    expect(knownBeatmap(value, 1000, 1000 + DAY)).toEqual({ value, isOld: true })
  }
})

test.each<[Rating, number]>([
  [{ stars: 6.52 }, 30 * DAY],
  ['refused', HOUR],
  ['gone', HOUR],
])('a rating of %j counts for %d ms', (value, lasts) => {
  expect(knownRating(value, 1000, 1000 + lasts - 1)).toEqual({ value, isOld: false })
  expect(knownRating(value, 1000, 1000 + lasts)).toEqual({ value, isOld: true })
})
