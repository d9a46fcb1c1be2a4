import { connect } from 'node:net'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { refusals } from '../../src/contract/errors.ts'
import { Workspace, WorkspaceEvent } from '../../src/contract/workspace.ts'
import type { Answered } from '../../src/door/service-app.ts'
import type { Browser } from '../support/browser.ts'
import { EventReader } from '../support/event-reader.ts'
import { changeTournament, makeTournament, setStaff } from '../support/sample-tournament.ts'
import { expectSiteError } from '../support/site-calls.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'
import { until } from '../support/until.ts'

const HOST = 7001
const STRANGER = 7002
const MODERATOR = 7003

let house: SiteHouse
let host: Browser
let stranger: Browser
let moderator: Browser
const answered: Answered[] = []

beforeAll(async () => {
  house = await openSiteHouse({ onAnswer: (answer) => void answered.push(answer) })
  await house.ports.accounts.setModerator(MODERATOR, true, 0)
  host = await house.signedIn(HOST, 'pools')
  stranger = await house.signedIn(STRANGER, 'pools')
  moderator = await house.signedIn(MODERATOR, 'pools')
})
afterAll(() => house.close())

const ROUND = 'round-0001'
const tournament = (): Promise<string> => makeTournament(house.ports, host.viewer!.id)
const pathOf = (slug: string): string => `/session/tournaments/${slug}/events`

/** Opens a stream that is hung up when the test is over. */
const follow = async (browser: Browser, path: string, url?: string): Promise<EventReader> => {
  const reader = await EventReader.open(browser, path, url)
  onTestFinished(() => reader.hangUp())
  return reader
}

/** Saves another draft of the round. */
const saveDraft = (slug: string): Promise<unknown> =>
  changeTournament(house.ports, slug, ({ rounds: [round] }) => ({
    rounds: [{ ...round!, bestOf: 9, updatedAt: round!.updatedAt + 1 }],
  }))

describe('GET /session/tournaments/{slug}/workspace', () => {
  it('is the tournament with its drafts, a mark for all that may change, and who is here', async () => {
    const slug = await tournament()
    const reply = await host.ask('GET', `/session/tournaments/${slug}/workspace`)
    expect(reply.status).toBe(200)
    expect([...Value.Errors(Workspace, reply.json)]).toEqual([])
    expect(reply.json).toMatchObject({
      tournament: { slug, role: 'host', rounds: [{ id: ROUND, slots: expect.any(Array) }] },
      isLimited: false,
      marks: { rounds: { [ROUND]: expect.any(String) }, discussion: { [ROUND]: '0' } },
      here: [],
    })
  })

  it('says who is limited to rounds, and has marks of these alone (D-81)', async () => {
    const slug = await tournament()
    const { id } = (
      await host.ask('POST', `/session/tournaments/${slug}/rounds`, { name: 'Finals' })
    ).json.round
    const body = { role: 'pooler', rounds: [id] }
    await host.ask('PUT', `/session/tournaments/${slug}/staff/${STRANGER}`, body)
    const reply = await stranger.ask('GET', `/session/tournaments/${slug}/workspace`)
    expect([...Value.Errors(Workspace, reply.json)]).toEqual([])
    expect(reply.json.isLimited).toBe(true)
    expect(Object.keys(reply.json.marks.rounds)).toEqual([id])
  })

  it('is the same 404 for strangers and moderators as for a tournament that is not there (D-60)', async () => {
    const slug = await tournament()
    for (const path of ['workspace', 'events']) {
      const missing = await host.ask('GET', `/session/tournaments/AAAAAAAAAA/${path}`)
      expectSiteError(missing, 'not_found', refusals.tournamentNotFound[1])
      for (const browser of [stranger, moderator]) {
        const reply = await browser.ask('GET', `/session/tournaments/${slug}/${path}`)
        expect(reply.status).toBe(404)
        expect(reply.text).toBe(missing.text)
      }
      const visitor = await house
        .browser('pools')
        .ask('GET', `/session/tournaments/${slug}/${path}`)
      expectSiteError(visitor, 'not_signed_in')
    }
  })
})

