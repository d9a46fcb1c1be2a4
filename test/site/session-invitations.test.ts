import { Value } from 'typebox/value'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { EndpointTable } from '../../src/contract/endpoint.ts'
import { refusals } from '../../src/contract/errors.ts'
import { poolsSessionApi } from '../../src/contract/session-api.ts'
import type { StaffRole } from '../../src/contract/tournaments.ts'
import type { Browser } from '../support/browser.ts'
import type { Reply } from '../support/door.ts'
import { openTournament } from '../support/public-tournament.ts'
import { makeTournament, setStaff } from '../support/sample-tournament.ts'
import { expectSiteError } from '../support/site-calls.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

const DAY = 86_400_000

let house: SiteHouse
let host: Browser
let guest: Browser
let moderator: Browser
let slug: string
/** As the log and the metrics name them. */
const routes = new Set<string>()

beforeAll(async () => {
  house = await openSiteHouse({ onAnswer: ({ route }) => void routes.add(route) })
  await house.ports.accounts.setModerator(7003, true, 0)
})
afterAll(() => house.close())
beforeEach(async () => {
  // Nobody waits for shares of the minute before, and all sessions are young.
  house.clock.nextMinute()
  host = await house.signedIn(7001, 'pools')
  guest = await house.signedIn(7002, 'pools')
  moderator = await house.signedIn(7003, 'pools')
  slug = await makeTournament(house.ports, host.viewer!.id)
})

const expectShape = (id: keyof typeof poolsSessionApi, reply: Reply): void => {
  const { success } = (poolsSessionApi as EndpointTable)[id]!
  expect(reply.status, reply.text).toBe(success.status)
  if (success.schema !== null) expect([...Value.Errors(success.schema, reply.json)]).toEqual([])
}

const ofTournament = (): string => `/session/tournaments/${slug}/invitations`

/** Makes an invitation; gives the path of its link below `/session`, and its id. */
const invite = async (role: StaffRole = 'tester') => {
  const reply = await host.ask('POST', ofTournament(), { role })
  expectShape('makeInvitation', reply)
  const token = new URL(reply.json.url).pathname.replace('/invite/', '')
  return { path: `/session/invitations/${token}`, token, ...reply.json.invitation }
}

const roleOf = async (browser: Browser) => {
  const saved = await house.ports.tournaments.read(slug)
  return saved!.staff.find(({ accountId }) => accountId === browser.viewer!.id)?.role
}

const removeRound = async (of: string, id: string): Promise<void> => {
  const path = `/session/tournaments/${of}/rounds/${id}`
  const tag = (await host.ask('GET', path)).headers.get('etag') ?? ''
  const reply = await host.ask('DELETE', path, undefined, { 'if-match': tag })
  expect(reply.status).toBe(204)
}

const expectNone = (reply: Reply): void =>
  expectSiteError(reply, 'not_found', refusals.invitationNotFound[1])

