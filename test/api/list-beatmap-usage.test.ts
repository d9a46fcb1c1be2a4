import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { expectError } from '../support/door.ts'
import { openHouse } from '../support/house.ts'
import { holding, newBeatmap, takeOver, vanishings } from '../support/usage-scene.ts'
import { createFaults } from './faults.ts'
import { readsPageNumbers } from './pages.ts'
import { refusesOverQuota, refusesStrangers, type Subject, survivesFaults } from './refusals.ts'
import { seed } from './seed.ts'
import { expectStanding } from './standing.ts'

const faults = createFaults()
const house = await openHouse({ withPorts: faults.withPorts })
afterAll(() => house.close())
beforeEach(() => house.clock.nextMinute())

const path = '/beatmaps/usage'
const subject: Subject = {
  house,
  service: 'pools',
  method: 'GET',
  prepare: async () => ({ path: `${path}?ids=75` }),
}
const newReader = () => house.host('pools')
const read = async (ids: string) => {
  await takeOver(house.ports)
  return (await newReader()).get(`${path}?ids=${ids}`)
}

describe('200 where several beatmaps were pooled', () => {
  it('has all their uses in one list, and how many each has in the order asked (D-67)', async () => {
    const [a, b, never] = [newBeatmap(), newBeatmap(), newBeatmap()]
    const owner = await house.host()
    const first = await owner.save(holding(a))
    house.clock.advance(1000)
    const second = await owner.save(holding(b))
    house.clock.advance(1000)
    const third = await owner.save(holding(a))
    const reply = await read(`${b},${never},${a}`)
    expect(reply.status).toBe(200)
    expectStanding(reply)
    expect(Object.keys(reply.json)).toEqual(['uses', 'totals', 'page', 'pageCount', 'total'])
    expect(Object.keys(reply.json.uses[0]).join(' ')).toBe(
      'beatmapId slug packName ownerName mod index updatedAt',
    )
    const found = reply.json.uses.map((use: { beatmapId: number; slug: string }) => [
      use.beatmapId,
      use.slug,
    ])
    expect(found).toEqual([
      [a, third],
      [b, second],
      [a, first],
    ])
    expect(reply.json).toMatchObject({ page: 1, pageCount: 1, total: 3 })
    expect(reply.json.totals).toEqual([
      { beatmapId: b, total: 1 },
      { beatmapId: never, total: 0 },
      { beatmapId: a, total: 2 },
    ])
  })

  it('counts an id that is there twice once, so that 60 ids may name 50 beatmaps', async () => {
    const beatmapId = newBeatmap()
    const owner = await house.host()
    await owner.save(holding(beatmapId))
    const twice = await read(`${beatmapId},${beatmapId}`)
    expect(twice.json).toMatchObject({ total: 1, totals: [{ beatmapId, total: 1 }] })
    expect(twice.json.totals).toHaveLength(1)
    const ids = Array.from({ length: 60 }, (_, at) => 1 + (at % 50))
    expect((await read(ids.join())).json.totals).toHaveLength(50)
  })

  it('has one use of each beatmap of a pack that holds several', async () => {
    const [a, b] = [newBeatmap(), newBeatmap()]
    const owner = await house.host()
    const slots = [
      { mod: 'NM', index: 1, beatmapId: a },
      { mod: 'HD', index: 1, beatmapId: b },
    ]
    const slug = await owner.save(holding(a, { slots }))
    const { uses } = (await read(`${a},${b}`)).json
    expect(uses).toHaveLength(2)
    expect(uses).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ beatmapId: a, slug, mod: 'NM' }),
        expect.objectContaining({ beatmapId: b, slug, mod: 'HD' }),
      ]),
    )
  })

  it('has 50 a page of all uses, and the totals of all pages on each', async () => {
    const [a, b] = [newBeatmap(), newBeatmap()]
    const owner = await house.host()
    const saved = await seed(house, owner, 70, (at) => {
      house.clock.advance(1)
      return holding(at % 2 === 0 ? a : b)
    })
    const first = await read(`${a},${b}`)
    const second = await (await newReader()).get(`${path}?ids=${a},${b}&page=2`)
    const found = [first, second].flatMap(({ json }) =>
      json.uses.map(({ slug }: { slug: string }) => slug),
    )
    expect(found).toEqual(saved.toReversed())
    for (const { json } of [first, second]) {
      expect(json).toMatchObject({ pageCount: 2, total: 70 })
      expect(json.totals.map(({ total }: { total: number }) => total)).toEqual([35, 35])
    }
    const url = `http://pools.test/api/v1${path}?ids=${a}%2C${b}`
    expect(second.headers.get('link')).toBe(
      `<${url}&page=1>; rel="first", <${url}&page=1>; rel="prev", <${url}&page=2>; rel="last"`,
    )
  })

  it.each(vanishings)(
    'names no pack that is %s, and does not count it (D-66)',
    async (_, vanish) => {
      const [a, b] = [newBeatmap(), newBeatmap()]
      const owner = await house.host()
      const gone = await owner.save(holding(a))
      await owner.save(holding(b))
      await takeOver(house.ports)
      house.clock.advance(1000)
      await vanish(house.ports, gone, owner, a)
      for (const work of [async () => {}, () => takeOver(house.ports)]) {
        await work()
        const reply = await (await newReader()).get(`${path}?ids=${a},${b}`)
        expect(reply.text).not.toContain(gone)
        expect(reply.json.totals).toEqual([
          { beatmapId: a, total: 0 },
          { beatmapId: b, total: 1 },
        ])
      }
    },
  )

  it('answers HEAD without the body, and OPTIONS with what the path takes (D-12)', async () => {
    const reader = await newReader()
    const head = await reader.ask('HEAD', `${path}?ids=75`)
    expect(head).toMatchObject({ status: 200, text: '' })
    const options = await reader.ask('OPTIONS', `${path}?ids=75`)
    expect(options.status).toBe(204)
    expect(options.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
  })
})

describe('400 bad_request', () => {
  const many = Array.from({ length: 51 }, (_, at) => at + 1).join()

  it.each([
    '',
    'ids=',
    'ids',
    'ids=,',
    'ids=75,',
    'ids=75,,76',
    'ids=75;76',
    'ids=75%2076',
    'ids=075',
    'ids=0',
    'ids=-75',
    'ids=1.5',
    'ids=1e3',
    'ids=NM1',
    'ids=2147483648',
    'ids=75&ids=76',
    'ids[]=75',
    `ids=${many}`,
  ])('names the parameter and the remedy: ?%s (D-14)', async (query) => {
    const reply = await (await newReader()).get(`${path}?${query}`)
    expectError(
      reply,
      'bad_request',
      'ids must be 1 to 50 beatmap ids from 1 to 2147483647, separated by commas and given once: ids=75,129891',
    )
    expectStanding(reply)
  })

  readsPageNumbers(newReader, path)
})

describe('401 unauthorized, invalid_api_key', () => refusesStrangers(subject))

describe('429 rate_limited', () => refusesOverQuota(subject))

describe('500 internal_error', () => survivesFaults(subject, faults, ['usage', 'quotas']))
