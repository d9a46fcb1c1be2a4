import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { asOperator } from '../../src/domain/moderation.ts'
import { unhidePack } from '../../src/operations/moderation.ts'
import { publishPool } from '../../src/operations/published-pools.ts'
import { moderateTournament } from '../../src/operations/tournaments.ts'
import { expectError, quotaOf } from '../support/door.ts'
import { openHouse } from '../support/house.ts'
import { holding, newBeatmap, takeOver, vanishings } from '../support/usage-scene.ts'
import { createFaults } from './faults.ts'
import { ignoresOtherQueries, readsPageNumbers } from './pages.ts'
import { refusesOverQuota, refusesStrangers, type Subject, survivesFaults } from './refusals.ts'
import { seed } from './seed.ts'
import { expectStanding } from './standing.ts'
import { aRound, newScene } from './tournament-scene.ts'

const faults = createFaults()
const house = await openHouse({ withPorts: faults.withPorts })
afterAll(() => house.close())
beforeEach(() => house.clock.nextMinute())

const usageOf = (beatmapId: number) => `/beatmaps/${beatmapId}/usage`
const subject: Subject = {
  house,
  service: 'pools',
  method: 'GET',
  prepare: async () => ({ path: usageOf(75) }),
}
const newReader = () => house.host('pools')
const read = async (beatmapId: number) => {
  await takeOver(house.ports)
  return (await newReader()).get(usageOf(beatmapId))
}

/** A released round with this beatmap in HD1. */
const released = async (beatmapId: number, facts: object) => {
  const scene = await newScene(house, facts)
  const slots = [{ mod: 'HD', index: 1, from: { beatmapId: 76 }, to: { beatmapId } }]
  const patched = await scene.host.ask('PATCH', `${scene.roundPath}/slots`, {
    body: { changes: slots },
  })
  expect(patched.status).toBe(200)
  const { round } = (await scene.release()).json
  return { ...scene, packSlug: round.packSlug as string }
}

