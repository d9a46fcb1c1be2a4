import { describe, expect, it } from 'vitest'
import { remark, remarksOf, hidesItems, hidesOfReleased } from './discussion-scene.ts'
import { expectStanding } from './standing.ts'
import { type Action, openFaultyHouse, refusalsOf } from './tournament-refusals.ts'
import { newScene } from './tournament-scene.ts'

const { house, faults } = await openFaultyHouse()
const action: Action = {
  house,
  method: 'GET',
  ask: async (scene) => ({ path: await remark(scene.host, scene) }),
}
const refuses = refusalsOf(faults, action)

describe('200 the remark', () => {
  it('is the same for all of the staff, and as in the list (D-61)', async () => {
    const scene = await newScene(house)
    const path = await remark(scene.host, scene)
    const [listed] = await remarksOf(scene)
    for (const asker of [scene.host, await scene.staff('referee')]) {
      const reply = await asker.get(path)
      expect(reply).toMatchObject({ status: 200, json: { remark: listed } })
      expectStanding(reply)
    }
  })
})

describe('401 unauthorized, invalid_api_key', () => refuses.strangers())

describe('404 not_found', () => {
  refuses.hidden()
  hidesOfReleased(action)
  hidesItems(action)
})

describe('429 rate_limited', () => refuses.overQuota())

describe('500 internal_error', () => refuses.faults('tournaments', 'discussion'))
