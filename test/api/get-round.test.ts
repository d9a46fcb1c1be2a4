import { describe, expect, it } from 'vitest'
import { expectError } from '../support/door.ts'
import { asPublicOf } from './as-public.ts'
import { expectStanding } from './standing.ts'
import { openFaultyHouse, refusalsOf } from './tournament-refusals.ts'
import { aChange, aRound, newScene } from './tournament-scene.ts'

const { house, faults } = await openFaultyHouse()
const refuses = refusalsOf(faults, {
  house,
  method: 'GET',
  ask: ({ roundPath }) => ({ path: roundPath }),
})

const asPublic = asPublicOf(house, ({ roundPath }) => roundPath)

describe('200 the round', () => {
  it('is the draft for the staff (D-61)', async () => {
    const scene = await newScene(house)
    const referee = await scene.staff('referee')
    const reply = await referee.get(scene.roundPath)
    expect(reply.status).toBe(200)
    expectStanding(reply)
    const { round } = reply.json
    expect(Object.keys(round)).toEqual(['id', 'name', 'slots', 'createdAt', 'updatedAt'])
    expect(round).toMatchObject({ id: scene.id, ...aRound() })
    expect(await scene.read(scene.roundPath)).toBe(reply.text)
  })

  it('is what was released for everybody else, whatever the draft has become (D-60)', async () => {
    const scene = await newScene(house, { visibility: 'public' })
    const stranger = await house.host('pools')
    expectError(await stranger.get(scene.roundPath), 'not_found')
    await scene.release()
    const seen = await stranger.get(scene.roundPath)
    expect(seen.json.round).toMatchObject({ id: scene.id, ...aRound() })
    await scene.host.ask('PATCH', `${scene.roundPath}/slots`, { body: aChange })
    expect((await stranger.get(scene.roundPath)).text).toBe(seen.text)
    const packs = await house.host()
    const pack = await packs.get(`/packs/${seen.json.round.packSlug}`)
    expect(pack.json.pack.slots).toEqual(seen.json.round.slots)
    await scene.host.ask('PUT', `${scene.roundPath}/release`, { body: { at: null } })
    expectError(await stranger.get(scene.roundPath), 'not_found')
  })
})

describe('200 as=public (D-84)', () => asPublic.shows())

describe('400 bad_request', () => asPublic.refuses())

describe('401 unauthorized, invalid_api_key', () => refuses.strangers())

describe('404 not_found', () => refuses.hidden())

describe('429 rate_limited', () => refuses.overQuota())

describe('500 internal_error', () => refuses.faults())
