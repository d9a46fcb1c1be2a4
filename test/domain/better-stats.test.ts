import { expect, test } from 'vitest'
import examples from '../../src/contract/examples.json' with { type: 'json' }
import type { Stats } from '../../src/contract/packs.ts'
import { betterStats } from '../../src/domain/stats.ts'

const whole = examples.stats as Stats
const partial: Stats = { ...whole, srMin: null, complete: false }
const later = (stats: Stats): Stats => ({ ...stats, computedAt: '2026-10-04T00:00:00.000Z' })

test('the first stats are stored however little they say', () => {
  expect(betterStats(null, partial)).toBe(partial)
})

test('complete stats are stored, equal or not, in place of any', () => {
  for (const old of [whole, partial]) expect(betterStats(old, later(whole))).toEqual(later(whole))
})

test('incomplete ones do not take the place of complete ones: those are of the same slots', () => {
  expect(betterStats(whole, later(partial))).toBeNull()
})

test('incomplete ones take the place of incomplete ones when they say something else', () => {
  const more: Stats = { ...later(partial), srMin: 3 }
  expect(betterStats(partial, more)).toBe(more)
  expect(betterStats(partial, later(partial))).toBeNull()
})
