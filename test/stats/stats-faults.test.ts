import { describe, expect, it } from 'vitest'
import { until } from '../support/until.ts'
import { HOUR, MINUTE, statsHouse } from './stats-house.ts'

const SLOTS = ['NM1 129891', 'DT1 75']
const WHOLE = { srMin: 3.61, srMax: 7.81, srAvg: 5.71, count: 2, complete: true }
const NOTHING = { srMin: null, srMax: null, lenMin: null, bpmMin: null, modes: [], complete: false }

/** What is not an answer must never count as one, whichever call it meets. */
const faults: [string, Record<string, unknown>][] = [
  ['no answer in time', { fault: 'silence' }],
  ['an answer that stops half way', { fault: 'stall' }],
  ['a connection that breaks', { fault: 'reset' }],
  ['429 without Retry-After', { fault: 'throttled' }],
  ['429 with Retry-After', { fault: 'throttled', retryAfter: 30 }],
  ['500 {"error":null}', { fault: 'down' }],
  ['truncated JSON', { fault: 'truncated' }],
  ['wrong types', { fault: 'wrong-types' }],
  ['a page instead of JSON', { fault: 'html' }],
]

describe.each(faults)('%s', (_name, fault) => {
  it('for the rows: nothing is known, nothing is gone, and all is there when it is over', async () => {
    const house = await statsHouse(fault)
    await house.fail({ ...fault, kind: 'beatmaps' })
    const slug = await house.save(SLOTS)
    await house.work()
    expect(await house.statsOf(slug)).toMatchObject({ ...NOTHING, mods: ['NM', 'DT'], count: 2 })
    expect(await house.stores.beatmapCache.readBeatmaps([129891, 75])).toEqual(new Map())
    await house.heal()
    await house.workFor(5 * MINUTE)
    expect(await house.statsOf(slug)).toMatchObject(WHOLE)
    expect((await house.calls()).busiestMinute).toBeLessThanOrEqual(50)
  })

  it('for a rating: the map is left out of the stars alone, and comes in later (D-35)', async () => {
    const house = await statsHouse(fault)
    await house.fail({ ...fault, kind: 'attributes' })
    const slug = await house.save(SLOTS)
    await house.work()
    expect(await house.statsOf(slug)).toMatchObject({
      srMin: 7.81,
      srMax: 7.81,
      srAvg: 7.81,
      lenMin: 95,
      bpmMin: 180,
      count: 2,
      complete: false,
    })
    await house.heal()
    await house.workFor(5 * MINUTE)
    expect(await house.statsOf(slug)).toMatchObject(WHOLE)
    expect((await house.calls()).busiestMinute).toBeLessThanOrEqual(50)
  })

  it('for the token: as if the platform were not there', async () => {
    const house = await statsHouse(fault)
    await house.fail({ ...fault, kind: 'token' })
    const slug = await house.save(SLOTS)
    await house.work()
    expect(await house.statsOf(slug)).toMatchObject(NOTHING)
    await house.heal()
    await house.workFor(5 * MINUTE)
    expect(await house.statsOf(slug)).toMatchObject(WHOLE)
  })
})

