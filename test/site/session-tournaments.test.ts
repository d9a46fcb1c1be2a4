import { Value } from 'typebox/value'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { draftingApi } from '../../src/contract/pools-api.ts'
import { EDITS_PER_MINUTE } from '../../src/contract/quotas.ts'
import { poolsSessionApi } from '../../src/contract/session-api.ts'
import { issueKey } from '../../src/operations/keys.ts'
import { aChange, aRound } from '../api/tournament-scene.ts'
import type { Browser } from '../support/browser.ts'
import { Door, type Reply } from '../support/door.ts'
import { expectSiteError } from '../support/site-calls.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

let house: SiteHouse
let host: Browser
let other: Browser

beforeAll(async () => {
  house = await openSiteHouse()
  host = await house.signedIn(7001, 'pools')
  other = await house.signedIn(7002, 'pools')
})
afterAll(() => house.close())
beforeEach(() => house.clock.nextMinute())

const tagOf = (reply: Reply) => ({ 'if-match': reply.headers.get('etag') ?? '' })

/** A tournament of the host with one round: its paths below `/session`. */
const draft = async (facts: object = {}) => {
  const body = { name: 'Harbour Lights Cup', ...facts }
  const made = await host.ask('POST', '/session/tournaments', body)
  const path = `/session/tournaments/${made.json.tournament.slug}`
  const { round } = (await host.ask('POST', `${path}/rounds`, aRound())).json
  return { path, roundPath: `${path}/rounds/${round.id}`, slug: made.json.tournament.slug }
}

/** A key of the host for the API. */
const apiOf = async () => {
  const wish = { service: 'pools', keyPrefix: 'pools', gameId: 7001, username: 'Peridot' } as const
  const key = await issueKey(house.ports, wish)
  const door = new Door(house.urls.pools)
  return (path: string) => door.ask('GET', path.replace('/session', ''), { key })
}

describe('the API of tournaments on the site (D-64)', () => {
  test('gives the same bytes and tags as the API, and keeps them out of caches', async () => {
    const { path, roundPath } = await draft()
    const api = await apiOf()
    for (const each of [path, roundPath, `${path}/staff`, `${roundPath}/history`]) {
      const [here, there] = [await host.ask('GET', each), await api(each)]
      expect(here.status).toBe(200)
      expect(here.text).toBe(there.text)
      expect(here.headers.get('etag')).toBe(there.headers.get('etag'))
      expect(here.headers.get('cache-control')).toBe('private, no-store')
    }
  })

  test('does what the API does and a page needs, with the answers of its contract', async () => {
    const { path, roundPath } = await draft()
    const tag = async (at: string) => tagOf(await host.ask('GET', at))
    const done = new Set<string>()
    const ask = async (
      id: keyof typeof draftingApi & keyof typeof poolsSessionApi,
      at: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ) => {
      const { method, success }: Endpoint = poolsSessionApi[id]
      const reply = await host.ask(method, at, body, headers)
      expect(reply.status, `${id} ${reply.text}`).toBe(success.status)
      if (success.schema !== null) expect([...Value.Errors(success.schema, reply.json)]).toEqual([])
      done.add(id)
      return reply
    }
    await ask('listTournaments', '/session/tournaments')
    await ask('getTournament', path)
    await ask('getRound', roundPath)
    await ask('listStaff', `${path}/staff`)
    await ask('updateTournament', path, { visibility: 'public' })
    await ask('setRole', `${path}/staff/7002`, { role: 'tester' })
    await ask('removeMember', `${path}/staff/7002`)
    await ask('changeSlots', `${roundPath}/slots`, aChange)
    await ask('getDraftHistory', `${roundPath}/history`)
    await ask('getDraftVersion', `${roundPath}/history/1`)
    await ask('replaceRound', roundPath, aRound({ bestOf: 9 }), await tag(roundPath))
    await ask('releaseRound', `${roundPath}/release`, { at: 'now' })
    const added = await ask('createRound', `${path}/rounds`, { name: 'Finals' })
    const finals = `${path}/rounds/${added.json.round.id}`
    await ask('deleteRound', finals, undefined, tagOf(added))
    await ask('listDeletedRounds', `${path}/deleted-rounds`)
    const { id } = added.json.round
    const restored = await ask('restoreRound', `${path}/deleted-rounds/${id}/restore`, {})
    await ask('deleteRound', finals, undefined, await tag(finals))
    expect(restored.json.round.id).toBe(id)
    const rounds = [{ name: 'Finals' }, aRound()]
    await ask('replaceRounds', `${path}/rounds`, { rounds }, await tag(path))
    await ask('deleteTournament', path)
    await ask('createTournament', '/session/tournaments', { name: 'Another Cup' })
    const both = Object.keys(draftingApi).filter((id) => id in poolsSessionApi)
    expect(done).toEqual(new Set(both))
  })

  test('lets everybody read what is public, and nobody else anything (D-60)', async () => {
    const { path, roundPath } = await draft()
    const visitor = house.browser('pools')
    const missing = await visitor.ask('GET', '/session/tournaments/AAAAAAAAAA')
    expectSiteError(missing, 'not_found')
    for (const asker of [visitor, other]) {
      for (const hidden of [path, roundPath, '/session/tournaments/short', `${path}/rounds/x`]) {
        expect((await asker.ask('GET', hidden)).text, hidden).toBe(missing.text)
      }
    }
    expectSiteError(await visitor.ask('GET', `${path}/staff`), 'not_signed_in')
    expectSiteError(await visitor.ask('GET', `${path}/workspace`), 'not_signed_in')
    await host.ask('PATCH', path, { visibility: 'public' })
    await host.ask('PUT', `${roundPath}/release`, { at: 'now' })
    const [here, there] = [await visitor.ask('GET', path), await other.ask('GET', path)]
    expect(here.status).toBe(200)
    expect(here.text).toBe(there.text)
    expect((await visitor.ask('GET', roundPath)).status).toBe(200)
    expect((await visitor.ask('GET', '/session/tournaments?year=2030')).status).toBe(200)
  })

  test('changes nothing without the token of the page', async () => {
    const { path, roundPath } = await draft()
    const before = await host.ask('GET', path)
    for (const [method, at, body] of [
      ['PATCH', path, { name: 'Stolen' }],
      ['PATCH', `${roundPath}/slots`, aChange],
      ['DELETE', path, undefined],
    ] as const) {
      const forged = await host.ask(method, at, body, { 'x-csrf-token': 'wrong' })
      expectSiteError(forged, 'forbidden')
      expectSiteError(await house.browser('pools').ask(method, at, body), 'not_signed_in')
    }
    expect((await host.ask('GET', path)).text).toBe(before.text)
  })

  test('refuses in the words of the API: 400, 404, 409 with slots, 412, 415, 428', async () => {
    const { path, roundPath } = await draft()
    expectSiteError(await host.ask('PATCH', path, { year: 1 }), 'bad_request', /^year must be/)
    expectSiteError(await other.ask('PATCH', path, { name: 'x' }), 'not_found')
    await host.ask('PATCH', `${roundPath}/slots`, aChange)
    const late = await host.ask('PATCH', `${roundPath}/slots`, aChange)
    expect(late.status).toBe(409)
    expect(late.json.slots).toEqual([{ mod: 'NM', index: 1, beatmapId: 77 }])
    expectSiteError(await host.ask('PUT', roundPath, aRound()), 'precondition_required')
    const stale = { 'if-match': '"another"' }
    expectSiteError(await host.ask('PUT', roundPath, aRound(), stale), 'precondition_failed')
    const typed = { 'content-type': 'text/plain' }
    expectSiteError(await host.ask('PATCH', path, { name: 'x' }, typed), 'unsupported_media_type')
    const odd = await host.ask('PATCH', path, { colour: 1 })
    expect(odd.headers.get('x-ignored-fields')).toBe('colour')
  })

  test('answers other methods with those that there are', async () => {
    const { roundPath } = await draft()
    const reply = await host.ask('POST', `${roundPath}/slots`, aChange)
    expect(reply.status).toBe(405)
    expect(reply.headers.get('allow')).toBe('PATCH, OPTIONS')
  })
})

