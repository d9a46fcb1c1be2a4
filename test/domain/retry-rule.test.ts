import { expect, test } from 'vitest'
import { waitAfter } from '../../src/domain/stats.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** When each attempt comes, in minutes after the first, when all fail. */
const moments = (): number[] => {
  const found = [0]
  for (let attempt = 1; attempt < 1000; attempt++) {
    const wait = waitAfter(attempt)
    if (wait === null) return found
    found.push((found.at(-1) ?? 0) + wait / MINUTE)
  }
  throw new Error('it never gives up')
}

test('attempts come 0, 1, 2, 4, 8, 16 … minutes after the first', () => {
  expect(moments().slice(0, 9)).toEqual([0, 1, 2, 4, 8, 16, 32, 64, 128])
})

test('later they come once a day, so that nobody waits longer for a platform that is back', () => {
  const waits = moments().map((moment, at, all) => moment - (all[at - 1] ?? 0))
  expect(Math.max(...waits) * MINUTE).toBe(DAY)
  expect(waits.slice(13).every((wait) => wait * MINUTE === DAY)).toBe(true)
})

test('they end after 30 days', () => {
  const last = (moments().at(-1) ?? 0) * MINUTE
  expect(last).toBeLessThanOrEqual(30 * DAY)
  expect(last).toBeGreaterThan(29 * DAY)
  expect(waitAfter(100_000)).toBeNull()
})
