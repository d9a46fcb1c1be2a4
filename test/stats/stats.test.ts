import { describe, expect, it } from 'vitest'
import { HOUR, MINUTE, statsHouse } from './stats-house.ts'

/** `count` slots of one bucket. */
const many = (mod: string, count: number, firstId: number): string[] =>
  Array.from({ length: count }, (_, at) => `${mod}${at + 1} ${firstId + at}`)

describe('stats of a saved pack, over the platform’s wire and in the store', () => {
  it('come out to the digit (spec 2.6, D-32)', async () => {
    const { save, work, statsOf, standin } = await statsHouse()
    const slug = await save(['NM1 129891', 'DT1 75'])
    await work()
    expect(await statsOf(slug)).toEqual({
      srMin: 3.61,
      srMax: 7.81,
      srAvg: 5.71,
      lenMin: 95,
      lenMax: 258,
      bpmMin: 180,
      bpmMax: 222,
      mods: ['NM', 'DT'],
      modes: ['base'],
      count: 2,
      complete: true,
      computedAt: new Date(standin.time.now).toISOString(),
    })
  })

  it('never move updatedAt (D-37)', async () => {
    const { save, work, packOf, standin } = await statsHouse()
    const slug = await save(['NM1 129891'])
    const before = await packOf(slug)
    standin.time.now += 5_000
    await work()
    expect(await packOf(slug)).toEqual({ ...before, stats: expect.anything() })
  })

  it('24 maps without forced mods cost one call, and none once the rows are known', async () => {
    const { save, work, statsOf, calls } = await statsHouse()
    const slots = many('NM', 24, 1_000)
    const first = await save(slots)
    await work()
    expect(await calls()).toMatchObject({ token: 1, beatmaps: 1, attributes: 0 })
    const second = await save(slots)
    await work()
    expect(await calls()).toMatchObject({ token: 1, beatmaps: 1, attributes: 0 })
    expect(await statsOf(second)).toEqual(await statsOf(first))
  })

  it('64 maps under DT: incomplete at once, complete within 2 minutes, a second pack for nothing', async () => {
    const { save, work, workFor, statsOf, calls } = await statsHouse()
    const slots = many('DT', 64, 2_000)
    const slug = await save(slots)
    await work()
    expect(await statsOf(slug)).toMatchObject({
      count: 64,
      complete: false,
      lenMin: expect.any(Number),
    })
    await workFor(2 * MINUTE)
    expect(await statsOf(slug)).toMatchObject({ count: 64, complete: true })
    const { total, busiestMinute } = await calls()
    expect(busiestMinute).toBeLessThanOrEqual(50)
    const second = await save(slots)
    await work()
    expect(await statsOf(second)).toMatchObject({ complete: true })
    expect((await calls()).total).toBe(total)
  })

  it('a pack is not kept waiting behind one that needs many calls', async () => {
    const { save, work, workFor, statsOf } = await statsHouse()
    await save(many('DT', 64, 3_000))
    await workFor(30_000)
    const slug = await save(['NM1 129891'])
    await work()
    expect(await statsOf(slug)).toMatchObject({ srMin: 7.81, complete: true })
  })

  it('are computed from what is still unknown alone after a save that adds one map', async () => {
    const { save, work, packOf, stores, statsOf, calls, standin } = await statsHouse()
    const slug = await save(['NM1 129891'])
    await work()
    const { total } = await calls()
    standin.time.now += HOUR
    const { slots } = await packOf(slug)
    await stores.packs.replace(slug, 'owner', (pack) => ({
      ...pack,
      slots: [...slots, { mod: 'NM', index: 2, beatmapId: 75 }],
      stats: null,
      updatedAt: standin.time.now,
    }))
    await work()
    expect(await statsOf(slug)).toMatchObject({ srMin: 2.55, srMax: 7.81, count: 2 })
    const after = await calls()
    expect(after.total).toBe(total + 1)
    expect(after.calls.at(-1)?.ids).toEqual([75])
  })
})
