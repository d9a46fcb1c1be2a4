import { describe, expect, it } from 'vitest'
import { expectError } from '../support/door.ts'
import { expectStanding } from './standing.ts'
import { openFaultyHouse, refusalsOf } from './tournament-refusals.ts'
import { newScene } from './tournament-scene.ts'

const { house, faults } = await openFaultyHouse()
const refuses = refusalsOf(faults, {
  house,
  method: 'GET',
  ask: ({ path, host }) => ({ path: `${path}/staff/${host.gameId}` }),
})

describe('200 the member of the staff', () => {
  it('is the same for all of them, and as in the list (D-61)', async () => {
    const scene = await newScene(house)
    const referee = await scene.staff('referee')
    const { staff } = (await referee.get(`${scene.path}/staff`)).json
    for (const asker of [scene.host, referee]) {
      const reply = await asker.get(`${scene.path}/staff/${referee.gameId}`)
      expect(reply).toMatchObject({ status: 200, json: { member: staff[1] } })
      expectStanding(reply)
    }
  })
})

describe('401 unauthorized, invalid_api_key', () => refuses.strangers())

describe('404 not_found', () => {
  refuses.hidden()

  it('is who is not on the staff, with an account or without', async () => {
    const scene = await newScene(house)
    const { gameId } = await house.host('pools')
    for (const other of [gameId, 999_999]) {
      expectError(await scene.host.get(`${scene.path}/staff/${other}`), 'not_found')
    }
  })
})

describe('429 rate_limited', () => refuses.overQuota())

describe('500 internal_error', () => refuses.faults())