describe('POST /session/tournaments/{slug}/invitations', () => {
  it('201: makes a link of one role for a week, which is shown this once', async () => {
    const { token, id, role, createdAt, expiresAt } = await invite('pooler')
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(role).toBe('pooler')
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(7 * DAY)
    const listed = await host.ask('GET', ofTournament())
    expectShape('listInvitations', listed)
    expect(listed.json).toEqual({ invitations: [{ id, role, createdAt, expiresAt }] })
    expect(listed.text).not.toContain(token)
  })

  it('400: without one of the roles', async () => {
    for (const body of [{}, { role: 'owner' }]) {
      expectSiteError(await host.ask('POST', ofTournament(), body), 'bad_request', /role/)
    }
  })

  it('409: with 24 open; one that is withdrawn makes room', async () => {
    const made = []
    for (let count = 0; count < 24; count += 1) made.push(await invite())
    const refused = await host.ask('POST', ofTournament(), { role: 'tester' })
    expectSiteError(refused, 'conflict', /24 invitations/)
    const withdrawn = await host.ask('DELETE', `${ofTournament()}/${made[0]!.id}`)
    expectShape('withdrawInvitation', withdrawn)
    await invite()
    expectNone(await guest.ask('GET', made[0]!.path))
    const again = await host.ask('DELETE', `${ofTournament()}/${made[0]!.id}`)
    expectSiteError(again, 'not_found', refusals.tournamentNotFound[1])
  })

  it('403: for staff who are no hosts; 404: for everybody else (D-60, D-61)', async () => {
    const { id } = await invite()
    const asks = [
      ['GET', ofTournament()],
      ['POST', ofTournament(), { role: 'referee' }],
      ['DELETE', `${ofTournament()}/${id}`],
    ] as const
    for (const [method, path, body] of asks) {
      expectSiteError(
        await moderator.ask(method, path, body),
        'not_found',
        refusals.tournamentNotFound[1],
      )
      await setStaff(house.ports, slug, guest.viewer!.id, 'pooler')
      expectSiteError(await guest.ask(method, path, body), 'forbidden', refusals.roleForbids[1])
    }
  })
})

describe('GET /session/invitations/{token}', () => {
  it('names the tournament and the role, also of a private one, and the role that one has', async () => {
    const { path } = await invite('pooler')
    const offer = { tournament: { slug, name: 'Harbour Lights Cup' }, role: 'pooler' }
    const reply = await guest.ask('GET', path)
    expectShape('getInvitation', reply)
    expect(reply.json).toEqual(offer)
    expect((await host.ask('GET', path)).json).toEqual({ ...offer, currentRole: 'host' })
    expectSiteError(await guest.another().ask('GET', path), 'not_signed_in')
  })

  it('names the rounds that it is limited to, as they are called now; those that are gone are left out (D-81)', async () => {
    const named = ['Quarterfinals', 'Semifinals', 'Finals'].map((name) => ({ name }))
    const { slug, rounds } = await openTournament(house.ports, host.viewer!.id, {}, named)
    const [quarters, semis] = rounds.map(({ id }) => id)
    const body = { role: 'referee', rounds: [semis, quarters] }
    const { json } = await host.ask('POST', `/session/tournaments/${slug}/invitations`, body)
    const path = `/session/invitations/${json.url.slice(-43)}`
    const seen = async () => {
      const reply = await guest.ask('GET', path)
      expectShape('getInvitation', reply)
      expect(reply.text).not.toContain('Finals')
      return reply.json.rounds
    }
    const of = (id = '', name = '') => ({ id, name })
    expect(await seen()).toEqual([of(quarters, 'Quarterfinals'), of(semis, 'Semifinals')])
    await removeRound(slug, quarters!)
    expect(await seen()).toEqual([of(semis, 'Semifinals')])
    await removeRound(slug, semis!)
    expect(await seen()).toEqual([])
  })

  it('404: expired, used, withdrawn, of a host who is none any more, never made: all the same', async () => {
    const expired = await invite()
    house.clock.advance(7 * DAY)
    // What is left of the session.
    guest = await house.signedIn(7002, 'pools')
    host = await house.signedIn(7001, 'pools')
    const used = await invite()
    await guest.ask('POST', used.path)
    const orphan = await invite()
    await setStaff(house.ports, slug, moderator.viewer!.id, 'host')
    await setStaff(house.ports, slug, host.viewer!.id, 'pooler')
    const never = ['A'.repeat(43), 'short', `${used.token}A`, used.token.slice(1), '%00', 'ä']
    const paths = [expired, used, orphan].map(({ path }) => path)
    for (const path of [...paths, ...never.map((token) => `/session/invitations/${token}`)]) {
      expectNone(await guest.ask('GET', path))
      expectNone(await guest.ask('POST', path))
    }
  })
})

