import { describe, expect, it } from 'vitest'
import { PlatformError } from '../../src/domain/platform.ts'
import { lookUpBeatmaps, readAfterAsking, RecentFailures } from '../../src/operations/beatmaps.ts'
import { aBeatmap } from '../support/a-beatmap.ts'
import { statsRig } from '../support/stats-rig.ts'

const DAY = 86_400_000
const ids = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1)

describe('lookUpBeatmaps', () => {
  it('asks for what is not cached, by 50, each id once', async () => {
    const { ports, platform } = statsRig()
    const found = await lookUpBeatmaps(ports, [...ids(120), ...ids(120)], 'visitor')
    expect(platform.beatmapCalls.map((asked) => asked.length)).toEqual([50, 50, 20])
    expect(found.known.size).toBe(120)
    expect(found.known.get(7)).toEqual({ value: aBeatmap(7), isOld: false })
    expect(found).toMatchObject({ failed: new Set(), answered: 3, error: null })
  })

  it('asks nothing when all is cached, and reads the cache once', async () => {
    const { ports, platform, beatmapCache } = statsRig()
    await lookUpBeatmaps(ports, ids(120), 'visitor')
    platform.forgetCalls()
    beatmapCache.readings = 0
    const found = await lookUpBeatmaps(ports, ids(120), 'visitor')
    expect(platform.calls).toBe(0)
    expect(beatmapCache.readings).toBe(1)
    expect(found.known.size).toBe(120)
  })

  it('what is missing from an answer is gone, and is cached as that', async () => {
    const { ports, platform } = statsRig()
    platform.beatmaps.set(2, 'gone')
    const found = await lookUpBeatmaps(ports, [1, 2], 'background')
    expect(found.known.get(2)).toEqual({ value: 'gone', isOld: false })
    await lookUpBeatmaps(ports, [2], 'background')
    expect(platform.calls).toBe(1)
  })

  it('a beatmap that was not asked for is not taken', async () => {
    const { ports, beatmapCache } = statsRig()
    const platform = { readBeatmaps: async () => [aBeatmap(1), aBeatmap(99)] }
    const found = await lookUpBeatmaps({ ...ports, platform }, [1], 'background')
    expect([...found.known.keys()]).toEqual([1])
    expect(beatmapCache.beatmaps.has(99)).toBe(false)
  })

  it('what is a day old is asked for again, and is there when the platform is not', async () => {
    const { ports, platform, clock } = statsRig()
    await lookUpBeatmaps(ports, [1], 'background')
    clock.advance(DAY)
    platform.fails = () => true
    const found = await lookUpBeatmaps(ports, [1], 'background')
    expect(found.known.get(1)).toEqual({ value: aBeatmap(1), isOld: true })
    expect(found.failed).toEqual(new Set([1]))
    expect(found.error?.message).toBe('not JSON')
    platform.fails = () => false
    expect((await lookUpBeatmaps(ports, [1], 'background')).known.get(1)?.isOld).toBe(false)
  })

  it('many that the platform gave no answer for at all are not asked for in parts (D-92)', async () => {
    const { ports } = statsRig()
    const asked: (readonly number[])[] = []
    const platform = {
      readBeatmaps: async (ids: readonly number[]) => {
        asked.push(ids)
        throw new PlatformError('the connection failed')
      },
    }
    const ids = Array.from({ length: 8 }, (_, at) => at + 1)
    const found = await lookUpBeatmaps({ ...ports, platform }, ids, 'background')
    expect(asked).toEqual([ids])
    expect(found.failed).toEqual(new Set(ids))
  })

  it('an error is never taken for gone', async () => {
    const { ports, platform, beatmapCache } = statsRig()
    platform.fails = () => true
    const found = await lookUpBeatmaps(ports, ids(10), 'background')
    expect(found.known.size).toBe(0)
    expect(beatmapCache.beatmaps.size).toBe(0)
  })

  it('what one call brought is cached, whatever becomes of the next', async () => {
    const { ports, platform, beatmapCache } = statsRig()
    platform.fails = (id) => id === 120
    const found = await lookUpBeatmaps(ports, ids(120), 'visitor')
    expect(beatmapCache.beatmaps.size).toBe(100)
    expect([...found.failed]).toEqual(ids(120).slice(100))
  })

  it('somebody who waits is not made to wait while it is found out which row is bad', async () => {
    const { ports, platform } = statsRig()
    platform.fails = (id) => id === 3
    await lookUpBeatmaps(ports, ids(20), 'visitor')
    expect(platform.calls).toBe(1)
  })

  it('the background finds it out', async () => {
    const { ports, platform } = statsRig()
    platform.fails = (id) => id === 3
    const found = await lookUpBeatmaps(ports, ids(20), 'background')
    expect(found.failed).toEqual(new Set([3]))
    expect(found.known.size).toBe(19)
  })

  it('a platform that does not answer at all is asked three times at most', async () => {
    const { ports, platform } = statsRig()
    platform.fails = () => true
    await lookUpBeatmaps(ports, ids(20), 'background')
    expect(platform.calls).toBe(3)
  })

  it('an answer among silences lets it go on', async () => {
    const { ports, platform } = statsRig()
    // Four calls at once: of five times that, the first, third and fifth stay without any answer.
    platform.fails = (id) => Math.floor((Number(id) - 1) / 200) % 2 === 0
    const found = await lookUpBeatmaps(ports, ids(1000), 'background', { most: 20 })
    expect(platform.calls).toBe(20)
    expect(found.known.size).toBe(400)
  })

  it('when no calls are left it stops, and says when to come back', async () => {
    const { ports, platform, callBudget, clock } = statsRig()
    for (let calls = 0; calls < 50; calls++) await callBudget.take('background', clock.now())
    const found = await lookUpBeatmaps(ports, ids(200), 'background')
    expect(platform.calls).toBe(0)
    expect(found.error?.retryAt).toBe(clock.now() + 60_000)
  })

  it('puts at most so many calls as it is told', async () => {
    const { ports, platform } = statsRig()
    const found = await lookUpBeatmaps(ports, ids(400), 'background', { most: 3 })
    expect(platform.calls).toBe(3)
    expect(found).toMatchObject({ error: null, failed: new Set() })
    expect(found.known.size).toBe(150)
  })

  it('does not ask at once for what failed a moment ago, when it is told to remember', async () => {
    const { ports, platform, clock } = statsRig()
    const failures = new RecentFailures()
    platform.fails = () => true
    await lookUpBeatmaps(ports, [1], 'background', { failures })
    platform.forgetCalls()
    const found = await lookUpBeatmaps(ports, [1, 2], 'background', { failures })
    expect(platform.beatmapCalls.flat()).not.toContain(1)
    expect(found.failed).toEqual(new Set([1, 2]))
    clock.advance(60_000)
    platform.fails = () => false
    expect((await lookUpBeatmaps(ports, [1, 2], 'background', { failures })).known.size).toBe(2)
  })

  it('whatever else goes wrong is thrown', async () => {
    const { ports } = statsRig()
    const platform = { readBeatmaps: () => Promise.reject(new TypeError('a bug')) }
    await expect(lookUpBeatmaps({ ...ports, platform }, [1], 'visitor')).rejects.toThrow('a bug')
  })
})

describe('what is cached of a use', () => {
  const old = { value: 'gone', isOld: true } as const
  const fresh = { value: 'gone', isOld: false } as const

  it.each([
    ['a fresh beatmap alone', fresh, null, 0],
    ['a fresh beatmap and rating', fresh, fresh, 0],
    ['an old beatmap alone', old, null, 1],
    ['an old beatmap with a fresh rating', old, fresh, 1],
    ['a fresh beatmap with an old rating', fresh, old, 1],
    ['nothing', null, null, 0],
  ])(
    'of %s, is returned at once, and asked for anew if a part is old',
    async (_, beatmap, rating, asks) => {
      const known = [{ beatmap, ratingKey: null, rating }] as never
      let asked = 0
      const ask = async () => {
        asked += 1
      }
      const found = await readAfterAsking(
        async () => known,
        () => false,
        ask,
        async () => {},
      )
      expect(found).toEqual({ known, asked: null })
      expect(asked).toBe(asks)
    },
  )
})