describe('GET /session/tournaments/{slug}/rounds/{round}/released', () => {
  it('is what everybody reads of a round, while its draft goes on (D-63)', async () => {
    const slug = await tournament()
    const path = `/session/tournaments/${slug}/rounds/${ROUND}`
    const missing = await host.ask('GET', `${path}/released`)
    expectSiteError(missing, 'not_found', refusals.tournamentNotFound[1])
    const slots = [{ mod: 'NM', index: 1, beatmapId: 75 }]
    await changeTournament(house.ports, slug, ({ rounds: [round] }) => ({
      rounds: [{ ...round!, slots, buckets: null, updatedAt: round!.updatedAt + 1 }],
    }))
    expect((await host.ask('PUT', `${path}/release`, { at: 'now' })).status).toBe(200)
    const changes = [{ mod: 'NM', index: 1, from: { beatmapId: 75 }, to: { beatmapId: 76 } }]
    expect((await host.ask('PATCH', `${path}/slots`, { changes })).status).toBe(200)
    const released = await host.ask('GET', `${path}/released`)
    expect(released.json).toMatchObject({ round: { id: ROUND, slots } })
    expect(released.json.round.packSlug).toMatch(/^[\w-]{10}$/)
    const refused = await stranger.ask('GET', `${path}/released`)
    expect([refused.status, refused.text]).toEqual([404, missing.text])
    expectSiteError(await house.browser('pools').ask('GET', `${path}/released`), 'not_signed_in')
  })
})

