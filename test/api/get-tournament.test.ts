import { describe, expect, it } from 'vitest'
import { expectError } from '../support/door.ts'
import { asPublicOf } from './as-public.ts'
import { expectStanding } from './standing.ts'
import { openFaultyHouse, refusalsOf } from './tournament-refusals.ts'
import { aChange, newScene } from './tournament-scene.ts'

const { house, faults } = await openFaultyHouse()
const refuses = refusalsOf(faults, { house, method: 'GET', ask: ({ path }) => ({ path }) })

const asPublic = asPublicOf(house, ({ path }) => path)

describe('200 the tournament', () => {
  it('is all of it for the staff, its fields in their order, each with their role (D-45, D-61)', async () => {
    const scene = await newScene(house, { description: 'Of three weeks', year: 2026 })
    await scene.release('2026-12-01T18:00:00.000Z')
    const reply = await scene.host.get(scene.path)
    expect(reply.status).toBe(200)
    expectStanding(reply)
    expect(reply.headers.get('etag')).toMatch(/^"[^"]+"$/)
    const { tournament } = reply.json
    expect(Object.keys(tournament).join(' ')).toBe(
      'slug name shortName description ruleset year visibility announceRounds role createdAt updatedAt rounds',
    )
    expect(tournament).toMatchObject({ role: 'host', visibility: 'private', ruleset: 'base' })
    expect(tournament.rounds).toEqual([
      expect.objectContaining({ id: scene.id, releaseAt: '2026-12-01T18:00:00.000Z' }),
    ])
    for (const role of ['pooler', 'tester', 'referee'] as const) {
      const member = await scene.staff(role)
      const { tournament: theirs } = (await member.get(scene.path)).json
      expect(theirs.role).toBe(role)
      expect(theirs.rounds).toEqual((await scene.host.get(scene.path)).json.tournament.rounds)
    }
  })

  it('is what was released, for everybody else (D-60)', async () => {
    const scene = await newScene(house)
    const stranger = await house.host('pools')
    await scene.publish()
    const empty = (await stranger.get(scene.path)).json.tournament
    expect(empty.rounds).toEqual([])
    expect(empty).not.toHaveProperty('upcoming')
    await scene.release()
    const reply = await stranger.get(scene.path)
    const { tournament } = reply.json
    expect(tournament).not.toHaveProperty('role')
    expect(tournament.rounds.map(({ name }: { name: string }) => name)).toEqual(['Quarterfinals'])
    const other = await house.host('pools')
    expect((await other.get(scene.path)).text).toBe(reply.text)
  })

  it('names what is to come if the host announces it (D-60)', async () => {
    const scene = await newScene(house, { visibility: 'public', announceRounds: true })
    const stranger = await house.host('pools')
    const { upcoming, rounds } = (await stranger.get(scene.path)).json.tournament
    expect({ upcoming, rounds }).toEqual({ upcoming: [{ name: 'Quarterfinals' }], rounds: [] })
  })

  it('keeps its tag for strangers while drafts change, and gives 304 for it (D-13, D-60)', async () => {
    const scene = await newScene(house, { visibility: 'public' })
    await scene.release()
    const stranger = await house.host('pools')
    const seen = await stranger.get(scene.path)
    const tag = seen.headers.get('etag') ?? ''
    const hostTag = (await scene.host.get(scene.path)).headers.get('etag')
    await scene.host.ask('PATCH', `${scene.roundPath}/slots`, { body: aChange })
    expect((await scene.host.get(scene.path)).headers.get('etag')).not.toBe(hostTag)
    const again = await stranger.get(scene.path, { 'if-none-match': tag })
    expect(again).toMatchObject({ status: 304, text: '' })
  })

  it('answers HEAD and OPTIONS, and names its methods (D-12)', async () => {
    const scene = await newScene(house)
    const head = await scene.host.ask('HEAD', scene.path)
    expect(head).toMatchObject({ status: 200, text: '' })
    const options = await scene.host.ask('OPTIONS', scene.path)
    expect(options.status).toBe(204)
    expect(options.headers.get('allow')).toBe('GET, PATCH, DELETE, HEAD, OPTIONS')
    const posted = await scene.host.ask('POST', scene.path)
    expectError(posted, 'method_not_allowed', 'this path takes GET, PATCH, DELETE, HEAD, OPTIONS')
  })
})

describe('200 as=public (D-84)', () => asPublic.shows())

describe('400 bad_request', () => asPublic.refuses())

describe('401 unauthorized, invalid_api_key', () => refuses.strangers())

describe('404 not_found', () => refuses.hidden())

describe('429 rate_limited', () => refuses.overQuota())

describe('500 internal_error', () => refuses.faults())
