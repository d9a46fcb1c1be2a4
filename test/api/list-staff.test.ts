import { describe, expect, it } from 'vitest'
import { expectError } from '../support/door.ts'
import { expectStanding } from './standing.ts'
import { openFaultyHouse, refusalsOf } from './tournament-refusals.ts'
import { newScene } from './tournament-scene.ts'

const { house, faults } = await openFaultyHouse()
const refuses = refusalsOf(faults, {
  house,
  method: 'GET',
  ask: ({ path }) => ({ path: `${path}/staff` }),
})

describe('200 the staff', () => {
  it('is the same for all of them: by role, then who came first (D-61)', async () => {
    const scene = await newScene(house)
    const referee = await scene.staff('referee')
    house.clock.advance(1000)
    const pooler = await scene.staff('pooler')
    const reply = await referee.get(`${scene.path}/staff`)
    expect(reply.status).toBe(200)
    expectStanding(reply)
    const members = [scene.host, pooler, referee].map(({ gameId, username }, at) => ({
      gameId,
      username,
      role: ['host', 'pooler', 'referee'][at],
    }))
    expect(reply.json).toEqual({ staff: members })
    expect((await pooler.get(`${scene.path}/staff`)).text).toBe(reply.text)
  })
})

describe('401 unauthorized, invalid_api_key', () => refuses.strangers())

describe('404 not_found', () => {
  refuses.hidden()

  it('is what others get of a public tournament, too (D-60)', async () => {
    const scene = await newScene(house, { visibility: 'public' })
    const stranger = await house.host('pools')
    const missing = await stranger.get('/tournaments/AAAAAAAAAA/staff')
    const reply = await stranger.get(`${scene.path}/staff`)
    expectError(reply, 'not_found')
    expect(reply.text).toBe(missing.text)
  })
})

describe('429 rate_limited', () => refuses.overQuota())

describe('500 internal_error', () => refuses.faults())