describe('GET /session/tournaments/{slug}/events', () => {
  it('begins with the state as it is now, which no proxy is to hold back', async () => {
    const slug = await tournament()
    const reader = await follow(host, pathOf(slug))
    const { status, headers } = reader.response
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/event-stream')
    expect(headers.get('cache-control')).toBe('private, no-store')
    expect(headers.get('x-accel-buffering')).toBe('no')
    expect(headers.get('content-encoding')).toBeNull()
    const event = await reader.until(() => true)
    expect([...Value.Errors(WorkspaceEvent, event)]).toEqual([])
    expect(reader.text).toMatch(/^retry: 2000\n\ndata: {/)
  })

  it('shows in the marks what others change: a draft, the staff, the tournament', async () => {
    const slug = await tournament()
    const reader = await follow(host, pathOf(slug))
    const { marks } = await reader.until(({ here }) => here.length === 1)
    await saveDraft(slug)
    const saved = await reader.until((event) => event.marks.rounds[ROUND] !== marks.rounds[ROUND])
    expect({ ...saved.marks, rounds: {} }).toEqual({ ...marks, rounds: {} })
    await setStaff(house.ports, slug, stranger.viewer!.id, 'tester')
    const joined = await reader.until((event) => event.marks.staff !== marks.staff)
    expect({ ...joined.marks, staff: '' }).toEqual({ ...saved.marks, staff: '' })
    for (const change of [{ name: 'Harbour Cup' }, { announceRounds: true }]) {
      const before = reader.events.at(-1)!
      await changeTournament(house.ports, slug, () => change)
      const after = await reader.until(
        (event) => event.marks.tournament !== before.marks.tournament,
      )
      expect({ ...after.marks, tournament: '' }).toEqual({ ...before.marks, tournament: '' })
    }
    await setStaff(house.ports, slug, stranger.viewer!.id, 'pooler')
    await reader.until((event) => event.marks.staff !== joined.marks.staff)
    await changeTournament(house.ports, slug, () => ({ rounds: [] }))
    await reader.until((event) => Object.keys(event.marks.rounds).length === 0)
  })

  it('brings the draft that has changed, as it is read, with its tag', async () => {
    const slug = await tournament()
    const reader = await follow(host, pathOf(slug))
    const { marks } = await reader.until(({ here }) => here.length === 1)
    await saveDraft(slug)
    const event = await reader.until((seen) => seen.marks.rounds[ROUND] !== marks.rounds[ROUND])
    expect([...Value.Errors(WorkspaceEvent, event)]).toEqual([])
    const read = await host.ask('GET', `/session/tournaments/${slug}/rounds/${ROUND}`)
    expect(event.changed).toEqual([{ ...read.json, tag: read.headers.get('etag') }])
  })

  it('shows what another process saves, and who is there, to both', async () => {
    const slug = await tournament()
    await setStaff(house.ports, slug, stranger.viewer!.id, 'referee')
    const other = await house.another()
    const here = await follow(host, `${pathOf(slug)}?round=${ROUND}`)
    await here.until((event) => event.here.length === 1)
    house.clock.advance(1)
    const there = await follow(stranger, pathOf(slug), other.url)
    const together = [{ gameId: HOST, username: 'Peridot', round: ROUND }, { gameId: STRANGER }]
    for (const reader of [here, there]) {
      const event = await reader.until((seen) => seen.here.length === 2)
      expect(event.here).toMatchObject(together)
    }
    const { marks } = there.events.at(-1)!
    await saveDraft(slug)
    await there.until((event) => event.marks.rounds[ROUND] !== marks.rounds[ROUND])
    expect(there.events.at(-1)?.changed).toMatchObject([{ round: { id: ROUND, bestOf: 9 } }])
    here.hangUp()
    await there.until((event) => event.here.length === 1)
  })

  it('names everybody once, with the round that they look at last; a round that is not there is none', async () => {
    const slug = await tournament()
    const reader = await follow(host, pathOf(slug))
    await reader.until((event) => event.here.length === 1)
    house.clock.advance(1)
    await follow(host, `${pathOf(slug)}?round=${ROUND}`)
    const { here } = await reader.until((event) => event.here[0]?.round !== undefined)
    expect(here).toEqual([{ gameId: HOST, username: 'Peridot', round: ROUND }])
    house.clock.advance(1)
    await follow(host, `${pathOf(slug)}?round=notthere00`)
    await expect(reader.until((event) => event.here[0]?.round === ROUND)).resolves.toBeDefined()
    const reply = await host.ask('GET', `${pathOf(slug)}?round=short`)
    expectSiteError(reply, 'bad_request', /^round /)
  })

  it('ends for who leaves the staff, who then gets the 404', async () => {
    const slug = await tournament()
    await setStaff(house.ports, slug, stranger.viewer!.id, 'tester')
    const [own, theirs] = [await follow(host, pathOf(slug)), await follow(stranger, pathOf(slug))]
    await own.until((event) => event.here.length === 2)
    await setStaff(house.ports, slug, stranger.viewer!.id, null)
    await theirs.ended
    await own.until((event) => event.here.length === 1)
    expect((await stranger.ask('GET', pathOf(slug))).status).toBe(404)
  })

  it('ends with the session', async () => {
    const slug = await tournament()
    const browser = await house.signedIn(HOST, 'pools')
    const reader = await follow(browser, pathOf(slug))
    await browser.ask('POST', '/session/sign-out', {})
    await reader.ended
    expectSiteError(await browser.ask('GET', pathOf(slug)), 'not_signed_in')
  })

  it('ends with the tournament', async () => {
    const slug = await tournament()
    const reader = await follow(host, pathOf(slug))
    await house.ports.tournaments.changeWithPacks(slug, null, house.clock.now(), () => ({
      content: null,
      packs: [],
    }))
    await reader.ended
    expect((await host.ask('GET', pathOf(slug))).status).toBe(404)
  })

  it('is open eight times for an account; the ninth is told when to try again', async () => {
    const slug = await tournament()
    await setStaff(house.ports, slug, stranger.viewer!.id, 'host')
    const readers = await Promise.all(
      Array.from({ length: 8 }, () => follow(stranger, pathOf(slug))),
    )
    const ninth = await stranger.ask('GET', pathOf(slug))
    expectSiteError(ninth, 'rate_limited', /8 workspaces/)
    expect(ninth.headers.get('retry-after')).toBe('30')
    // Those of others have room, and what one closes is free again.
    await follow(host, pathOf(slug))
    readers[0]!.hangUp()
    await until(async () => {
      const reader = await follow(stranger, pathOf(slug))
      return reader.response.status === 200
    })
  })

  it('is counted and logged as it begins, for how long that took', async () => {
    const slug = await tournament()
    const of = () => answered.filter(({ route }) => route === '/session/tournaments/:slug/events')
    const before = of().length
    const reader = await follow(host, pathOf(slug))
    await reader.until(() => true)
    expect(of()).toHaveLength(before + 1)
    reader.hangUp()
    await reader.ended
    expect(of()).toHaveLength(before + 1)
    expect(of().at(-1)).toMatchObject({ method: 'GET', status: 200 })
  })

  it('holds back what its client sends on the same connection until it has ended', async () => {
    const slug = await tournament()
    await setStaff(house.ports, slug, stranger.viewer!.id, 'tester')
    const cookie = [...stranger.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const asking = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\ncookie: ${cookie}\r\n\r\n`
    const socket = connect(Number(new URL(house.urls.pools).port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    let text = ''
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
    socket.write(asking(pathOf(slug)) + asking('/session'))
    await until(async () => text.includes('"here":[{'))
    expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1)
    await setStaff(house.ports, slug, stranger.viewer!.id, null)
    await until(async () => text.includes('"quota"'))
    expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(2)
  })

  it('has no body for HEAD', async () => {
    const slug = await tournament()
    const reply = await host.send('HEAD', pathOf(slug))
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('text/event-stream')
  })
})

describe('a server that shuts down (D-54)', () => {
  it('ends all streams at once, and those that are opened from then on after their first event', async () => {
    const own = await openSiteHouse()
    onTestFinished(() => own.close())
    const browser = await own.signedIn(HOST, 'pools')
    const slug = await makeTournament(own.ports, browser.viewer!.id)
    const reader = await follow(browser, pathOf(slug))
    await reader.until((event) => event.here.length === 1)
    own.drain()
    await reader.ended
    const late = await follow(browser, pathOf(slug))
    await late.ended
    expect(late.response.headers.get('connection')).toBe('close')
    expect(late.events).toHaveLength(1)
  })
})
