import { beforeEach, describe, expect, it } from 'vitest'
import type { Stores } from '../../../src/adapters/storage/stores.ts'
import { base } from '../../support/known.ts'
import { withStore } from '../temp-store.ts'

const HOUR = 3_600_000
const NOW = 1_000_000_000
const [hidden, fast] = [base(129891, 'HD'), base(75, 'DT')]

describe('RatingWatch (D-95)', () => {
  let one: Stores
  let two: Stores

  withStore(beforeEach, async (opened) => {
    ;({ one, two } = opened)
    // The first comparison of a new store is due later.
    expect(await one.ratingWatch.take(NOW, NOW + HOUR)).toBeNull()
    expect(await two.ratingWatch.take(NOW + HOUR - 1, NOW + 9 * HOUR)).toBeNull()
  })

  it('gives a comparison that is due to one process', async () => {
    const at = NOW + HOUR
    const take = ({ ratingWatch }: Stores) => ratingWatch.take(at, at + HOUR)
    const taken = await Promise.all([take(one), take(two)])
    expect(taken.filter((ratings) => ratings !== null)).toEqual([[]])
    expect(await two.ratingWatch.take(at + HOUR - 1, at + 2 * HOUR)).toBeNull()
    expect(await two.ratingWatch.take(at + HOUR, at + 2 * HOUR)).toEqual([])
  })

  it('keeps the ratings as they were when they changed last, and the last change', async () => {
    const finish = (stars: number, changed: readonly number[], at: number) =>
      one.ratingWatch.finish(
        [
          { key: hidden, stars },
          { key: fast, stars: 3.61 },
        ],
        changed.map((before) => ({ key: hidden, before, after: stars })),
        at,
        at,
      )
    await finish(8.001, [], NOW)
    await finish(8.002, [], NOW + 1)
    expect(await two.ratingWatch.lastChange()).toBeNull()
    const inOrder = [
      { key: fast, stars: 3.61 },
      { key: hidden, stars: 8.001 },
    ]
    expect(await two.ratingWatch.take(NOW + 1, NOW + 1)).toEqual(inOrder)
    await finish(8.1, [8.001], NOW + 2)
    const change = (before: number, after: number) => ({ key: hidden, before, after })
    expect(await two.ratingWatch.lastChange()).toEqual({
      at: NOW + 2,
      changes: [change(8.001, 8.1)],
    })
    await finish(8.2, [8.1], NOW + 3)
    expect(await two.ratingWatch.lastChange()).toEqual({
      at: NOW + 3,
      changes: [change(8.1, 8.2)],
    })
    const [, now] = (await two.ratingWatch.take(NOW + 3, NOW + 3)) ?? []
    expect(now).toEqual({ key: hidden, stars: 8.2 })
  })

  it('is due when its time was set by a clock that has been put right since (D-53)', async () => {
    await one.ratingWatch.finish([], [], NOW, NOW + 1_000 * HOUR)
    expect(await two.ratingWatch.take(NOW + HOUR, NOW + 2 * HOUR)).toEqual([])
  })
})
