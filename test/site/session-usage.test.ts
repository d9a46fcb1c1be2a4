import { Value } from 'typebox/value'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { poolsSessionApi } from '../../src/contract/session-api.ts'
import { asOperator } from '../../src/domain/moderation.ts'
import { createPack } from '../../src/operations/packs.ts'
import { releaseRound } from '../../src/operations/releases.ts'
import { setRole } from '../../src/operations/staff.ts'
import { moderateTournament } from '../../src/operations/tournaments.ts'
import type { Browser } from '../support/browser.ts'
import { openTournament } from '../support/public-tournament.ts'
import { expectSiteError } from '../support/site-calls.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'
import { holding, newBeatmap, takeOver, vanishings } from '../support/usage-scene.ts'

const HOST = 7001
const OTHER = 7002

let house: SiteHouse
let host: Browser
let other: Browser
let hostId: string

beforeAll(async () => {
  house = await openSiteHouse()
  host = await house.signedIn(HOST, 'pools')
  other = await house.signedIn(OTHER, 'pools')
  hostId = (await house.ports.accounts.findByGameId(HOST))!.id
})
afterAll(() => house.close())
beforeEach(() => house.clock.nextMinute())

const services = ['packs', 'pools'] as const
const visitor = (service: (typeof services)[number] = 'packs') => house.browser(service)

const lookUp = async (from: Browser, query: string) => {
  const reply = await from.ask('GET', `/session/beatmaps/usage?ids=${query}`)
  const { success }: Endpoint = poolsSessionApi.lookUpUsage
  expect(reply.status, reply.text).toBe(200)
  expect([...Value.Errors(success.schema!, reply.json)]).toEqual([])
  expect(reply.headers.get('cache-control')).toBe('private, no-store')
  return reply.json
}
const noteOf = async (from: Browser, beatmapId: number, more = '') =>
  (await lookUp(from, `${beatmapId}${more}`)).beatmaps[0]

const save = (input: ReturnType<typeof holding>) => createPack(house.ports, hostId, input)
const slotOf = (beatmapId: number) => [{ mod: 'NM', index: 1, beatmapId }]

describe('GET /session/beatmaps/usage (D-67)', () => {
  test.each(services)('has totals and the last use in the order asked: %s', async (service) => {
    const [a, never] = [newBeatmap(), newBeatmap()]
    await save(holding(a))
    house.clock.advance(1000)
    const { slug } = await save(holding(a, { name: 'The last' }))
    await takeOver(house.ports)
    expect(await lookUp(visitor(service), `${never},${a},${never}`)).toEqual({
      beatmaps: [
        { beatmapId: never, total: 0 },
        {
          beatmapId: a,
          total: 2,
          last: expect.objectContaining({ slug, packName: 'The last', mod: 'NM', index: 2 }),
        },
      ],
    })
  })

  test.each(vanishings)('names no pack that is %s (D-66)', async (_, vanish) => {
    const beatmapId = newBeatmap()
    const owner = await house.signedIn(7003)
    const slug = await house.save(owner, holding(beatmapId))
    const { updatedAt: basedOn } = (await owner.ask('GET', `/session/packs/${slug}`)).json.pack
    await takeOver(house.ports)
    expect(await noteOf(visitor(), beatmapId)).toMatchObject({ total: 1, last: { slug } })
    house.clock.advance(1000)
    const calls = {
      put: (at: string, pack: unknown) =>
        owner.ask('PUT', `/session/packs/${at}`, { pack, basedOn }),
      delete: (at: string) => owner.ask('DELETE', `/session/packs/${at}`),
    }
    await vanish(house.ports, slug, calls, beatmapId)
    for (const work of [async () => {}, () => takeOver(house.ports)]) {
      await work()
      expect(await noteOf(visitor(), beatmapId)).toEqual({ beatmapId, total: 0 })
    }
  })

  test.each(['', 'ids=', 'ids=0', 'ids=x', 'ids=75&ids=76'])('refuses ?%s', async (query) => {
    const reply = await visitor().ask('GET', `/session/beatmaps/usage?${query}`)
    expectSiteError(reply, 'bad_request', /^ids must be 1 to 64 beatmap ids/)
  })

  test('takes 64 ids, and refuses 65, and what is no tournament', async () => {
    const ids = (count: number) => Array.from({ length: count }, (_, at) => at + 1).join()
    expect((await lookUp(visitor(), ids(64))).beatmaps).toHaveLength(64)
    const many = await visitor().ask('GET', `/session/beatmaps/usage?ids=${ids(65)}`)
    expectSiteError(many, 'bad_request', /^ids must be 1 to 64/)
    const odd = await host.ask('GET', '/session/beatmaps/usage?ids=75&tournament=short')
    expectSiteError(odd, 'bad_request', 'tournament must be the slug of one tournament')
  })
})

