import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { DoorPorts } from '../../src/door/context.ts'
import { issueKey, revokeKey } from '../../src/operations/keys.ts'
import { hidePack } from '../../src/operations/moderation.ts'
import { findViewer, signOut } from '../../src/operations/sessions.ts'
import { seed } from '../api/seed.ts'
import { HandClock } from '../support/hand-clock.ts'
import { Host, openHouse } from '../support/house.ts'
import { takeDatabase } from '../support/postgres-databases.ts'
import { aPack } from '../support/samples.ts'
import { signedIn } from '../support/signed-in.ts'
import { onPostgres } from '../support/test-stores.ts'

// Three houses over one database are what three processes are: they have no object in common but
// the clock. What only a process of its own shows is in serve.test.ts.
const database = await takeDatabase()
const clock = new HandClock()
let isCounted = true

/** Where quotas are not what is tried, they refuse nothing. */
const withPorts = (ports: DoorPorts): DoorPorts => ({
  ...ports,
  quotas: {
    ...ports.quotas,
    async admit(...request) {
      const admission = await ports.quotas.admit(...request)
      return isCounted ? admission : admission && { ...admission, refused: null }
    },
  },
})
const open = () => openHouse({ clock, withPorts, open: () => onPostgres(database.url) })
const houses = await Promise.all([open(), open(), open()])
const [one, two, three] = houses
afterAll(async () => {
  await Promise.all(houses.map((house) => house.close()))
  await database.giveBack()
})
beforeEach(() => {
  isCounted = true
  clock.nextMinute()
})

let players = 0
/** One player with one key, at the door of each process. */
const hostEverywhere = async (): Promise<readonly Host[]> => {
  players += 1
  const { key, gameId, username } = await one.hostOf(5_000 + players, `player ${players}`)
  return houses.map(({ doors }) => new Host(doors.packs, gameId, username, key))
}

const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at)

describe('three processes behind one address', () => {
  it('let exactly 60 of 1,000 requests of one account pass in a minute (spec 8)', async () => {
    const hosts = await hostEverywhere()
    const statuses: number[] = []
    for (const _ of range(20)) {
      const asked = range(50).map((at) => hosts[at % 3]!.get('/me'))
      statuses.push(...(await Promise.all(asked)).map(({ status }) => status))
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(60)
    expect(statuses.filter((status) => status === 429)).toHaveLength(940)
    clock.nextMinute()
    expect((await hosts[2]!.get('/me')).status).toBe(200)
  })

  it('let exactly 10 writes of one account pass, and count them as requests too (D-8)', async () => {
    const hosts = await hostEverywhere()
    const replies = await Promise.all(range(30).map((at) => hosts[at % 3]!.post(aPack())))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(10)
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(20)
    const reply = await hosts[0]!.get('/me')
    expect(reply.headers.get('ratelimit-remaining')).toBe('29')
  })

  it('refuse an address after 20 failed attempts, wherever they were made (D-5)', async () => {
    const attempts = range(30).map((at) => houses[at % 3]!.doors.packs.ask('GET', '/me'))
    const statuses = (await Promise.all(attempts)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(20)
    expect(statuses.filter((status) => status === 429)).toHaveLength(10)
  })

  it.each([170, 199])(
    'hold %i packs and 50 POSTs at once to exactly 200 (D-28)',
    async (before) => {
      const hosts = await hostEverywhere()
      await seed(one, hosts[0]!, before)
      isCounted = false
      const replies = await Promise.all(range(50).map((at) => hosts[at % 3]!.post(aPack())))
      expect(replies.filter(({ status }) => status === 201)).toHaveLength(200 - before)
      expect(replies.filter(({ status }) => status === 409)).toHaveLength(before - 150)
      expect((await hosts[1]!.get('/me/packs')).json.total).toBe(200)
    },
  )

  it('let one of 30 writes with the same If-Match go ahead, whoever gets it (D-48)', async () => {
    const hosts = await hostEverywhere()
    isCounted = false
    for (const [method, refused] of [['PUT', 412] as const, ['DELETE', 404] as const]) {
      const made = await hosts[0]!.post(aPack())
      const path = `/packs/${made.json.pack.slug}`
      const headers = { 'if-match': made.headers.get('etag') ?? '' }
      const ask = method === 'PUT' ? { headers, body: aPack({ name: 'Else' }) } : { headers }
      const replies = await Promise.all(
        range(30).map((at) => hosts[at % 3]!.ask(method, path, ask)),
      )
      const statuses = replies.map(({ status }) => status)
      expect(statuses.filter((status) => status < 300)).toHaveLength(1)
      expect(statuses.filter((status) => status === refused)).toHaveLength(29)
    }
  })

  it('refuse a replaced or revoked key from the moment that it is (spec 5)', async () => {
    const hosts = await hostEverywhere()
    isCounted = false
    const { gameId, username } = hosts[0]!
    for (const _ of range(10)) {
      clock.nextMinute()
      for (const host of hosts) expect((await host.get('/me')).status).toBe(200)
      const wish = { service: 'packs', keyPrefix: 'packs', gameId, username } as const
      const key = await issueKey(two.ports, wish)
      const old = await Promise.all(hosts.map((host) => host.get('/me')))
      expect(old.map(({ status }) => status)).toEqual([401, 401, 401])
      for (const host of hosts) host.key = key
    }
    clock.nextMinute()
    await revokeKey(three.ports, { service: 'packs', gameId })
    const last = await Promise.all(hosts.map((host) => host.get('/me')))
    expect(last.map(({ status }) => status)).toEqual([401, 401, 401])
  })

  it('show at once what another has changed: content, visibility, hiding, deleting', async () => {
    const [first, second, third] = (await hostEverywhere()) as [Host, Host, Host]
    const stranger = await two.host()
    isCounted = false
    const slug = await first.save(aPack({ name: 'one', visibility: 'public' }))
    expect((await stranger.get(`/packs/${slug}`)).json.pack.name).toBe('one')
    await third.put(slug, aPack({ name: 'two', visibility: 'public' }))
    expect((await stranger.get(`/packs/${slug}`)).json.pack.name).toBe('two')
    expect((await stranger.get('/packs')).json.packs[0].name).toBe('two')
    await hidePack(three.ports, slug)
    expect((await stranger.get(`/packs/${slug}`)).status).toBe(404)
    expect((await stranger.get('/packs')).json.total).toBe(0)
    expect((await second.get(`/packs/${slug}`)).json.pack.hiddenAt).toBeDefined()
    await first.delete(slug)
    expect((await second.get(`/packs/${slug}`)).status).toBe(404)
  })

  it('know a session that began elsewhere, and that it has ended', async () => {
    const { token, viewer } = await signedIn(one)
    expect(await findViewer(two.ports, 'packs', token)).toMatchObject({ username: 'Ada' })
    await signOut(three.ports, viewer, false)
    expect(await findViewer(two.ports, 'packs', token)).toBeNull()
  })
})
