import { describe, expect, it } from 'vitest'
import { slotsOf, statsRig } from '../support/stats-rig.ts'

const MINUTE = 60_000

describe('24 beatmaps without forced mods', () => {
  it('one call, and the stats are complete', async () => {
    const rig = statsRig()
    const slug = rig.save(slotsOf('NM', 24, 1))
    await rig.work()
    expect(rig.platform.beatmapCalls).toHaveLength(1)
    expect(rig.platform.ratingCalls).toHaveLength(0)
    expect(rig.statsOf(slug)).toMatchObject({ count: 24, srAvg: 5, complete: true })
    expect(rig.statsWork.row(slug)).toMatchObject({ dueAt: null, attempts: 0 })
  })

  it('no call when all rows are cached', async () => {
    const rig = statsRig()
    rig.save(slotsOf('NM', 24, 1))
    await rig.work()
    rig.platform.forgetCalls()
    const slug = rig.save(slotsOf('HD', 24, 1))
    await rig.work()
    expect(rig.platform.calls).toBe(0)
    expect(rig.statsOf(slug)?.complete).toBe(true)
  })

  it('rows count for a day, then they are asked for again', async () => {
    const rig = statsRig()
    rig.save(slotsOf('NM', 24, 1))
    await rig.work()
    rig.platform.forgetCalls()
    rig.clock.advance(24 * 60 * MINUTE)
    const slug = rig.save(slotsOf('NM', 24, 1))
    await rig.work()
    expect(rig.platform.beatmapCalls).toHaveLength(1)
    expect(rig.statsOf(slug)?.complete).toBe(true)
  })

  it('only what is missing is asked for, each beatmap once', async () => {
    const rig = statsRig()
    rig.save(slotsOf('NM', 10, 1))
    await rig.work()
    rig.save([...slotsOf('NM', 12, 1), ...slotsOf('HD', 3, 12)])
    await rig.work()
    expect(rig.platform.beatmapCalls[1]).toEqual([11, 12, 13, 14])
  })

  it('several packs share calls of 50', async () => {
    const rig = statsRig()
    for (let at = 0; at < 10; at++) rig.save(slotsOf('NM', 10, 1 + at * 10))
    await rig.work()
    expect(rig.platform.beatmapCalls.map((ids) => ids.length)).toEqual([50, 50])
  })
})

describe('64 beatmaps under DT', () => {
  it('first stats without ratings after the 2 calls for rows; D-35: length and BPM are there', async () => {
    const rig = statsRig()
    const slug = rig.save(slotsOf('DT', 64, 1))
    await rig.turn()
    expect(rig.platform.beatmapCalls.map((ids) => ids.length)).toEqual([50, 14])
    expect(rig.platform.ratingCalls).toHaveLength(0)
    expect(rig.statsOf(slug)).toMatchObject({
      srAvg: null,
      lenMin: 80,
      bpmMin: 270,
      count: 64,
      complete: false,
    })
  })

  it('complete within 2 minutes at the budget, at 66 calls', async () => {
    const rig = statsRig()
    const slug = rig.save(slotsOf('DT', 64, 1))
    await rig.workFor(2 * MINUTE)
    expect(rig.statsOf(slug)).toMatchObject({ srAvg: 6.5, complete: true })
    expect(rig.platform.calls).toBe(66)
    expect(rig.callBudget.busiestMinute()).toBeLessThanOrEqual(50)
  })

  it('a second pack with the same beatmaps costs no call', async () => {
    const rig = statsRig()
    rig.save(slotsOf('DT', 64, 1))
    await rig.workFor(2 * MINUTE)
    rig.platform.forgetCalls()
    const slug = rig.save(slotsOf('DT', 64, 1))
    expect(await rig.work()).toBe(1)
    expect(rig.platform.calls).toBe(0)
    expect(rig.statsOf(slug)?.complete).toBe(true)
  })

  it('what came before a stop is not asked for again', async () => {
    const rig = statsRig()
    const slug = rig.save(slotsOf('DT', 64, 1))
    for (let turns = 0; turns < 5; turns++) await rig.turn()
    const before = rig.platform.ratingCalls.length
    expect(before).toBeGreaterThan(0)
    await rig.workFor(2 * MINUTE)
    expect(new Set(rig.platform.ratingCalls).size).toBe(64)
    expect(rig.platform.ratingCalls).toHaveLength(64)
    expect(rig.statsOf(slug)?.complete).toBe(true)
  })

  it('waiting for calls does not count as an attempt that failed', async () => {
    const rig = statsRig()
    const slug = rig.save(slotsOf('DT', 64, 1))
    await rig.work()
    const { dueAt, attempts } = rig.statsWork.row(slug)
    expect(attempts).toBe(0)
    expect(dueAt).toBe(rig.clock.now() + MINUTE)
  })
})