describe('drafts, on the site of the tournament-pools service (D-60, D-61)', () => {
  test('are named to the staff in every role, and to nobody else, a moderator included', async () => {
    const beatmapId = newBeatmap()
    const { slug } = await openTournament(house.ports, hostId, { name: 'Secret Cup' }, [
      { name: 'Finals', slots: slotOf(beatmapId) },
    ])
    await takeOver(house.ports)
    const draft = { tournament: { slug, name: 'Secret Cup' }, round: 'Finals', mod: 'NM', index: 1 }
    expect(await noteOf(host, beatmapId)).toEqual({ beatmapId, total: 0, drafts: [draft] })
    for (const role of ['pooler', 'tester', 'referee'] as const) {
      await setRole(house.ports, hostId, slug, OTHER, { role })
      expect((await noteOf(other, beatmapId)).drafts).toEqual([draft])
    }
    const moderator = await house.signedIn(7003, 'pools')
    await house.ports.accounts.setModerator(7003, true, 0)
    const onPacksSite = await house.signedIn(HOST, 'packs')
    for (const from of [visitor(), visitor('pools'), moderator, onPacksSite]) {
      expect(await noteOf(from, beatmapId)).toEqual({ beatmapId, total: 0 })
    }
  })

  test('are those of rounds that were not released, as they are now', async () => {
    const [drafted, released] = [newBeatmap(), newBeatmap()]
    const { rounds } = await openTournament(house.ports, hostId, {}, [
      { name: 'Finals', slots: slotOf(drafted) },
      { name: 'Quarterfinals', slots: slotOf(released), at: 'now' },
    ])
    await takeOver(house.ports)
    expect((await noteOf(host, drafted)).drafts).toHaveLength(1)
    const note = await noteOf(host, released)
    expect(note).toMatchObject({ total: 1, last: { slug: rounds[1]!.packSlug } })
    expect(note).not.toHaveProperty('drafts')
  })

  test('are named up to eight times', async () => {
    const beatmapId = newBeatmap()
    const slots = Array.from({ length: 9 }, (_, at) => ({ mod: 'NM', index: at + 1, beatmapId }))
    await openTournament(house.ports, hostId, {}, [{ slots }])
    expect((await noteOf(host, beatmapId)).drafts).toHaveLength(8)
  })

  test("leave one's own tournament out, with its packs, if it is named", async () => {
    const beatmapId = newBeatmap()
    const rounds = [
      { name: 'Finals', slots: slotOf(beatmapId) },
      { name: 'Quarterfinals', slots: slotOf(beatmapId), at: 'now' },
    ]
    const { slug } = await openTournament(house.ports, hostId, {}, rounds)
    await openTournament(house.ports, hostId, { name: 'Another' }, rounds.slice(0, 1))
    await takeOver(house.ports)
    const without = await noteOf(host, beatmapId, `&tournament=${slug}`)
    expect(without).toMatchObject({ total: 0, drafts: [{ tournament: { name: 'Another' } }] })
    expect(without.drafts).toHaveLength(1)
    expect(await noteOf(visitor('pools'), beatmapId, `&tournament=${slug}`)).toMatchObject({
      total: 0,
    })
  })

  test("leave one's own releases out at every moment, also withdrawn ones and those that follow (D-67)", async () => {
    const beatmapId = newBeatmap()
    const other = newBeatmap()
    const slots = [...slotOf(beatmapId), { mod: 'NM', index: 2, beatmapId: other }]
    const { slug, rounds } = await openTournament(house.ports, hostId, {}, [{ slots }])
    const { id } = rounds[0]!
    await save(holding(other))
    const own = async () => {
      house.clock.nextMinute()
      const { beatmaps } = await lookUp(host, `${beatmapId},${other}&tournament=${slug}`)
      return beatmaps.map(({ total }: { total: number }) => total)
    }
    const release = async (at: 'now' | null) => {
      await releaseRound(house.ports, hostId, slug, id, { at })
      house.clock.nextMinute()
    }
    await takeOver(house.ports)
    // The search, and so the usage, follows later (D-66): a look at any time in between.
    for (const isTakenOver of [true, false, true]) {
      for (const at of ['now', 'now', null, 'now', null, null, 'now'] as const) {
        await release(at)
        expect(await own()).toEqual([0, 1])
        if (isTakenOver) await takeOver(house.ports)
        expect(await own()).toEqual([0, 1])
      }
    }
  })

  test('of a tournament that one may not read: naming it shows nothing of what is its own (D-60)', async () => {
    const beatmapId = newBeatmap()
    const { slug } = await openTournament(house.ports, hostId, { visibility: 'private' }, [
      { name: 'Finals', slots: slotOf(beatmapId), at: 'now' },
    ])
    const hidden = await openTournament(house.ports, hostId, {}, [
      { name: 'Finals', slots: slotOf(beatmapId), at: 'now' },
    ])
    await moderateTournament(house.ports, hidden.slug, 'hide', asOperator('spam'))
    await takeOver(house.ports)
    const plain = await noteOf(other, beatmapId)
    for (const named of [slug, hidden.slug, 'AAAAAAAAAA']) {
      expect(await noteOf(other, beatmapId, `&tournament=${named}`)).toEqual(plain)
    }
    expect((await noteOf(host, beatmapId, `&tournament=${slug}`)).total).toBe(plain.total - 1)
  })
})
