import { describe, expect, it } from 'vitest'
import { expectError } from '../support/door.ts'
import { candidatesOf, dropSlot, hidesItems, hidesOfReleased, propose } from './discussion-scene.ts'
import { expectStanding } from './standing.ts'
import { type Action, openFaultyHouse, refusalsOf } from './tournament-refusals.ts'
import { newScene } from './tournament-scene.ts'

const first = { mod: 'NM', index: 1 }
const second = { mod: 'HD', index: 1 }

const { house, faults } = await openFaultyHouse()
const action: Action = {
  house,
  method: 'PATCH',
  ask: async (scene) => ({ path: await propose(scene.host, scene), body: second }),
}
const refuses = refusalsOf(faults, action)

describe('200 the candidate as it is now', () => {
  it('is for the other slot, with its votes and all else; of a slot that is gone, too (D-83)', async () => {
    const scene = await newScene(house)
    const [pooler, tester] = [await scene.staff('pooler'), await scene.staff('tester')]
    const path = await propose(tester, scene, { ...first, note: 'Easier' })
    await propose(tester, scene, { ...second, beatmapId: 5 })
    await pooler.ask('PUT', `${path}/vote`, { body: { vote: 1 } })
    await dropSlot(scene, first)
    const [before, other] = await candidatesOf(scene)
    expect(before).toMatchObject({ ...first, score: 1 })
    const moved = await pooler.ask('PATCH', path, { body: { ...second, note: 'ignored' } })
    expect(moved.status).toBe(200)
    expectStanding(moved)
    expect(moved.json.candidate).toEqual({ ...before, ...second })
    expect(await candidatesOf(scene)).toEqual([moved.json.candidate, other])
  })

  it('for hosts, poolers, and who proposed it (D-61); the same slot changes nothing', async () => {
    const scene = await newScene(house)
    const [pooler, tester] = [await scene.staff('pooler'), await scene.staff('tester')]
    const path = await propose(tester, scene, first)
    for (const by of [tester, pooler, scene.host]) {
      for (const body of [second, second, first]) {
        const { json } = await by.ask('PATCH', path, { body })
        expect(json.candidate).toMatchObject(body)
      }
    }
    const others = await propose(scene.host, scene, { ...first, beatmapId: 5 })
    expectError(await tester.ask('PATCH', others, { body: second }), 'forbidden')
  })
})

describe('400 bad_request', () => {
  refuses.oddTags()

  refuses.bodies([
    ['mod is missing; index is missing', {}],
    ['index must be from 1 to 99', { mod: 'NM', index: 0 }],
    [
      /^mod and index must be those of a slot of the round: .* has no NM7$/,
      { mod: 'NM', index: 7 },
    ],
  ])
})

describe('401 unauthorized, invalid_api_key', () => refuses.strangers())

describe('403 forbidden', () => refuses.otherRoles('tester', 'referee'))

describe('404 not_found', () => {
  refuses.hidden({ takesBody: true })
  hidesOfReleased(action)
  hidesItems(action)
})

describe('409 conflict', () => {
  it('the slot has this beatmap as a candidate, or eight others; nothing is moved', async () => {
    const scene = await newScene(house)
    const path = await propose(scene.host, scene, first)
    const twin = await propose(scene.host, scene, second)
    const move = () => scene.host.ask('PATCH', path, { body: second })
    expectError(await move(), 'conflict', /is a candidate for HD1 already; vote for it$/)
    await scene.host.ask('DELETE', twin)
    house.clock.nextMinute()
    for (let count = 1; count <= 8; count += 1) {
      await propose(scene.host, scene, { ...second, beatmapId: count })
    }
    house.clock.nextMinute()
    expectError(await move(), 'conflict', 'HD1 already has 8 candidates; remove one first')
    expect((await candidatesOf(scene))[0]).toMatchObject(first)
  })
})

describe('412 precondition_failed', () => refuses.otherTags())

describe('413 too_large', () => refuses.largeBodies())

describe('415 unsupported_media_type', () => refuses.otherMedia())

describe('429 rate_limited', () => refuses.overQuota())

describe('500 internal_error', () => refuses.faults('discussion'))
