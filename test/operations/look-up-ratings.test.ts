import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lookUpRatings, lookUpUses, RecentFailures } from '../../src/operations/beatmaps.ts'
import { aBeatmap } from '../support/a-beatmap.ts'
import { base } from '../support/known.ts'
import { statsRig } from '../support/stats-rig.ts'

const HOUR = 3_600_000
const keys = (count: number) => Array.from({ length: count }, (_, at) => base(at + 1, 'DT'))

describe('lookUpRatings', () => {
  it('one call each, every key once, then none', async () => {
    const { ports, platform } = statsRig()
    const wanted = [base(1, 'DT'), base(1, 'HD', 'DT'), base(1, 'DT'), base(2, 'DT')]
    const found = await lookUpRatings(ports, wanted, 'background')
    expect(platform.ratingCalls).toEqual(['1 base DT', '1 base HDDT', '2 base DT'])
    expect(found.known.get('1 base HDDT')).toEqual({ value: { stars: 6.5 }, isOld: false })
    expect(found).toMatchObject({ failed: new Set(), answered: 3, error: null })
    platform.forgetCalls()
    expect((await lookUpRatings(ports, wanted, 'background')).known.size).toBe(3)
    expect(platform.calls).toBe(0)
  })

  it('ratings count for 30 days; that there is none for an hour, then a day, then a week (D-93)', async () => {
    const { ports, platform, clock } = statsRig()
    platform.ratings.set('1 base DT', 'refused')
    await lookUpRatings(ports, keys(2), 'background')
    for (const hours of [1, 24, 7 * 24, 7 * 24]) {
      for (const [wait, calls] of [
        [hours * HOUR - 1, []],
        [1, ['1 base DT']],
      ] as const) {
        clock.advance(wait)
        platform.forgetCalls()
        await lookUpRatings(ports, keys(2), 'background')
        expect(platform.ratingCalls).toEqual(calls)
      }
    }
    clock.advance(30 * 24 * HOUR)
    platform.forgetCalls()
    await lookUpRatings(ports, keys(2), 'background')
    expect(platform.ratingCalls).toEqual(['1 base DT', '2 base DT'])
  })

  it('0 of a beatmap that has stars is no rating; of one that has none yet, it is asked for each hour (D-93)', async () => {
    const { ports, platform, clock, beatmapCache } = statsRig()
    await beatmapCache.keepBeatmaps([aBeatmap(1), aBeatmap(2, { stars: 0 })], [], clock.now())
    for (const id of [1, 2]) platform.ratings.set(`${id} base DT`, { stars: 0 })
    const { known, againAt } = await lookUpRatings(ports, keys(2), 'background')
    expect([...known.values()]).toEqual([
      { value: 'refused', isOld: false },
      { value: { stars: 0 }, isOld: false },
    ])
    expect([...againAt.values()]).toEqual([clock.now() + HOUR, clock.now() + HOUR])
    clock.advance(HOUR)
    const later = await lookUpRatings(ports, keys(2), 'background')
    expect([...later.againAt.values()]).toEqual([clock.now() + 24 * HOUR, clock.now() + HOUR])
  })

  it('an old one is there when the platform is not', async () => {
    const { ports, platform, clock } = statsRig()
    await lookUpRatings(ports, keys(1), 'background')
    clock.advance(31 * 24 * HOUR)
    platform.fails = () => true
    const found = await lookUpRatings(ports, keys(1), 'background')
    expect(found.known.get('1 base DT')).toEqual({ value: { stars: 6.5 }, isOld: true })
    expect(found.failed).toEqual(new Set(['1 base DT']))
  })

  it('an error is never taken for refused', async () => {
    const { ports, platform, beatmapCache } = statsRig()
    platform.fails = () => true
    expect((await lookUpRatings(ports, keys(3), 'background')).known.size).toBe(0)
    expect(beatmapCache.ratings.size).toBe(0)
  })

  it('each answer is cached, whatever becomes of the others', async () => {
    const { ports, platform, beatmapCache } = statsRig()
    platform.fails = (what) => what !== '2 base DT'
    await lookUpRatings(ports, keys(3), 'background')
    expect([...beatmapCache.ratings.keys()]).toEqual(['2 base DT'])
  })

  it('stops when no calls are left, and says when to come back', async () => {
    const { ports, platform, clock } = statsRig()
    const found = await lookUpRatings(ports, keys(64), 'background')
    expect(platform.calls).toBe(40)
    expect(found.known.size).toBe(40)
    expect(found.error?.retryAt).toBe(clock.now() + 60_000)
  })

  it('asks last for what failed last', async () => {
    const { ports, platform, clock } = statsRig()
    const failures = new RecentFailures()
    platform.fails = () => true
    await lookUpRatings(ports, keys(2), 'background', { most: 2, failures })
    clock.advance(60_000)
    platform.forgetCalls()
    await lookUpRatings(ports, keys(4), 'background', { most: 2, failures })
    expect(platform.ratingCalls).toEqual(['3 base DT', '4 base DT'])
  })
})

describe('lookUpUses', () => {
  it('asks for old ratings only with the calls that unknown ones leave', async () => {
    const anyKnown = fc.array(fc.boolean(), { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(anyKnown, fc.integer({ min: 1, max: 5 }), async (known, ratingCalls) => {
        const { ports, platform, clock, beatmapCache } = statsRig()
        const uses = known.map((_, at) => ({ beatmapId: at + 1, forced: ['DT'] as const }))
        const old = keys(known.length).filter((_, at) => known[at])
        await lookUpRatings(ports, old, 'background')
        clock.advance(31 * 24 * HOUR)
        const ids = uses.map(({ beatmapId }) => beatmapId)
        await beatmapCache.keepBeatmaps(
          ids.map((id) => aBeatmap(id)),
          [],
          clock.now(),
        )
        platform.forgetCalls()
        const failures = new RecentFailures()
        const limits = { beatmapCalls: 1, ratingCalls, failures, sharedBy: '' }
        await lookUpUses(ports, ids, uses, 'background', limits)
        const inTurn = [...ids.filter((_, at) => !known[at]), ...ids.filter((_, at) => known[at])]
        expect(platform.ratingCalls).toEqual(
          inTurn.slice(0, ratingCalls).map((id) => `${id} base DT`),
        )
      }),
      { numRuns: 30 },
    )
  })
})

describe('RecentFailures', () => {
  it('remembers no more than 10,000', () => {
    const failures = new RecentFailures()
    for (let id = 0; id <= 10_000; id++) failures.note(id, 0)
    expect(failures.choose([0, 1, 10_000], (id) => id, 1)).toEqual([0])
  })
})