describe('the platform', () => {
  it('lets no token work any more: a new one is taken, and nothing is lost', async () => {
    const house = await statsHouse()
    await house.save(['NM1 1'])
    await house.work()
    await house.standin.post('/standin/tokens/expire', {})
    const slug = await house.save(SLOTS)
    await house.work()
    expect(await house.statsOf(slug)).toMatchObject(WHOLE)
  })

  it('says Retry-After: no call before, whoever asks', async () => {
    const house = await statsHouse()
    await house.fail({ fault: 'throttled', retryAfter: 40, times: 1 })
    const slug = await house.save(SLOTS)
    await house.workFor(39_000)
    expect((await house.calls()).total).toBe(1)
    const other = await house.startWorker()
    await house.save(['NM1 5'])
    await house.work(other)
    expect((await house.calls()).total).toBe(1)
    await house.workFor(MINUTE)
    expect(await house.statsOf(slug)).toMatchObject(WHOLE)
  })

  it('has no beatmap of an id: it is left out of the numbers and stays complete (spec 2.6 rule 3, D-33)', async () => {
    const house = await statsHouse()
    await house.standin.post('/standin/gone', { ids: [75] })
    const slug = await house.save([...SLOTS, 'HR1 10000000'])
    await house.work()
    expect(await house.statsOf(slug)).toMatchObject({
      srMin: 7.81,
      srMax: 7.81,
      lenMin: 258,
      lenMax: 258,
      mods: ['NM', 'HR', 'DT'],
      count: 3,
      complete: true,
    })
  })

  it('answers 404 for a rating of a beatmap that its rows have: gone since', async () => {
    const house = await statsHouse()
    await house.fail({ fault: 'missing', kind: 'attributes' })
    const slug = await house.save(SLOTS)
    await house.work()
    expect(await house.statsOf(slug)).toMatchObject({ count: 2, complete: true })
  })

  it('refuses a rating: the plain one counts, and it is complete (D-35)', async () => {
    const house = await statsHouse()
    await house.fail({ fault: 'refused', kind: 'attributes' })
    const slug = await house.save(SLOTS)
    await house.work()
    expect(await house.statsOf(slug)).toMatchObject({ srMin: 2.55, srMax: 7.81, complete: true })
  })

  it('is away for hours: asked again ever more seldom, all converges when it is back', async () => {
    const house = await statsHouse()
    await house.fail({ fault: 'down' })
    const slugs = [await house.save(SLOTS), await house.save(['NM1 7', 'FL1 75'])]
    await house.workFor(3 * HOUR)
    for (const slug of slugs) expect(await house.statsOf(slug)).toMatchObject(NOTHING)
    const { total } = await house.calls()
    expect(total).toBeLessThan(60)
    await house.heal()
    await house.workFor(4 * HOUR)
    for (const slug of slugs) expect(await house.statsOf(slug)).toMatchObject({ complete: true })
    expect(await house.statsOf(slugs[0]!)).toMatchObject(WHOLE)
    const backlog = { length: 0, oldestDueAt: null, total: 0 }
    expect(await house.stores.statsWork.backlog(house.standin.time.now)).toEqual(backlog)
  })

  it('is away when another process asks again: what is known of a private pack stays (D-35)', async () => {
    const house = await statsHouse()
    const slug = await house.save(SLOTS, { visibility: 'private' })
    await house.fail({ fault: 'down', kind: 'attributes' })
    await house.work()
    const known = await house.statsOf(slug)
    expect(known).toMatchObject({ srMin: 7.81, lenMin: 95, complete: false })
    await house.fail({ fault: 'down' })
    await house.workFor(HOUR, await house.startWorker())
    expect(await house.statsOf(slug)).toEqual(known)
    await house.heal()
    await house.workFor(4 * HOUR)
    expect(await house.statsOf(slug)).toMatchObject(WHOLE)
  })

  it('never meets more than 50 calls in 60 seconds, with three processes at work', async () => {
    const house = await statsHouse()
    const workers = [await house.startWorker(), await house.startWorker()]
    const slugs: string[] = []
    for (let pack = 0; pack < 3; pack++) {
      const slots = Array.from({ length: 40 }, (_, at) => `DT${at + 1} ${5_000 + pack * 40 + at}`)
      slugs.push(await house.save(slots))
    }
    for (let round = 0; round < 300; round++) {
      await Promise.all([house.work(), ...workers.map((worker) => house.work(worker))])
      house.standin.time.now += 1_000
    }
    for (const slug of slugs) expect(await house.statsOf(slug)).toMatchObject({ complete: true })
    const { busiestMinute, attributes } = await house.calls()
    expect(attributes).toBe(120)
    expect(busiestMinute).toBeLessThanOrEqual(50)
  })
})

describe('a process that dies between look-up and write', () => {
  it('leaves its pack to another as soon as its lease ends, and what it looked up', async () => {
    const house = await statsHouse()
    const doomed = await house.startWorker()
    doomed.ports.statsWork.finish = () => new Promise(() => {})
    const slug = await house.save(SLOTS)
    void doomed.turn()
    const { beatmapCache } = house.stores
    await until(async () => (await beatmapCache.readBeatmaps([129891, 75])).size === 2)
    await house.work()
    expect(await house.statsOf(slug)).toBeNull()
    await house.workFor(MINUTE)
    expect(await house.statsOf(slug)).toMatchObject(WHOLE)
    expect((await house.calls()).beatmaps, 'what it looked up is kept').toBe(1)
  })
})
