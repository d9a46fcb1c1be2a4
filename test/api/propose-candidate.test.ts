import { describe, expect, it } from 'vitest'
import { slurs } from '../../src/domain/slurs/slurs.ts'
import { expectError } from '../support/door.ts'
import { aCandidate, candidatesOf, hidesOfReleased, propose } from './discussion-scene.ts'
import { expectStanding } from './standing.ts'
import { type Action, openFaultyHouse, refusalsOf } from './tournament-refusals.ts'
import { newScene } from './tournament-scene.ts'

const slur = slurs[0]!.stem.replaceAll('*', '')
const { house, faults } = await openFaultyHouse()
const action: Action = {
  house,
  method: 'POST',
  ask: ({ roundPath }) => ({ path: `${roundPath}/candidates`, body: aCandidate }),
}
const refuses = refusalsOf(faults, action)

describe('201 the new candidate', () => {
  it('has no votes yet; others see it at once (D-61)', async () => {
    const scene = await newScene(house)
    const tester = await scene.staff('tester')
    const body = { ...aCandidate, note: ' Easier than the one we have ' }
    const reply = await tester.ask('POST', `${scene.roundPath}/candidates`, { body })
    expect(reply.status).toBe(201)
    expectStanding(reply)
    const { candidate } = reply.json
    const { gameId, username } = tester
    expect(candidate).toEqual({
      id: expect.stringMatching(/^[A-Za-z0-9_-]{10}$/),
      ...aCandidate,
      note: 'Easier than the one we have',
      proposedBy: { gameId, username },
      score: 0,
      votes: [],
      createdAt: new Date(house.clock.now()).toISOString(),
    })
    const path = `${scene.roundPath}/candidates/${candidate.id}`
    expect(reply.headers.get('location')).toBe(`http://pools.test/api/v1${path}`)
    expect(await candidatesOf(scene)).toEqual([candidate])
  })

  it('leaves the draft as it is (D-60)', async () => {
    const scene = await newScene(house)
    const before = await scene.read()
    await propose(scene.host, scene)
    expect(await scene.read()).toBe(before)
  })

  it('names what is unknown in the body (D-49)', async () => {
    const scene = await newScene(house)
    const body = { ...aCandidate, votes: [], reason: 'x' }
    const reply = await scene.host.ask('POST', `${scene.roundPath}/candidates`, { body })
    expect(reply.status).toBe(201)
    expect(reply.headers.get('x-ignored-fields')).toBe('reason')
  })
})

describe('400 bad_request', () => {
  refuses.bodies([
    ['beatmapId is missing', { mod: 'NM', index: 1 }],
    ['beatmapId must be from 1 to 2147483647', { ...aCandidate, beatmapId: 0 }],
    [
      'mod and index must be those of a slot of the round: Quarterfinals has no NM9',
      { ...aCandidate, index: 9 },
    ],
    [/Quarterfinals has no 1$/, { ...aCandidate, mod: null }],
    ['note must have 1 to 500 characters', { ...aCandidate, note: '  ' }],
    ['note must have 1 to 500 characters', { ...aCandidate, note: 'x'.repeat(501) }],
    [/^note must not contain U\+202E/, { ...aCandidate, note: 'a\u202eb' }],
    ['note must not contain a slur', { ...aCandidate, note: slur }],
  ])
})

describe('401 unauthorized, invalid_api_key', () => refuses.strangers())

describe('403 forbidden', () => {
  refuses.otherRoles('referee')
})

describe('404 not_found', () => {
  refuses.hidden()
  hidesOfReleased(action)
})

describe('409 conflict', () => {
  it('for a ninth candidate of a slot, and for one that it has', async () => {
    const scene = await newScene(house)
    for (let beatmapId = 1; beatmapId <= 8; beatmapId += 1) {
      await propose(scene.host, scene, { beatmapId })
    }
    house.clock.nextMinute()
    const ask = (beatmapId: number) =>
      scene.host.ask('POST', `${scene.roundPath}/candidates`, {
        body: { ...aCandidate, beatmapId },
      })
    const full = await ask(9)
    expectError(full, 'conflict', 'NM1 already has 8 candidates; remove one first')
    expectStanding(full)
    expectError(await ask(8), 'conflict', /^beatmap 8 is a candidate for NM1 already/)
    expect(await candidatesOf(scene)).toHaveLength(8)
  })
})

describe('413 too_large', () => refuses.largeBodies())

describe('415 unsupported_media_type', () => refuses.otherMedia())

describe('429 rate_limited', () => refuses.overQuota())

describe('500 internal_error', () => refuses.faults('discussion'))
