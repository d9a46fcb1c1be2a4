import { describe, expect, it } from 'vitest'
import { expectError } from '../support/door.ts'
import { expectStanding } from './standing.ts'
import { openFaultyHouse, refusalsOf } from './tournament-refusals.ts'
import { newScene } from './tournament-scene.ts'

const { house, faults } = await openFaultyHouse()
const refuses = refusalsOf(faults, {
  house,
  method: 'PUT',
  ask: async ({ path }) => {
    const { gameId } = await house.host('pools')
    return { path: `${path}/staff/${gameId}`, body: { role: 'tester' } }
  },
})

describe('200 the member of the staff', () => {
  it('is new, or has another role from now on (D-61)', async () => {
    const scene = await newScene(house)
    const player = await house.host('pools')
    const { gameId, username } = player
    const path = `${scene.path}/staff/${gameId}`
    for (const role of ['referee', 'pooler'] as const) {
      const reply = await scene.host.ask('PUT', path, { body: { role } })
      expect(reply.status).toBe(200)
      expectStanding(reply)
      expect(reply.text).toBe(JSON.stringify({ member: { gameId, username, role } }))
      expect((await player.get(scene.path)).json.tournament.role).toBe(role)
    }
  })

  it('takes a member as they were read, and names what is unknown (D-49)', async () => {
    const scene = await newScene(house)
    const { gameId, username } = await scene.staff('tester')
    const body = { gameId, username, role: 'pooler', until: 'Sunday' }
    const reply = await scene.host.ask('PUT', `${scene.path}/staff/${gameId}`, { body })
    expect(reply.status).toBe(200)
    expect(reply.headers.get('x-ignored-fields')).toBe('until')
  })
})

describe('400 bad_request', () => {
  refuses.oddTags()

  refuses.bodies([
    ['role is missing', {}],
    ['role must be one of host, pooler, tester, referee', { role: 'admin' }],
    [/^role must/, { role: null }],
  ])
})

describe('401 unauthorized, invalid_api_key', () => refuses.strangers())

describe('403 forbidden', () => refuses.otherRoles('pooler', 'tester', 'referee'))

describe('404 not_found', () => {
  refuses.hidden({ takesBody: true })

  it('for a player without an account here, and for what is no game id', async () => {
    const scene = await newScene(house)
    const put = (gameId: string) =>
      scene.host.ask('PUT', `${scene.path}/staff/${gameId}`, { body: { role: 'tester' } })
    expectError(await put('999999'), 'not_found', /^no player with this game id has an account/)
    const missing = await scene.host.get('/tournaments/AAAAAAAAAA')
    for (const gameId of ['0', '01', '-1', 'ada', '1.5', '9'.repeat(17)]) {
      expect((await put(gameId)).text, gameId).toBe(missing.text)
    }
  })
})

describe('409 conflict', () => {
  it('for the last host, who keeps the role', async () => {
    const scene = await newScene(house)
    const path = `${scene.path}/staff/${scene.host.gameId}`
    const reply = await scene.host.ask('PUT', path, { body: { role: 'pooler' } })
    expectError(reply, 'conflict', /needs a host/)
    expectStanding(reply)
    expect((await scene.host.get(scene.path)).json.tournament.role).toBe('host')
  })

  it('for a 101st on the staff', async () => {
    const scene = await newScene(house)
    for (let count = 1; count < 100; count += 1) {
      house.clock.nextMinute()
      await scene.staff('referee')
    }
    const { gameId } = await house.host('pools')
    const path = `${scene.path}/staff/${gameId}`
    const reply = await scene.host.ask('PUT', path, { body: { role: 'referee' } })
    expectError(reply, 'conflict', 'the staff already has 100 members; remove someone first')
  })
})

describe('412 precondition_failed', () =>
  refusalsOf(faults, {
    house,
    method: 'PUT',
    ask: async ({ path, staff }) => {
      const { gameId } = await staff('tester')
      return { path: `${path}/staff/${gameId}`, body: { role: 'referee' } }
    },
  }).otherTags())

describe('413 too_large', () => refuses.largeBodies())

describe('415 unsupported_media_type', () => refuses.otherMedia())

describe('429 rate_limited', () => refuses.overQuota())

describe('500 internal_error', () => refuses.faults('tournaments', 'accounts'))
