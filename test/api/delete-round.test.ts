import { describe, expect, it } from 'vitest'
import { expectError } from '../support/door.ts'
import { expectStanding } from './standing.ts'
import { openFaultyHouse, refusalsOf } from './tournament-refusals.ts'
import { newScene } from './tournament-scene.ts'

const { house, faults } = await openFaultyHouse()
const refuses = refusalsOf(faults, {
  house,
  method: 'DELETE',
  ask: async ({ roundPath, as }) => ({ path: roundPath, headers: await as(roundPath) }),
})

describe('204 the round is gone', () => {
  it('and the others stay (D-61)', async () => {
    const scene = await newScene(house)
    const pooler = await scene.staff('pooler')
    const headers = await scene.as(scene.roundPath)
    const reply = await pooler.ask('DELETE', scene.roundPath, { headers })
    expect(reply).toMatchObject({ status: 204, text: '' })
    expectStanding(reply)
    expectError(await pooler.get(scene.roundPath), 'not_found')
    expect((await pooler.get(scene.path)).json.tournament.rounds).toEqual([])
  })

  it('with its pack, if it was released: for hosts alone (D-61)', async () => {
    const scene = await newScene(house)
    const pooler = await scene.staff('pooler')
    const { packSlug } = (await scene.release()).json.round
    const headers = await scene.as(scene.roundPath)
    expectError(await pooler.ask('DELETE', scene.roundPath, { headers }), 'forbidden')
    expect((await scene.host.ask('DELETE', scene.roundPath, { headers })).status).toBe(204)
    const packs = await house.host()
    expectError(await packs.get(`/packs/${packSlug}`), 'not_found')
  })
})

describe('400 bad_request', () => refuses.oddTags())

describe('401 unauthorized, invalid_api_key', () => refuses.strangers())

describe('403 forbidden', () => refuses.otherRoles('tester', 'referee'))

describe('404 not_found', () => refuses.hidden())

describe('412 precondition_failed', () => refuses.staleTags(({ roundPath }) => roundPath))

describe('428 precondition_required', () => refuses.missingTags())

describe('429 rate_limited', () => refuses.overQuota())

describe('500 internal_error', () => refuses.faults())
