import { describe, expect, it } from 'vitest'
import { PlatformError } from '../../src/domain/platform.ts'
import { createStatsRun } from '../../src/worker/stats.ts'
import { slotsOf, statsRig } from '../support/stats-rig.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

describe('the platform is away', () => {
  it('stats say what is known without it, incomplete; nothing is taken for gone', async () => {
    const rig = statsRig()
    rig.platform.fails = () => true
    const slug = rig.save([...slotsOf('NM', 5, 1), ...slotsOf('DT', 5, 6)])
    await rig.work()
    expect(rig.statsOf(slug)).toMatchObject({
      srAvg: null,
      lenMin: null,
      mods: ['NM', 'DT'],
      modes: [],
      count: 10,
      complete: false,
    })
    expect(rig.beatmapCache.beatmaps.size).toBe(0)
  })

  it('it is asked again after 1, 2, 4, 8, 16 … minutes, and all converges when it is back', async () => {
    const rig = statsRig()
    rig.platform.fails = () => true
    const start = rig.clock.now()
    const slug = rig.save([...slotsOf('NM', 5, 1), ...slotsOf('DT', 5, 6)])
    const moments: number[] = []
    rig.platform.meanwhile = () => void moments.push((rig.clock.now() - start) / MINUTE)
    await rig.workFor(5 * HOUR)
    expect([...new Set(moments)]).toEqual([0, 1, 2, 4, 8, 16, 32, 64, 128, 256])

    rig.platform.fails = () => false
    await rig.workFor(5 * HOUR)
    expect(rig.statsOf(slug)).toMatchObject({ srAvg: 5.75, complete: true })
    expect(rig.callBudget.busiestMinute()).toBeLessThanOrEqual(50)
  })

  it('old rows and ratings are used meanwhile, incomplete', async () => {
    const rig = statsRig()
    rig.save(slotsOf('DT', 2, 1))
    await rig.work()
    rig.clock.advance(31 * DAY)
    rig.platform.fails = () => true
    const slug = rig.save(slotsOf('DT', 2, 1))
    await rig.work()
    expect(rig.statsOf(slug)).toMatchObject({ srAvg: 6.5, lenMin: 80, complete: false })
  })

  it('complete stats of the same slots are kept until there are better ones', async () => {
    const rig = statsRig()
    const slug = rig.save(slotsOf('DT', 2, 1))
    await rig.work()
    rig.clock.advance(2 * DAY)
    rig.platform.fails = () => true
    const { pack } = rig.statsWork.row(slug)
    rig.statsWork.save({ ...pack, updatedAt: rig.clock.now() }, rig.clock.now())
    await rig.work()
    expect(rig.statsOf(slug)).toEqual(pack.stats)
    rig.platform.fails = () => false
    await rig.workFor(MINUTE)
    expect(rig.statsOf(slug)?.complete).toBe(true)
    expect(rig.statsOf(slug)?.computedAt).not.toBe(pack.stats?.computedAt)
  })

  it('a pack that needs no call has its stats while others wait', async () => {
    const rig = statsRig()
    rig.save(slotsOf('NM', 5, 1))
    await rig.work()
    rig.platform.fails = () => true
    for (let at = 0; at < 40; at++) rig.save(slotsOf('NM', 5, 100 + at * 5))
    const slug = rig.save(slotsOf('NM', 5, 1))
    await rig.work()
    expect(rig.statsOf(slug)?.complete).toBe(true)
  })

  it('many packs together put few questions to it', async () => {
    const rig = statsRig()
    rig.platform.fails = () => true
    for (let at = 0; at < 200; at++) rig.save(slotsOf('NM', 20, 1 + at * 20))
    await rig.work()
    expect(rig.platform.calls).toBeLessThan(15)
  })

  it('after 30 days it is asked no more', async () => {
    const rig = statsRig()
    rig.platform.fails = () => true
    const slug = rig.save(slotsOf('NM', 1, 1))
    await rig.workFor(29 * DAY)
    expect(rig.statsWork.row(slug).dueAt).not.toBeNull()
    await rig.workFor(2 * DAY)
    expect(rig.statsWork.row(slug).dueAt).toBeNull()
    expect(rig.statsOf(slug)?.complete).toBe(false)
  })

  it('the log tells it once a minute', async () => {
    const rig = statsRig()
    rig.platform.fails = () => true
    for (let at = 0; at < 40; at++) rig.save(slotsOf('NM', 5, 1 + at * 5))
    await rig.work()
    expect(rig.said).toEqual([expect.stringMatching(/^warn .*not JSON/)])
    await rig.workFor(MINUTE)
    expect(rig.said).toHaveLength(2)
  })

  it('it says when to come back: then, and no attempt is counted', async () => {
    const rig = statsRig()
    const back = rig.clock.now() + 90_000
    rig.platform.meanwhile = () => {
      if (rig.clock.now() < back) throw new PlatformError('429', back)
    }
    const slug = rig.save(slotsOf('NM', 5, 1))
    await rig.work()
    expect(rig.statsWork.row(slug)).toMatchObject({ dueAt: back, attempts: 0 })
    await rig.workFor(90_000)
    expect(rig.statsOf(slug)?.complete).toBe(true)
    expect(rig.platform.calls).toBe(2)
    expect(rig.said).toEqual([expect.stringMatching(/^warn the platform does not answer.*429/)])
  })
})

