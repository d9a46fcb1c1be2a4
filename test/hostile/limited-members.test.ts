import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { EventReader } from '../support/event-reader.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'
import {
  type Known,
  openOutsiders,
  type Outsider,
  pathsOf,
  type Seen,
} from './tournament-readers.ts'

/** What says how much of a quota the reader has left; the stream of a workspace, which has what the workspace has. */
const left = /GET \/session(?:\/(?:key|sessions|my-data))?$|\/events$/
const LIMITED = 8001
const OTHER = 7002

let house: SiteHouse
let host: Browser
let other: Browser
let readers: readonly Outsider[]

beforeAll(async () => {
  house = await openSiteHouse()
  host = await house.signedIn(7001, 'pools')
  other = await house.signedIn(OTHER, 'pools')
  readers = await openOutsiders(house, { member: LIMITED }, '')
  readers = readers.filter(({ name, service }) => name.startsWith('member') && service === 'pools')
})
afterAll(() => house.close())

const ask = async (
  method: string,
  path: string,
  body?: object,
  headers?: Record<string, string>,
) => {
  house.clock.advance(1_000)
  const reply = await host.ask(method, `/session/tournaments${path}`, body, headers)
  if (reply.status === 429) {
    house.clock.nextMinute()
    return ask(method, path, body, headers)
  }
  expect(reply.status, `${method} ${path} ${reply.text}`).toBeLessThan(300)
  return reply.json
}

const nm = (beatmapId: number) => [{ mod: 'NM', index: 1, beatmapId }]

/** A tournament whose member is limited to the second of three rounds. */
const open = async (role: string, facts: object) => {
  const { slug } = (await ask('POST', '', { name: 'Harbour Lights Cup', ...facts })).tournament
  const ids: string[] = []
  for (const name of ['Quarterfinals', 'Semifinals', 'Finals']) {
    const { round } = await ask('POST', `/${slug}/rounds`, { name, slots: nm(75) })
    ids.push(round.id)
  }
  const [first = '', own = '', last = ''] = ids
  await ask('PUT', `/${slug}/staff/${LIMITED}`, { role, rounds: [own] })
  await ask('PUT', `/${slug}/staff/${OTHER}`, { role: 'tester', rounds: [first] })
  const paths = { first: `/${slug}/rounds/${first}`, own: `/${slug}/rounds/${own}` }
  return { slug: String(slug), ids, first, last, path: paths }
}

const look = async (known: Known): Promise<ReadonlyMap<string, Seen>> => {
  const seen = new Map<string, Seen>()
  for (const reader of readers) {
    for (const path of pathsOf(reader, known)) {
      const line = `${reader.name} GET ${path}`
      if (!left.test(line)) seen.set(line, await reader.ask('GET', path))
    }
  }
  return seen
}

/** The tag of what is at the path, for the host. */
const as = async (path: string) => ({
  'if-match': (await host.ask('GET', `/session/tournaments${path}`)).headers.get('etag') ?? '',
})

describe('D-81: the workspace that a member who is limited to a round follows', () => {
  it('brings what changes in their round, and no byte of the others', async () => {
    const { slug, ids, first, path } = await open('pooler', { visibility: 'private' })
    const reader = await EventReader.open(other, `/session/tournaments/${slug}/events`)
    onTestFinished(() => reader.hangUp())
    const { marks } = await reader.until(({ here }) => here.length === 1)
    const change = { mod: 'NM', index: 1, from: { beatmapId: 75 } }
    const inOther = { ...change, to: { beatmapId: 7_654_321 } }
    await ask('PATCH', `${path.own}/slots`, { changes: [inOther] })
    const inOwn = { ...change, to: { beatmapId: 77 } }
    await ask('PATCH', `${path.first}/slots`, { changes: [inOwn] })
    const seen = await reader.until((event) => event.marks.rounds[first] !== marks.rounds[first])
    expect(seen.changed).toMatchObject([{ round: { id: first, slots: nm(77) } }])
    expect({ ...seen.marks, rounds: {} }).toEqual({ ...marks, rounds: {} })
    expect(reader.text).not.toContain('7654321')
    for (const id of ids) expect(reader.text.includes(id)).toBe(id === first)
  })
})

