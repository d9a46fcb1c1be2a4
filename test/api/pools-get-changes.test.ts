import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { TournamentChange } from '../../src/contract/tournament-feed.ts'
import { asOperator } from '../../src/domain/moderation.ts'
import { hidePack, unhidePack } from '../../src/operations/moderation.ts'
import { releaseDue } from '../../src/operations/releases.ts'
import { moderateTournament } from '../../src/operations/tournaments.ts'
import { expectError, type Reply } from '../support/door.ts'
import { type Host, openHouse } from '../support/house.ts'
import { createFaults } from './faults.ts'
import { refusesOverQuota, refusesStrangers, type Subject, survivesFaults } from './refusals.ts'
import { expectStanding, orderOf } from './standing.ts'
import { aChange, aRound, newScene, type Scene } from './tournament-scene.ts'

const faults = createFaults()
const house = await openHouse({ withPorts: faults.withPorts })
afterAll(() => house.close())

const subject: Subject = {
  house,
  service: 'pools',
  method: 'GET',
  prepare: async () => ({ path: '/changes' }),
}

const DAY_MS = 86_400_000

const read = (host: Host, after: string, query = ''): Promise<Reply> =>
  host.get(`/changes?after=${after}${query}`)
const now = async (host: Host): Promise<string> => (await host.get('/changes')).json.cursor
/** What has happened after a cursor: the kind, and whether it is about a round. */
const kindsIn = (reply: Reply): string[] =>
  reply.json.changes.map(({ kind, round }: TournamentChange) =>
    round === undefined ? `${kind} tournament` : kind,
  )

/** A tournament with one round, everybody at the end of the feed. */
const open = async (facts: object = {}) => {
  const scene = await newScene(house, facts)
  const { host } = scene
  const stranger = await house.host('pools')
  const [start, ownStart] = [await now(stranger), await now(host)]
  /** What a reader has heard since. */
  const heardBy = async (reader: Host) =>
    kindsIn(await read(reader, reader === stranger ? start : ownStart))
  return { scene, host, stranger, start, ownStart, heardBy }
}