describe('who waits for whom', () => {
  it('a new pack gets stats at once while another uses up the calls for its ratings', async () => {
    const rig = statsRig()
    rig.save(slotsOf('DT', 64, 1))
    await rig.work()
    const small = rig.save(slotsOf('NM', 24, 1000))
    await rig.turn()
    expect(rig.statsOf(small)?.complete).toBe(true)
  })

  it('a huge pack and many small ones take turns', async () => {
    const rig = statsRig()
    const huge = rig.save(slotsOf('DT', 64, 1))
    await rig.turn()
    const small = Array.from({ length: 8 }, (_, at) => rig.save(slotsOf('DT', 1, 1000 + at)))
    await rig.work()
    for (const slug of small) expect(rig.statsOf(slug)?.complete).toBe(true)
    expect(rig.statsOf(huge)?.complete).toBe(false)
    await rig.workFor(2 * MINUTE)
    expect(rig.statsOf(huge)?.complete).toBe(true)
  })

  it('hundreds of packs that wait for ratings neither delay a new one nor keep the worker busy', async () => {
    const rig = statsRig()
    for (let at = 0; at < 300; at++) rig.save(slotsOf('HR', 8, 1))
    for (let at = 0; at < 300; at++) rig.save(slotsOf('DT', 20, 1 + at * 20))
    await rig.workFor(5 * MINUTE)
    rig.platform.forgetCalls()
    const settledBefore = rig.statsWork.settled.length
    const fresh = rig.save(slotsOf('NM', 24, 1))
    await rig.turn()
    await rig.turn()
    expect(rig.statsOf(fresh)?.complete).toBe(true)
    await rig.workFor(5 * MINUTE)
    const rounds = rig.statsWork.settled.length - settledBefore
    expect(rounds).toBeLessThan(5 * 300)
    expect(rig.platform.calls).toBeGreaterThan(5 * (40 - 6) - 10)
    expect(rig.callBudget.busiestMinute()).toBeLessThanOrEqual(50)
  })

  it('a pack that is recomputed leaves calls for new ones and keeps its stats meanwhile', async () => {
    const rig = statsRig()
    const old = Array.from({ length: 60 }, (_, at) => rig.save(slotsOf('NM', 50, 1 + at * 50)))
    await rig.workFor(10 * MINUTE)
    await rig.beatmapCache.expire(null)
    await rig.statsWork.markDue(null, rig.clock.now())
    await rig.work()
    expect(await rig.callBudget.left(rig.clock.now())).toBeGreaterThanOrEqual(7)
    for (const slug of old) expect(rig.statsOf(slug)?.complete).toBe(true)
    const fresh = rig.save(slotsOf('NM', 24, 100_000))
    await rig.turn()
    expect(rig.statsOf(fresh)?.complete).toBe(true)
  })

  it('every call is the background’s', async () => {
    const rig = statsRig()
    rig.save(slotsOf('DT', 3, 1))
    await rig.work()
    expect([...rig.platform.callers]).toEqual(['background'])
  })
})
