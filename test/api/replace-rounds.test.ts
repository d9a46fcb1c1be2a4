import { describe, expect, it } from 'vitest'
import { expectError } from '../support/door.ts'
import { expectStanding } from './standing.ts'
import { openFaultyHouse, refusalsOf } from './tournament-refusals.ts'
import { aRound, newScene } from './tournament-scene.ts'

const { house, faults } = await openFaultyHouse()
const refuses = refusalsOf(faults, {
  house,
  method: 'PUT',
  ask: async ({ path, as }) => ({
    path: `${path}/rounds`,
    body: { rounds: [aRound(), { name: 'Finals' }] },
    headers: await as(path),
  }),
})

describe('200 the tournament as it is now', () => {
  it('has the rounds of the body in its order: known by id or name, or new; others are gone', async () => {
    const scene = await newScene(house)
    const pooler = await scene.staff('pooler')
    const path = `${scene.path}/rounds`
    const put = async (rounds: readonly object[]) =>
      pooler.ask('PUT', path, { body: { rounds }, headers: await asPooler() })
    const asPooler = async () => ({
      'if-match': (await pooler.get(scene.path)).headers.get('etag') ?? '',
    })
    const first = await put([{ name: 'Qualifiers' }, aRound({ name: 'QUARTERFINALS', bans: 1 })])
    expect(first.status).toBe(200)
    expectStanding(first)
    const [qualifiers, quarterfinals] = first.json.tournament.rounds
    expect(quarterfinals).toMatchObject({ id: scene.id, name: 'QUARTERFINALS', bans: 1 })
    const second = await put([{ id: scene.id, name: 'Semifinals' }, { name: 'Finals' }])
    const { rounds } = second.json.tournament
    expect(rounds.map(({ name }: { name: string }) => name)).toEqual(['Semifinals', 'Finals'])
    expect(rounds[0].id).toBe(scene.id)
    expectError(await pooler.get(`${path}/${qualifiers.id}`), 'not_found')
  })

  it('takes the tournament as it was read: nothing changes but updatedAt (D-17, D-49)', async () => {
    const scene = await newScene(house)
    const { tournament } = (await scene.host.get(scene.path)).json
    const headers = await scene.as(scene.path)
    const reply = await scene.host.ask('PUT', `${scene.path}/rounds`, { body: tournament, headers })
    expect(reply.status).toBe(200)
    expect(reply.headers.has('x-ignored-fields')).toBe(false)
    const { updatedAt } = reply.json.tournament
    expect(reply.json.tournament).toEqual({ ...tournament, updatedAt })
  })
})

describe('400 bad_request', () => {
  refuses.bodies([
    ['rounds is missing', {}],
    [
      'rounds must have at most 16 items',
      { rounds: Array.from({ length: 17 }, () => ({ name: 'QF' })) },
    ],
    ['rounds[1].name is missing', { rounds: [{ name: 'QF' }, {}] }],
    ['rounds[0].id must be of the form b3JkZXIgbX', { rounds: [{ id: 'x', name: 'QF' }] }],
    [/^rounds\[0\]\.id must be that of a round/, { rounds: [{ id: 'AAAAAAAAAA', name: 'QF' }] }],
    [
      'rounds[1].name is taken: rounds[0] is called QF already; take another name, or rename that round first',
      { rounds: [{ name: 'QF' }, { name: 'qf' }] },
    ],
    [
      'rounds[0].slots[0].index must be from 1 to 99',
      { rounds: [{ name: 'QF', slots: [{ mod: 'NM', index: 0 }] }] },
    ],
  ])
  refuses.oddTags()
})

describe('401 unauthorized, invalid_api_key', () => refuses.strangers())

describe('403 forbidden', () => refuses.otherRoles('tester', 'referee'))

describe('404 not_found', () => refuses.hidden({ takesBody: true }))

describe('409 conflict', () => {
  it('for a released or scheduled round that is missing', async () => {
    for (const at of ['now', '2026-12-01T18:00:00.000Z']) {
      const scene = await newScene(house)
      await scene.release(at)
      const before = await scene.read()
      const headers = await scene.as(scene.path)
      const body = { rounds: [{ name: 'Finals' }] }
      const reply = await scene.host.ask('PUT', `${scene.path}/rounds`, { body, headers })
      expectError(reply, 'conflict', /^Quarterfinals is (released|scheduled): keep it in the list/)
      expect(await scene.read()).toBe(before)
    }
  })
})

describe('412 precondition_failed', () => refuses.staleTags(({ path }) => path))

describe('413 too_large', () => refuses.largeBodies())

describe('415 unsupported_media_type', () => refuses.otherMedia())

describe('428 precondition_required', () => refuses.missingTags())

describe('429 rate_limited', () => refuses.overQuota())

describe('500 internal_error', () => refuses.faults())