describe('the platform cannot answer for some', () => {
  it.each([1, 5, 20])('%d ratings that fail keep none of the others waiting', async (bad) => {
    const rig = statsRig()
    rig.platform.fails = (what) => typeof what === 'string' && Number.parseInt(what, 10) <= bad
    const slug = rig.save(slotsOf('DT', 30, 1))
    await rig.workFor(20 * MINUTE)
    expect(rig.beatmapCache.ratings.size).toBe(30 - bad)
    expect(rig.statsOf(slug)).toMatchObject({ srAvg: 6.5, complete: false })
    rig.platform.fails = () => false
    await rig.workFor(HOUR)
    expect(rig.statsOf(slug)?.complete).toBe(true)
  })

  it('one rating that fails costs one call in an attempt', async () => {
    const rig = statsRig()
    rig.platform.fails = (what) => what === '1 base DT'
    rig.save(slotsOf('DT', 30, 1))
    await rig.work()
    expect(rig.platform.ratingCalls).toHaveLength(30)
  })

  it('one row that cannot be read hides no other, in the first round already', async () => {
    const rig = statsRig()
    rig.platform.fails = (what) => what === 13
    const slug = rig.save(slotsOf('NM', 24, 1))
    await rig.turn()
    expect(rig.beatmapCache.beatmaps.size).toBeGreaterThanOrEqual(21)
    await rig.workFor(2 * MINUTE)
    expect(rig.beatmapCache.beatmaps.size).toBe(23)
    expect(rig.statsOf(slug)).toMatchObject({ srAvg: 5, complete: false })
    rig.platform.fails = () => false
    await rig.workFor(HOUR)
    expect(rig.statsOf(slug)?.complete).toBe(true)
  })

  it('beatmaps come while ratings are down', async () => {
    const rig = statsRig()
    rig.platform.fails = (what) => typeof what === 'string'
    for (let at = 0; at < 5; at++) rig.save(slotsOf('DT', 10, 1 + at * 10))
    await rig.work()
    const slug = rig.save(slotsOf('NM', 10, 1000))
    await rig.work()
    expect(rig.statsOf(slug)?.complete).toBe(true)
  })

  it('D-35: a refused rating counts plain and complete, and is remembered for an hour', async () => {
    const rig = statsRig()
    rig.platform.ratings.set('1 base DT', 'refused')
    const slug = rig.save(slotsOf('DT', 1, 1))
    await rig.work()
    expect(rig.statsOf(slug)).toMatchObject({ srAvg: 5, complete: true })
    rig.save(slotsOf('DT', 1, 1))
    await rig.work()
    expect(rig.platform.ratingCalls).toHaveLength(1)
    rig.clock.advance(HOUR)
    rig.save(slotsOf('DT', 1, 1))
    await rig.work()
    expect(rig.platform.ratingCalls).toHaveLength(2)
  })

  it('spec 2.6 rule 3: a gone beatmap is left out, complete, and remembered for a day', async () => {
    const rig = statsRig()
    rig.platform.beatmaps.set(2, 'gone')
    const slug = rig.save(slotsOf('DT', 2, 1))
    await rig.work()
    expect(rig.statsOf(slug)).toMatchObject({ srAvg: 6.5, count: 2, complete: true })
    expect(rig.platform.ratingCalls).toEqual(['1 base DT'])
    rig.save(slotsOf('NM', 2, 1))
    await rig.work()
    expect(rig.platform.beatmapCalls).toHaveLength(1)
  })
})

