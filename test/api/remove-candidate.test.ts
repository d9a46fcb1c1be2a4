import { describe, expect, it } from 'vitest'
import { expectError } from '../support/door.ts'
import { candidatesOf, hidesItems, hidesOfReleased, propose } from './discussion-scene.ts'
import { expectStanding } from './standing.ts'
import { type Action, openFaultyHouse, refusalsOf } from './tournament-refusals.ts'
import { newScene } from './tournament-scene.ts'

const { house, faults } = await openFaultyHouse()
const action: Action = {
  house,
  method: 'DELETE',
  ask: async (scene) => ({ path: await propose(scene.host, scene) }),
}
const refuses = refusalsOf(faults, action)

describe('204 the candidate is gone', () => {
  it('with its votes: for hosts, for poolers, and for who proposed it (D-61)', async () => {
    const scene = await newScene(house)
    const [pooler, tester] = [await scene.staff('pooler'), await scene.staff('tester')]
    for (const asker of [scene.host, pooler, tester]) {
      house.clock.nextMinute()
      const path = await propose(tester, scene)
      await tester.ask('PUT', `${path}/vote`, { body: { vote: 1 } })
      const reply = await asker.ask('DELETE', path)
      expect(reply).toMatchObject({ status: 204, text: '' })
      expectStanding(reply)
      expect(await candidatesOf(scene)).toEqual([])
      expectError(await asker.ask('DELETE', path), 'not_found')
    }
  })
})

describe('400 bad_request', () => refuses.oddTags())

describe('401 unauthorized, invalid_api_key', () => refuses.strangers())

describe('403 forbidden', () => {
  refuses.otherRoles('tester', 'referee')
})

describe('404 not_found', () => {
  refuses.hidden()
  hidesOfReleased(action)
  hidesItems(action)
})

describe('412 precondition_failed', () => refuses.otherTags())

describe('429 rate_limited', () => refuses.overQuota())

describe('500 internal_error', () => refuses.faults('discussion'))