describe('edits have a share of their own (D-64)', () => {
  const edit = (path: string, at: number) => host.ask('PATCH', path, { name: `Cup ${at}` })

  test(`${EDITS_PER_MINUTE} a minute for an account; reads, others and the API go on`, async () => {
    const { path } = await draft()
    house.clock.nextMinute()
    for (let at = 1; at <= EDITS_PER_MINUTE; at += 1) {
      expect((await edit(path, at)).status).toBe(200)
    }
    const refused = await edit(path, 0)
    expectSiteError(refused, 'rate_limited', /^too many edits from your account in this minute/)
    const wait = Number(refused.headers.get('retry-after'))
    expect(wait).toBeGreaterThanOrEqual(1)
    expect(wait).toBeLessThanOrEqual(60)
    expect(refused.headers.get('ratelimit-limit')).toBe(String(EDITS_PER_MINUTE))
    expect((await host.ask('GET', path)).json.tournament.name).toBe(`Cup ${EDITS_PER_MINUTE}`)
    const others = await other.ask('POST', '/session/tournaments', { name: 'Mine' })
    expect(others.status).toBe(201)
    expect((await (await apiOf())(path)).status).toBe(200)
    house.clock.nextMinute()
    expect((await edit(path, 1)).status).toBe(200)
  })

  test('an edit spends no request and no write of the quotas (spec 8)', async () => {
    const { path } = await draft()
    house.clock.nextMinute()
    for (let at = 0; at < 12; at += 1) await edit(path, at)
    const { quota } = (await host.ask('GET', '/session')).json
    expect([quota.requests.left, quota.writes.left]).toEqual([60, 10])
  })
})

describe('beatmaps for the pages of tournaments', () => {
  test('can be looked at as on the site of packs (D-56)', async () => {
    const look = { beatmaps: [{ id: 75, mods: [] }] }
    const there = await house.browser('packs').ask('POST', '/session/beatmaps', look)
    const here = await house.browser('pools').ask('POST', '/session/beatmaps', look)
    expect(here.status).toBe(200)
    expect(here.json).toEqual(there.json)
  })
})
