import { describe, expect, it } from 'vitest'
import { candidatesOf, hidesItems, hidesOfReleased, propose } from './discussion-scene.ts'
import { expectStanding } from './standing.ts'
import { type Action, openFaultyHouse, refusalsOf } from './tournament-refusals.ts'
import { newScene } from './tournament-scene.ts'

const { house, faults } = await openFaultyHouse()
const action: Action = {
  house,
  method: 'PUT',
  ask: async (scene) => ({
    path: `${await propose(scene.host, scene)}/vote`,
    body: { vote: 1 },
  }),
}
const refuses = refusalsOf(faults, action)

describe('200 the candidate as it is now', () => {
  it('has one vote of each who voted; 0 takes it back (D-61)', async () => {
    const scene = await newScene(house)
    const tester = await scene.staff('tester')
    const path = `${await propose(scene.host, scene)}/vote`
    await scene.host.ask('PUT', path, { body: { vote: -1 } })
    const counts = []
    for (const vote of [1, 1, -1, 0, 0]) {
      const reply = await tester.ask('PUT', path, { body: { vote } })
      expect(reply.status).toBe(200)
      expectStanding(reply)
      const { candidate } = reply.json
      expect(await candidatesOf(scene)).toEqual([candidate])
      counts.push([candidate.score, candidate.votes.length])
    }
    expect(counts).toEqual([
      [0, 2],
      [0, 2],
      [-2, 2],
      [-1, 1],
      [-1, 1],
    ])
  })

  it('has no votes of those who have left the staff', async () => {
    const scene = await newScene(house)
    const tester = await scene.staff('tester')
    const path = await propose(tester, scene)
    await tester.ask('PUT', `${path}/vote`, { body: { vote: 1 } })
    await tester.ask('DELETE', `${scene.path}/staff/${tester.gameId}`)
    const { username, gameId } = tester
    expect(await candidatesOf(scene)).toMatchObject([
      { proposedBy: { gameId, username }, score: 0, votes: [] },
    ])
  })
})

describe('400 bad_request', () => {
  refuses.oddTags()

  refuses.bodies([
    ['vote is missing', {}],
    ['vote must be one of -1, 0, 1', { vote: 2 }],
    [/^vote must be/, { vote: '1' }],
    [/^vote must/, { vote: null }],
  ])
})

describe('401 unauthorized, invalid_api_key', () => refuses.strangers())

describe('403 forbidden', () => {
  refuses.otherRoles('referee')
})

describe('404 not_found', () => {
  refuses.hidden({ takesBody: true })
  hidesOfReleased(action)
  hidesItems(action)
})

describe('412 precondition_failed', () => refuses.otherTags())

describe('413 too_large', () => refuses.largeBodies())

describe('415 unsupported_media_type', () => refuses.otherMedia())

describe('429 rate_limited', () => refuses.overQuota())

describe('500 internal_error', () => refuses.faults('discussion'))
