import { describe, expect, it } from 'vitest'
import { expectError } from '../support/door.ts'
import { expectStanding } from './standing.ts'
import { openFaultyHouse, refusalsOf } from './tournament-refusals.ts'
import { newScene } from './tournament-scene.ts'

const { house, faults } = await openFaultyHouse()
const refuses = refusalsOf(faults, {
  house,
  method: 'DELETE',
  ask: async ({ path, staff }) => ({ path: `${path}/staff/${(await staff('tester')).gameId}` }),
})

describe('204 they are no longer on the staff', () => {
  it('whom a host removes, and who leaves (D-61)', async () => {
    const scene = await newScene(house)
    const [tester, referee] = [await scene.staff('tester'), await scene.staff('referee')]
    const pathOf = ({ gameId }: { gameId: number }) => `${scene.path}/staff/${gameId}`
    for (const [asker, gone] of [
      [scene.host, tester],
      [referee, referee],
    ] as const) {
      const reply = await asker.ask('DELETE', pathOf(gone))
      expect(reply).toMatchObject({ status: 204, text: '' })
      expectStanding(reply)
      expectError(await gone.get(scene.path), 'not_found')
    }
    expect((await scene.host.get(`${scene.path}/staff`)).json.staff).toHaveLength(1)
  })
})

describe('400 bad_request', () => refuses.oddTags())

describe('401 unauthorized, invalid_api_key', () => refuses.strangers())

describe('403 forbidden', () => refuses.otherRoles('pooler', 'referee'))

describe('404 not_found', () => {
  refuses.hidden()

  it('for who is not on the staff', async () => {
    const scene = await newScene(house)
    const missing = await scene.host.get('/tournaments/AAAAAAAAAA')
    for (const gameId of ['999999', 'ada']) {
      const reply = await scene.host.ask('DELETE', `${scene.path}/staff/${gameId}`)
      expectError(reply, 'not_found')
      expect(reply.text).toBe(missing.text)
    }
  })
})

describe('409 conflict', () => {
  it('for the last host, who stays', async () => {
    const scene = await newScene(house)
    const reply = await scene.host.ask('DELETE', `${scene.path}/staff/${scene.host.gameId}`)
    expectError(reply, 'conflict', /needs a host/)
    expectStanding(reply)
  })
})

describe('412 precondition_failed', () => refuses.otherTags())

describe('429 rate_limited', () => refuses.overQuota())

describe('500 internal_error', () => refuses.faults())