describe('POST /session/invitations/{token}', () => {
  it('joins the staff, once', async () => {
    const { path } = await invite('referee')
    const reply = await guest.ask('POST', path)
    expectShape('acceptInvitation', reply)
    expect(reply.json).toMatchObject({ role: 'referee', currentRole: 'referee' })
    expect(await roleOf(guest)).toBe('referee')
    expectNone(await moderator.ask('POST', path))
    expect(await roleOf(moderator)).toBeUndefined()
  })

  it('lets one of several join who open it at once', async () => {
    const { path } = await invite()
    const other = await house.another()
    const there = await house.signIn(guest.another(), 7002)
    const asks = [guest, moderator, there].map((browser) => browser.ask('POST', path))
    const cookie = [...moderator.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const inOther = fetch(other.url + path, {
      method: 'POST',
      headers: {
        cookie,
        origin: moderator.origin,
        'sec-fetch-site': 'same-origin',
        'x-csrf-token': moderator.viewer!.csrf,
      },
    })
    const statuses = (await Promise.all([...asks, inOther])).map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 404, 404, 404])
    const { staff } = (await house.ports.tournaments.read(slug))!
    expect(staff.filter(({ role }) => role === 'tester')).toHaveLength(1)
  })

  it('is logged without its token', async () => {
    const { path, token } = await invite()
    await guest.ask('POST', path)
    expect([...routes]).toContain('/session/invitations/:token')
    expect([...routes].join()).not.toContain(token)
  })

  it('leaves who is on the staff the higher role, and the link to others', async () => {
    const { path } = await invite('referee')
    const kept = await host.ask('POST', path)
    expect(kept.json).toMatchObject({ role: 'referee', currentRole: 'host' })
    expect(await roleOf(host)).toBe('host')
    expect((await guest.ask('POST', path)).status).toBe(200)
    const { path: higher } = await invite('pooler')
    expect((await guest.ask('POST', higher)).json.currentRole).toBe('pooler')
    expectNone(await moderator.ask('POST', higher))
  })

  it('says whether it gives more to who is on the staff already: a higher role, or more rounds (D-81)', async () => {
    const named = ['Quarterfinals', 'Semifinals'].map((name) => ({ name }))
    const { slug, rounds } = await openTournament(house.ports, host.viewer!.id, {}, named)
    const [quarters, semis] = rounds.map(({ id }) => id)
    const linkTo = async (body: object) => {
      const { json } = await host.ask('POST', `/session/tournaments/${slug}/invitations`, body)
      return `/session/invitations/${json.url.slice(-43)}`
    }
    const isMore = async (body: object) => {
      const reply = await guest.ask('GET', await linkTo(body))
      expectShape('getInvitation', reply)
      return reply.json.isMore ?? false
    }
    expect(await isMore({ role: 'tester' })).toBe(false)
    await guest.ask('POST', await linkTo({ role: 'tester', rounds: [quarters] }))
    for (const [body, expected] of [
      [{ role: 'referee' }, false],
      [{ role: 'tester', rounds: [quarters] }, false],
      [{ role: 'tester', rounds: [quarters, semis] }, true],
      [{ role: 'tester' }, true],
      [{ role: 'pooler', rounds: [quarters] }, true],
    ] as const) {
      expect(await isMore(body), JSON.stringify(body)).toBe(expected)
    }
  })

  it('gives a round that was deleted since to who joins, once it is restored (D-81, D-82)', async () => {
    const named = ['Quarterfinals', 'Semifinals', 'Finals'].map((name) => ({ name }))
    const { slug, rounds } = await openTournament(house.ports, host.viewer!.id, {}, named)
    const [quarters, semis] = rounds.map(({ id }) => id)
    const join = async (limit: string[]) => {
      const body = { role: 'tester', rounds: limit }
      const { json } = await host.ask('POST', `/session/tournaments/${slug}/invitations`, body)
      return `/session/invitations/${json.url.slice(-43)}`
    }
    const restore = (id: string) =>
      host.ask('POST', `/session/tournaments/${slug}/deleted-rounds/${id}/restore`)
    const drafts = async () =>
      (await guest.ask('GET', `/session/tournaments/${slug}`)).json.tournament.limitedTo
    const links = [await join([quarters!]), await join([semis!])]
    await removeRound(slug, quarters!)
    expect((await guest.ask('POST', links[0]!)).status).toBe(200)
    expect(await drafts()).toEqual([])
    // Nor does what is deleted keep them from joining for more.
    expect((await guest.ask('POST', links[1]!)).status).toBe(200)
    expect(await drafts()).toEqual([semis])
    expect((await restore(quarters!)).status).toBeLessThan(300)
    expect(await drafts()).toEqual([semis, quarters])
  })

  it('limits who joins to rounds, or lets them see more; a host is not limited (D-81)', async () => {
    const named = ['Quarterfinals', 'Semifinals', 'Finals'].map((name) => ({ name }))
    const { slug, rounds } = await openTournament(house.ports, host.viewer!.id, {}, named)
    const [quarters, semis, finals] = rounds.map(({ id }) => id)
    const send = (body: object) =>
      host.ask('POST', `/session/tournaments/${slug}/invitations`, body)
    const limitOf = async () => {
      const saved = await house.ports.tournaments.read(slug)
      return saved!.staff.find(({ accountId }) => accountId === guest.viewer!.id)?.rounds
    }
    for (const [limit, after] of [
      [[quarters!], [quarters!]],
      [[finals!, semis!], rounds.map(({ id }) => id)],
      [undefined, null],
    ] as const) {
      const { json } = await send({ role: 'tester', ...(limit && { rounds: limit }) })
      expect(json.invitation.rounds).toEqual(limit)
      const path = `/session/invitations/${json.url.slice(-43)}`
      expect((await guest.ask('POST', path)).status).toBe(200)
      expect(await limitOf()).toEqual(after)
    }
    expectSiteError(await send({ role: 'host', rounds: [finals] }), 'bad_request', /host/)
    expectSiteError(await send({ role: 'tester', rounds: ['AAAAAAAAAA'] }), 'bad_request', /rounds/)
  })

  it('409: when the staff is full, and when a host hosts 20 tournaments; the link stays valid', async () => {
    const { path } = await invite('host')
    const hosted = []
    for (let count = 0; count < 20; count += 1) {
      hosted.push(await makeTournament(house.ports, guest.viewer!.id))
    }
    expectSiteError(await guest.ask('POST', path), 'conflict', /20 tournaments/)
    for (const each of hosted) {
      await setStaff(house.ports, each, moderator.viewer!.id, 'host')
      await setStaff(house.ports, each, guest.viewer!.id, null)
    }
    for (let count = 1; count < 100; count += 1) {
      const id = `staff-${slug}-${count}`
      const player = { gameId: house.clock.now() + count, username: `player ${count}` }
      await house.ports.accounts.ensurePlayer(player, id, 0)
      await setStaff(house.ports, slug, id, 'referee')
    }
    expectSiteError(await guest.ask('POST', path), 'conflict', /100 members/)
    await setStaff(house.ports, slug, `staff-${slug}-1`, null)
    expect((await guest.ask('POST', path)).status).toBe(200)
    expect(await roleOf(guest)).toBe('host')
  })

  it('403: for a page of another site, and without the token of the session; nobody joins', async () => {
    const { path } = await invite()
    const foreign = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' }
    for (const headers of [foreign, { 'x-csrf-token': null }, { 'x-csrf-token': 'x' }]) {
      expectSiteError(await guest.ask('POST', path, undefined, headers), 'forbidden')
      const make = await host.ask('POST', ofTournament(), { role: 'host' }, headers)
      expectSiteError(make, 'forbidden')
    }
    expect(await roleOf(guest)).toBeUndefined()
  })
})