const ask = async (host: Host, method: string, path: string, body?: unknown, headers = {}) => {
  const reply = await host.ask(method, path, { body, headers })
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`)
  return reply.json
}
const moderate = ({ slug }: Scene, action: 'hide' | 'unhide') =>
  moderateTournament(house.ports, slug, action, asOperator())

describe('200 changes', () => {
  it('is { changes, cursor, more }, with tournament, round and pack, as D-89 has them', async () => {
    const { scene, stranger, start } = await open({ visibility: 'public' })
    const at = new Date(house.clock.now()).toISOString()
    const { packSlug } = (await scene.release()).json.round
    const reply = await read(stranger, start)
    expect(reply.status).toBe(200)
    expectStanding(reply)
    expect(orderOf(reply.json)).toEqual(['changes', 'cursor', 'more'])
    const { cursor } = reply.json
    const { slug: tournament, id: round } = scene
    expect(reply.json).toEqual({
      changes: [{ cursor, at, kind: 'released', tournament, round, packSlug }],
      cursor,
      more: false,
    })
    expect(orderOf(reply.json.changes[0])).toEqual([
      'cursor',
      'at',
      'kind',
      'tournament',
      'round',
      'packSlug',
    ])
    expect((await read(stranger, cursor)).json).toEqual({ changes: [], cursor, more: false })
  })

  it('says to everybody what is released, changed, filled and withdrawn of a public tournament', async () => {
    const { scene, host, stranger, heardBy } = await open({ visibility: 'public' })
    const { path, roundPath } = scene
    const planned = { mod: 'FM', index: 1, placeholder: 'custom map' }
    const slots = [...aRound().slots, planned]
    await ask(host, 'PUT', roundPath, aRound({ slots }), await scene.as(roundPath))
    await ask(host, 'PUT', `${roundPath}/release`, { at: 'now', incomplete: true })
    const from = { placeholder: planned.placeholder }
    const changes = [{ mod: 'FM', index: 1, from, to: { beatmapId: 90 } }]
    await ask(host, 'PATCH', `${roundPath}/slots`, { changes })
    await releaseDue({ ...house.ports }, { slug: scene.slug, roundId: scene.id })
    const { round } = await ask(host, 'GET', roundPath)
    const mapPackUrl = 'https://files.example/qf.zip'
    await ask(host, 'PUT', roundPath, { ...round, mapPackUrl }, await scene.as(roundPath))
    await ask(host, 'PATCH', `${roundPath}/slots`, aChange)
    await scene.release()
    await ask(host, 'PATCH', path, { name: 'Harbour Cup' })
    await scene.release(null)
    expect(await heardBy(stranger)).toEqual([
      'released',
      'filled',
      'changed',
      'changed',
      'changed tournament',
      'withdrawn',
    ])
  })

  it('says when a tournament can be read by everybody, and when not any more', async () => {
    const { scene, host, stranger, heardBy } = await open()
    await scene.release()
    await scene.publish()
    await moderate(scene, 'hide')
    await moderate(scene, 'unhide')
    await ask(host, 'PATCH', scene.path, { visibility: 'private' })
    await scene.publish()
    await ask(host, 'DELETE', scene.path)
    const told = ['shown', 'hidden', 'shown', 'hidden', 'shown', 'hidden']
    expect(await heardBy(stranger)).toEqual(told.map((kind) => `${kind} tournament`))
  })

  it('says of a round that is deleted that it is withdrawn, if everybody knew it', async () => {
    const { scene, host, stranger, heardBy } = await open({ visibility: 'public' })
    const body = aRound({ name: 'Finals' })
    const { round } = await ask(host, 'POST', `${scene.path}/rounds`, body)
    const other = `${scene.path}/rounds/${round.id}`
    await scene.release()
    await ask(host, 'DELETE', other, undefined, await scene.as(other))
    await ask(host, 'DELETE', scene.roundPath, undefined, await scene.as(scene.roundPath))
    expect(await heardBy(stranger)).toEqual(['released', 'withdrawn'])
    expect(await heardBy(host)).toEqual(['draft', 'released', 'draft', 'withdrawn'])
  })

  it('says of a round whose pack a moderator hides or an operator removes what everybody sees', async () => {
    const { scene, stranger, heardBy } = await open({ visibility: 'public' })
    const { packSlug } = (await scene.release()).json.round
    await hidePack(house.ports, packSlug)
    await unhidePack(house.ports, packSlug)
    await house.ports.packs.remove(packSlug, 'tournament-pools', house.clock.now())
    expect(await heardBy(stranger)).toEqual(['released', 'withdrawn', 'released', 'withdrawn'])
  })

  it('says to the staff what happens to drafts, staff, candidates and remarks, and to nobody else', async () => {
    const { scene, host, stranger, start, heardBy } = await open({ visibility: 'public' })
    const { roundPath } = scene
    const member = await scene.staff('tester')
    const joined = await now(member)
    await ask(host, 'PATCH', `${roundPath}/slots`, aChange)
    const proposal = { mod: 'NM', index: 1, beatmapId: 75 }
    const { candidate } = await ask(member, 'POST', `${roundPath}/candidates`, proposal)
    const one = `${roundPath}/candidates/${candidate.id}`
    await ask(member, 'PUT', `${one}/vote`, { vote: 1 })
    await ask(member, 'DELETE', one)
    const { remark } = await ask(member, 'POST', `${roundPath}/remarks`, { text: 'too hard' })
    await ask(host, 'PATCH', `${roundPath}/remarks/${remark.id}`, { settled: true })
    await ask(host, 'DELETE', `${roundPath}/remarks/${remark.id}`)
    await scene.release('2030-01-01T00:00:00.000Z')
    await ask(host, 'DELETE', `${scene.path}/staff/${member.gameId}`)
    const kinds = ['draft', 'candidate', 'candidate', 'candidate', 'remark', 'remark', 'remark']
    const told = [...kinds, 'draft', 'staff tournament']
    expect(await heardBy(host)).toEqual(['staff tournament', ...told])
    expect(kindsIn(await read(member, joined))).toEqual(told)
    expect((await read(stranger, start)).json).toEqual({ changes: [], cursor: start, more: false })
    await ask(host, 'PATCH', `${roundPath}/slots`, {
      changes: [{ mod: 'NM', index: 2, from: 'none', to: { beatmapId: 91 } }],
    })
    expect(kindsIn(await read(member, joined))).toEqual(told)
  })

  it('says of a private tournament to its staff what others hear of public ones', async () => {
    const { scene, host, stranger, start, heardBy } = await open()
    await scene.release()
    await ask(host, 'PATCH', scene.path, { name: 'Harbour Cup' })
    await scene.release(null)
    await ask(host, 'DELETE', scene.path)
    const told = ['released', 'changed tournament', 'withdrawn', 'hidden tournament']
    expect(await heardBy(host)).toEqual(told)
    expect((await read(stranger, start)).json.cursor).toBe(start)
  })

  it('says to who is limited to rounds nothing of the others (D-81)', async () => {
    const { scene, host } = await open()
    const body = aRound({ name: 'Finals' })
    const { round } = await ask(host, 'POST', `${scene.path}/rounds`, body)
    const finals = `${scene.path}/rounds/${round.id}`
    const referee = await house.host('pools')
    const limit = { role: 'tester', rounds: [round.id] }
    await ask(host, 'PUT', `${scene.path}/staff/${referee.gameId}`, limit)
    const joined = await now(referee)
    house.clock.nextMinute()
    await ask(host, 'PATCH', `${scene.roundPath}/slots`, aChange)
    await ask(host, 'POST', `${scene.roundPath}/remarks`, { text: 'secret' })
    await ask(host, 'POST', `${scene.roundPath}/candidates`, { mod: 'HD', index: 1, beatmapId: 3 })
    await scene.release()
    await scene.release(null)
    const quiet = { changes: [], cursor: joined, more: false }
    expect((await read(referee, joined)).json).toEqual(quiet)
    expect(await now(referee)).toBe(joined)
    await ask(host, 'PATCH', `${finals}/slots`, aChange)
    await ask(host, 'POST', `${finals}/remarks`, { text: 'for you' })
    expect(kindsIn(await read(referee, joined))).toEqual(['draft', 'remark'])
    const heard: TournamentChange[] = (await read(referee, joined)).json.changes
    expect(heard.map((change) => change.round)).toEqual([round.id, round.id])
  })

  it('begins now where after is left out, and for others where it did before, if only drafts have moved', async () => {
    const { scene, host, stranger, start, ownStart } = await open({ visibility: 'public' })
    await ask(host, 'PATCH', `${scene.roundPath}/slots`, aChange)
    expect(await now(stranger)).toBe(start)
    expect(await now(host)).not.toBe(ownStart)
    house.clock.advance(31 * DAY_MS)
    expect(await now(stranger)).toBe(start)
    await scene.release()
    expect(kindsIn(await read(stranger, start))).toEqual(['released'])
  })

  it('says nothing of what somebody alone knew who is gone, and to the others that they have left', async () => {
    const { scene, host, stranger, start } = await open()
    const leaver = await house.hostOf(88_888, 'leaver', 'pools')
    const own = await ask(leaver, 'POST', '/tournaments', { name: 'Own Cup' })
    await ask(host, 'PUT', `${scene.path}/staff/88888`, { role: 'host' })
    const shared = await ask(leaver, 'POST', '/tournaments', {
      name: 'Shared',
      visibility: 'public',
    })
    const before = await now(host)
    const account = await house.ports.accounts.findByGameId(88_888)
    await house.ports.accounts.remove(account!.id, house.clock.now())
    expect(kindsIn(await read(host, before)).toSorted()).toEqual([
      'hidden tournament',
      'staff tournament',
    ])
    const heard: TournamentChange[] = (await read(stranger, start)).json.changes
    const { slug } = shared.tournament
    expect(heard.map(({ kind, tournament }) => [kind, tournament])).toEqual([
      ['shown', slug],
      ['hidden', slug],
    ])
    const rows = await house.ports.tournamentChanges.read(start, 100)
    const kept = JSON.stringify(rows)
    expect(kept).not.toContain(account!.id)
    expect(kept).not.toContain(own.tournament.slug)
  })

  it('carries a strong ETag; the same again is 304 (D-13)', async () => {
    const { scene, stranger, start } = await open({ visibility: 'public' })
    const reply = await read(stranger, start)
    const etag = reply.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[^"]+"$/)
    const again = await stranger.get(`/changes?after=${start}&wait=0`, { 'If-None-Match': etag })
    expect(again).toMatchObject({ status: 304, text: '' })
    await scene.release()
    const changed = await stranger.get(`/changes?after=${start}`, { 'If-None-Match': etag })
    expect(changed.status).toBe(200)
  })

  describe('with wait', () => {
    it('is answered as soon as something comes, and not by what the caller may not see', async () => {
      const { scene, host, stranger, start } = await open({ visibility: 'public' })
      const waiting = read(stranger, start, '&wait=25')
      await ask(host, 'PATCH', `${scene.roundPath}/slots`, aChange)
      await scene.release()
      expect(kindsIn(await waiting)).toEqual(['released'])
    })

    it('hears of what the worker of another process releases', async () => {
      const { scene, stranger, start } = await open({ visibility: 'public' })
      const at = new Date(house.clock.now() + 1000).toISOString()
      await scene.release(at)
      const waiting = read(stranger, start, '&wait=25')
      house.clock.advance(1000)
      const elsewhere = await house.again()
      const ports = { ...house.ports, tournaments: elsewhere.tournaments }
      expect(await releaseDue(ports, { slug: scene.slug, roundId: scene.id })).toBe(true)
      expect(kindsIn(await waiting)).toEqual(['released'])
      await elsewhere.care.close()
    })

    it('is empty when the time is over', async () => {
      const { stranger, start } = await open()
      const reply = await read(stranger, start, '&wait=1')
      expect(reply.json).toEqual({ changes: [], cursor: start, more: false })
    })
  })
})

describe('400 bad_request', () => {
  let host: Host
  beforeEach(async () => {
    host = (await open()).host
  })

  const wrongAfter =
    'after must be one cursor as it was received; leave it out to begin with what happens from now on'

  it.each(['', 'x', 'Zm9vYmFyYmF6cXV4Y29ycw', '%00'])(
    'takes no cursor that was not received: %j',
    async (after) => expectError(await read(host, after), 'bad_request', wrongAfter),
  )

  it('takes no cursor of the feed of packs', async () => {
    const other = await now(await house.host('packs'))
    expectError(await read(host, other), 'bad_request', wrongAfter)
  })

  it.each(['', '26', '-1', '1.5'])('waits for no wait=%s', async (wait) => {
    const message = 'wait must be one whole number of seconds from 0 to 25'
    expectError(await host.get(`/changes?wait=${wait}`), 'bad_request', message)
  })
})

describe('401 unauthorized, invalid_api_key', () => refusesStrangers(subject))

describe('410 gone', () => {
  it('names the cursor to continue with', async () => {
    const { scene, stranger, start } = await open({ visibility: 'public' })
    await scene.release()
    house.clock.advance(31 * DAY_MS)
    await scene.release(null)
    await scene.release()
    const { tournamentChanges } = house.ports
    while (await tournamentChanges.forget(house.clock.now() + 1)) continue
    const reply = await read(stranger, start, '&wait=25')
    expectError(
      reply,
      'gone',
      /^changes are kept for 30 days, and some after this cursor are gone; /,
    )
    expectStanding(reply)
    const [, cursor = ''] = /after=([\w-]{22})$/.exec(reply.json.error.message) ?? []
    await scene.release(null)
    expect(kindsIn(await read(stranger, cursor))).toEqual(['released', 'withdrawn'])
  })
})

describe('429 rate_limited', () => refusesOverQuota(subject))

describe('500 internal_error', () =>
  survivesFaults(subject, faults, ['tournamentChanges', 'quotas']))