describe('200 where a beatmap was pooled', () => {
  it('has no use of a beatmap that nobody has pooled, or that does not exist (D-67)', async () => {
    for (const beatmapId of [newBeatmap(), 2_147_483_647]) {
      const reply = await read(beatmapId)
      expect(reply.status).toBe(200)
      expectStanding(reply)
      expect(reply.text).toBe('{"uses":[],"page":1,"pageCount":1,"total":0}')
    }
  })

  it('has each slot of a public pack with what it is called and when it was saved (D-67)', async () => {
    const beatmapId = newBeatmap()
    const owner = await house.host()
    const slug = await owner.save(holding(beatmapId))
    const { updatedAt } = (await owner.get(`/packs/${slug}`)).json.pack
    const reply = await read(beatmapId)
    expect(reply.status).toBe(200)
    expectStanding(reply)
    const use = {
      slug,
      packName: `Holds ${beatmapId}`,
      ownerName: owner.username,
      mod: 'NM',
      index: 2,
      updatedAt,
    }
    expect(reply.text).toBe(JSON.stringify({ uses: [use], page: 1, pageCount: 1, total: 1 }))
  })

  it('has both slots of a pack that holds it twice, in their order, one of them without a mod', async () => {
    const beatmapId = newBeatmap()
    const owner = await house.host()
    const slots = [
      { mod: 'TB', index: 1, beatmapId },
      { mod: null, index: 3, beatmapId },
    ]
    await owner.save(holding(beatmapId, { slots }))
    const { uses, total } = (await read(beatmapId)).json
    expect(total).toBe(2)
    const places = uses.map(({ mod, index }: { mod: string | null; index: number }) => [mod, index])
    expect(places).toEqual(
      expect.arrayContaining([
        ['TB', 1],
        [null, 3],
      ]),
    )
    expect(places).toHaveLength(2)
  })

  it('names the public tournament and the round that released the pack, and the label as owner (D-28, D-67)', async () => {
    const beatmapId = newBeatmap()
    const { slug, packSlug } = await released(beatmapId, { visibility: 'public', year: 2036 })
    const [use] = (await read(beatmapId)).json.uses
    expect(Object.keys(use).join(' ')).toBe(
      'slug packName ownerName mod index updatedAt tournament round',
    )
    expect(use).toMatchObject({
      slug: packSlug,
      ownerName: 'Tournament pools',
      mod: 'HD',
      index: 1,
      tournament: { slug, name: 'Harbour Lights Cup', year: 2036 },
      round: 'Quarterfinals',
    })
  })

  it('leaves the year out when the tournament has none', async () => {
    const beatmapId = newBeatmap()
    const { slug } = await released(beatmapId, { visibility: 'public' })
    const [use] = (await read(beatmapId)).json.uses
    expect(use.tournament).toEqual({ slug, name: 'Harbour Lights Cup' })
  })

  it('begins with the pack that was saved last (D-67)', async () => {
    const beatmapId = newBeatmap()
    const owner = await house.host()
    const slugs: string[] = []
    for (const name of ['First', 'Second', 'Third']) {
      house.clock.advance(1000)
      slugs.push(await owner.save(holding(beatmapId, { name })))
    }
    const listed = async () =>
      (await read(beatmapId)).json.uses.map(({ slug }: { slug: string }) => slug)
    expect(await listed()).toEqual(slugs.toReversed())
    house.clock.advance(1000)
    await owner.put(slugs[0]!, holding(beatmapId, { name: 'First again' }))
    expect(await listed()).toEqual([slugs[0], slugs[2], slugs[1]])
  })

  it('has 50 a page, and loses none between pages (D-15)', async () => {
    const beatmapId = newBeatmap()
    const owner = await house.host()
    const saved = await seed(house, owner, 120, () => {
      house.clock.advance(1)
      return holding(beatmapId)
    })
    await takeOver(house.ports)
    const reader = await newReader()
    const pages = []
    for (const page of [1, 2, 3, 4])
      pages.push(await reader.get(`${usageOf(beatmapId)}?page=${page}`))
    const found = pages.flatMap(({ json }) => json.uses.map(({ slug }: { slug: string }) => slug))
    expect(found).toEqual(saved.toReversed())
    expect(pages.map(({ json }) => json.uses.length)).toEqual([50, 50, 20, 0])
    for (const { json } of pages) expect(json).toMatchObject({ pageCount: 3, total: 120 })
    const url = `http://pools.test/api/v1${usageOf(beatmapId)}`
    expect(pages[1]!.headers.get('link')).toBe(
      `<${url}?page=1>; rel="first", <${url}?page=1>; rel="prev", <${url}?page=3>; rel="next", <${url}?page=3>; rel="last"`,
    )
  })

  it('follows a pack whose slots change', async () => {
    const [before, after] = [newBeatmap(), newBeatmap()]
    const owner = await house.host()
    const slug = await owner.save(holding(before))
    expect((await read(before)).json.total).toBe(1)
    await owner.put(slug, holding(after))
    expect((await read(before)).json.total).toBe(0)
    expect((await read(after)).json.total).toBe(1)
  })

  it('gives 304 while nothing has changed; that counts as a request (D-13)', async () => {
    const beatmapId = newBeatmap()
    const owner = await house.host()
    await owner.save(holding(beatmapId))
    await takeOver(house.ports)
    const reader = await newReader()
    const first = await reader.get(usageOf(beatmapId))
    const condition = { 'If-None-Match': first.headers.get('etag') ?? '' }
    const again = await reader.get(usageOf(beatmapId), condition)
    expect(again).toMatchObject({ status: 304, text: '' })
    expect(quotaOf(again).remaining).toBe(quotaOf(first).remaining - 1)
    await owner.save(holding(beatmapId))
    await takeOver(house.ports)
    expect((await reader.get(usageOf(beatmapId), condition)).status).toBe(200)
  })

  it('answers HEAD without the body, and OPTIONS with what the path takes (D-12)', async () => {
    const reader = await newReader()
    const head = await reader.ask('HEAD', usageOf(75))
    expect(head).toMatchObject({ status: 200, text: '' })
    expect(head.headers.get('etag')).toBe((await reader.get(usageOf(75))).headers.get('etag'))
    const options = await reader.ask('OPTIONS', usageOf(75))
    expect(options.status).toBe(204)
    expect(options.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    const other = await reader.ask('DELETE', usageOf(75))
    expectError(other, 'method_not_allowed', 'this path takes GET, HEAD, OPTIONS')
  })

  ignoresOtherQueries(newReader, usageOf(75))
})

describe('what nobody may learn of (D-66)', () => {
  it.each(vanishings)(
    'a pack that is %s: at once, before the usage is up to date',
    async (_, vanish) => {
      const beatmapId = newBeatmap()
      const owner = await house.host()
      const [gone, stays] = [
        await owner.save(holding(beatmapId)),
        await owner.save(holding(beatmapId)),
      ]
      expect((await read(beatmapId)).json.total).toBe(2)
      house.clock.advance(1000)
      await vanish(house.ports, gone, owner, beatmapId)
      const reader = await newReader()
      const early = await reader.get(usageOf(beatmapId))
      expect(early.text).not.toContain(gone)
      expect(early.json).toMatchObject({ total: 1, uses: [{ slug: stays }] })
      const late = await read(beatmapId)
      expect(late.text).toBe(early.text)
    },
  )

  it('a hidden pack is there again when it is shown again', async () => {
    const beatmapId = newBeatmap()
    const owner = await house.host()
    const slug = await owner.save(holding(beatmapId))
    await vanishings[2]![1](house.ports, slug, owner, beatmapId)
    expect((await read(beatmapId)).json.total).toBe(0)
    await unhidePack(house.ports, slug)
    expect((await read(beatmapId)).json.total).toBe(1)
  })

  it.each(['private', 'unlisted'] as const)(
    'a pack that was never public: %s',
    async (visibility) => {
      const beatmapId = newBeatmap()
      const owner = await house.host()
      await owner.save(holding(beatmapId, { visibility }))
      expect((await read(beatmapId)).json).toMatchObject({ uses: [], total: 0 })
    },
  )

  it('a draft, before its release and after it is withdrawn, of a public tournament too (D-60)', async () => {
    const beatmapId = newBeatmap()
    const scene = await newScene(house, { visibility: 'public' })
    const round = aRound({ name: 'Finals', slots: [{ mod: 'NM', index: 1, beatmapId }] })
    const made = await scene.host.ask('POST', `${scene.path}/rounds`, { body: round })
    expect((await read(beatmapId)).json.total).toBe(0)
    const roundPath = `${scene.path}/rounds/${made.json.round.id}/release`
    await scene.host.ask('PUT', roundPath, { body: { at: 'now' } })
    expect((await read(beatmapId)).json.total).toBe(1)
    await scene.host.ask('PUT', roundPath, { body: { at: null } })
    expect((await read(beatmapId)).json.total).toBe(0)
  })

  it('what a released round is called in its draft since then (D-60)', async () => {
    const beatmapId = newBeatmap()
    const { host, roundPath, packSlug } = await released(beatmapId, { visibility: 'public' })
    const { round } = (await host.get(roundPath)).json
    const etag = (await host.get(roundPath)).headers.get('etag') ?? ''
    const renamed = { ...round, name: 'Grand Finals' }
    const headers = { 'if-match': etag }
    expect((await host.ask('PUT', roundPath, { body: renamed, headers })).status).toBe(200)
    const reply = await read(beatmapId)
    expect(reply.json.uses[0]).toMatchObject({ slug: packSlug, round: 'Quarterfinals' })
    expect(reply.text).not.toContain('Grand Finals')
  })

  it('a private tournament, whose pack is public: it is not named (D-60)', async () => {
    const beatmapId = newBeatmap()
    const { packSlug, host, path } = await released(beatmapId, { visibility: 'public' })
    expect((await read(beatmapId)).json.uses[0]).toHaveProperty('tournament')
    await host.ask('PATCH', path, { body: { visibility: 'private' } })
    for (const { json } of [
      await (await newReader()).get(usageOf(beatmapId)),
      await read(beatmapId),
    ]) {
      for (const use of json.uses) {
        expect(use).toMatchObject({ slug: packSlug })
        expect(use).not.toHaveProperty('tournament')
        expect(use).not.toHaveProperty('round')
      }
    }
  })

  it('a hidden tournament: it is not named until it is shown again (D-60)', async () => {
    const beatmapId = newBeatmap()
    const { slug } = await released(beatmapId, { visibility: 'public' })
    await takeOver(house.ports)
    await moderateTournament(house.ports, slug, 'hide', asOperator('spam'))
    expect((await read(beatmapId)).text).not.toContain(slug)
    await moderateTournament(house.ports, slug, 'unhide', asOperator())
    expect((await read(beatmapId)).json.uses[0].tournament.slug).toBe(slug)
  })

  it('pools that the operator published carry the label, and no tournament (D-28)', async () => {
    const beatmapId = newBeatmap()
    const { slug } = await publishPool(house.ports, holding(beatmapId))
    const [use] = (await read(beatmapId)).json.uses
    expect(use).toMatchObject({ slug, ownerName: 'Tournament pools' })
    expect(use).not.toHaveProperty('tournament')
  })
})

describe('400 bad_request', () => readsPageNumbers(newReader, usageOf(75)))

describe('401 unauthorized, invalid_api_key', () => refusesStrangers(subject))

describe('404 not_found', () => {
  it.each([
    '0',
    '-1',
    '01',
    '1.5',
    '1e3',
    '75,76',
    'AAAAAAAAAA',
    '%C3%A9',
    '2147483648',
    '99999999999',
  ])(
    '/beatmaps/%s/usage names nothing: a beatmap has a number from 1 to 2147483647',
    async (id) => {
      const reply = await (await newReader()).get(`/beatmaps/${id}/usage`)
      expectError(
        reply,
        'not_found',
        'there is nothing at this path; /api/v1/openapi.json lists what there is',
      )
      expectStanding(reply)
    },
  )

  it('on the packs service, which has no such path (spec 9)', async () => {
    expectError(await (await house.host()).get(usageOf(75)), 'not_found')
  })
})

describe('429 rate_limited', () => refusesOverQuota(subject))

describe('500 internal_error', () => survivesFaults(subject, faults, ['usage', 'quotas']))