describe('D-81: what a member who is limited to a round reads, by every GET of both doors', () => {
  // The view does not depend on the role.
  it.each([
    ['pooler', 'private'],
    ['referee', 'public'],
  ])(
    'as a %s of a %s tournament is the same bytes, tags and times, whatever happens in other rounds',
    async (role, visibility) => {
      const { slug, ids, first, last, path } = await open(role, { visibility })
      if (visibility === 'public') await ask('PUT', `${path.first}/release`, { at: 'now' })
      const known: Known = { tournaments: [{ slug, rounds: ids }], packs: [], items: [] }
      const before = await look(known)
      const body = { name: 'Renamed', bestOf: 9, slots: nm(76) }
      await ask('PUT', path.first, body, await as(path.first))
      const change = { mod: 'NM', index: 1, from: { beatmapId: 76 }, to: { beatmapId: 77 } }
      await ask('PATCH', `${path.first}/slots`, { changes: [change] })
      await ask('POST', `${path.first}/remarks`, { text: 'Too long' })
      await ask('POST', `${path.first}/candidates`, nm(78)[0])
      const { round } = await ask('POST', `/${slug}/rounds`, {
        name: 'Grand Finals',
        slots: nm(79),
      })
      await ask('PUT', `/${slug}/rounds/${round.id}/release`, { at: '2030-01-01T00:00:00.000Z' })
      await ask('PUT', `/${slug}/rounds/${round.id}/release`, { at: null })
      const gone = `/${slug}/rounds/${last}`
      await ask('DELETE', gone, undefined, await as(gone))
      await ask('POST', `/${slug}/deleted-rounds/${last}/restore`)
      await ask('PUT', `/${slug}/staff/${OTHER}`, { role: 'tester', rounds: [first, last] })
      await ask('POST', `/${slug}/invitations`, { role: 'referee', rounds: [last] })
      const after = await look(known)
      for (const [line, seen] of before) expect(after.get(line), line).toEqual(seen)
      expect(after.size).toBe(before.size)
    },
  )

  it('has a mark of the staff that moves with the list of the staff, and with nothing else', async () => {
    const { slug, ids } = await open('tester', { visibility: 'private' })
    const [first = '', own = '', last = ''] = ids
    const [site] = readers.filter(({ door }) => door === 'site')
    const readAs = async (get: (path: string) => Promise<{ readonly text: string }>) => {
      const { marks } = JSON.parse((await get(`/session/tournaments/${slug}/workspace`)).text)
      const { text } = await get(`/session/tournaments/${slug}/staff`)
      return { list: text, mark: marks.staff as string }
    }
    const read = async () => [
      await readAs((path) => site!.ask('GET', path)),
      await readAs((path) => host.ask('GET', path)),
    ]
    const seen = [await read()]
    for (const rounds of [[last], null, [first, last], [own], [own, last], null, [first]]) {
      for (const role of ['tester', 'referee']) {
        await ask('PUT', `/${slug}/staff/${OTHER}`, { role, ...(rounds && { rounds }) })
        seen.push(await read())
      }
    }
    for (const [at, after] of seen.entries()) {
      for (const before of seen.slice(0, at)) {
        for (const [reader, { list, mark }] of after.entries()) {
          const then = before[reader]!
          expect([list, mark === then.mark]).toEqual([list, list === then.list])
        }
      }
    }
  })

  it('moves with what they see: their own round, what is set of the tournament, a release', async () => {
    const { slug, path } = await open('pooler', { visibility: 'public' })
    const [api] = readers.filter(({ door }) => door === 'api')
    const [site] = readers.filter(({ door }) => door === 'site')
    const read = async () => {
      const tournament = await api!.ask('GET', `/tournaments/${slug}`)
      const mine = JSON.parse((await api!.ask('GET', '/me/tournaments')).text).tournaments[0]
      const { marks } = JSON.parse(
        (await site!.ask('GET', `/session/tournaments/${slug}/workspace`)).text,
      )
      const { updatedAt } = JSON.parse(tournament.text).tournament
      expect(mine).toMatchObject({ slug, updatedAt })
      return { updatedAt, marks: JSON.stringify(marks), headers: tournament.headers.join() }
    }
    let before = await read()
    const change = { mod: 'NM', index: 1, from: { beatmapId: 75 }, to: { beatmapId: 77 } }
    for (const act of [
      () => ask('PATCH', `${path.own}/slots`, { changes: [change] }),
      () => ask('PATCH', `/${slug}`, { year: 2026 }),
      () => ask('PUT', `${path.first}/release`, { at: 'now' }),
      () => ask('PATCH', `/${slug}`, { announceRounds: true }),
      () => ask('POST', `/${slug}/rounds`, { name: 'Grand Finals' }),
      () => ask('PUT', `/${slug}/staff/${LIMITED}`, { role: 'tester' }),
    ]) {
      await act()
      const after = await read()
      expect(Date.parse(after.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt))
      expect(after.marks).not.toBe(before.marks)
      expect(after.headers).not.toBe(before.headers)
      before = after
    }
  })
})