describe('something happens meanwhile', () => {
  it('D-37: the pack is saved anew: nothing of the old one is written, the new one is computed', async () => {
    const rig = statsRig()
    const slug = rig.save(slotsOf('NM', 5, 1))
    rig.platform.meanwhile = () => {
      rig.platform.meanwhile = () => {}
      const { pack } = rig.statsWork.row(slug)
      const updatedAt = pack.updatedAt + 1
      rig.statsWork.save({ ...pack, slots: slotsOf('HD', 7, 20), updatedAt }, rig.clock.now())
    }
    await rig.turn()
    expect(rig.statsOf(slug)).toBeNull()
    await rig.work()
    expect(rig.statsOf(slug)).toMatchObject({ mods: ['HD'], count: 7, complete: true })
  })

  it('the process is killed between look-up and write: another one finishes, without a call', async () => {
    const rig = statsRig()
    const slug = rig.save(slotsOf('NM', 5, 1))
    rig.statsWork.finish = () => new Promise(() => {})
    void rig.turn()
    await expect.poll(() => rig.beatmapCache.beatmaps.size).toBe(5)
    Reflect.deleteProperty(rig.statsWork, 'finish')

    expect(await rig.work()).toBe(0)
    rig.clock.advance(MINUTE)
    expect(await rig.work()).toBe(1)
    expect(rig.statsOf(slug)?.complete).toBe(true)
    expect(rig.platform.calls).toBe(1)
  })

  it('the process is killed while it waits for the platform: its packs are done again', async () => {
    const rig = statsRig()
    const slug = rig.save(slotsOf('NM', 5, 1))
    rig.platform.meanwhile = () => new Promise(() => {})
    void rig.turn()
    await expect.poll(() => rig.platform.calls).toBe(1)
    rig.platform.meanwhile = () => {}
    await rig.workFor(MINUTE)
    expect(rig.statsOf(slug)?.complete).toBe(true)
  })

  it('the platform is slow: no call begins so late that the lease could end before it', async () => {
    const rig = statsRig()
    for (let at = 0; at < 8; at++) rig.save(slotsOf('NM', 50, 1 + at * 50))
    const start = rig.clock.now()
    const begun: number[] = []
    rig.platform.meanwhile = () => {
      begun.push(rig.clock.now() - start)
      rig.clock.advance(6_000)
    }
    await rig.turn()
    expect(Math.max(...begun)).toBeLessThan(20_000)
    rig.platform.meanwhile = () => {}
    await rig.workFor(MINUTE)
    expect(rig.beatmapCache.beatmaps.size).toBe(400)
  })

  it('two processes take different packs', async () => {
    const rig = statsRig()
    for (let at = 0; at < 32; at++) rig.save(slotsOf('NM', 2, 1))
    const other = createStatsRun(rig.ports, rig.log)
    const [ours, theirs] = await Promise.all([rig.turn(), other()])
    expect(Math.min(ours, theirs)).toBeGreaterThan(0)
    expect(new Set(rig.statsWork.settled).size).toBe(ours + theirs)
  })

  it('a pack that breaks the calculation is set aside, and the others have their stats', async () => {
    const rig = statsRig()
    const slugs = [1, 2, 3].map((id) => rig.save(slotsOf('NM', 1, id)))
    const broken = rig.save([])
    const { pack } = rig.statsWork.row(broken)
    rig.statsWork.save({ ...pack, slots: null as never }, rig.clock.now())
    await rig.work()
    for (const slug of slugs) expect(rig.statsOf(slug)?.complete).toBe(true)
    expect(rig.statsWork.row(broken).dueAt).toBe(rig.clock.now() + MINUTE)
    expect(rig.said).toEqual([expect.stringContaining(`"slug":"${broken}"`)])
  })

  it('a visitor asks for pages: the background goes on with its share', async () => {
    const rig = statsRig()
    for (let calls = 0; calls < 30; calls++) await rig.callBudget.take('visitor', rig.clock.now())
    const slug = rig.save(slotsOf('DT', 40, 1))
    await rig.workFor(5 * MINUTE)
    expect(rig.statsOf(slug)?.complete).toBe(true)
    expect(rig.callBudget.busiestMinute()).toBeLessThanOrEqual(50)
  })
})
