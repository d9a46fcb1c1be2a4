import { describe, expect, it } from 'vitest'
import { slurs } from '../../src/domain/slurs/slurs.ts'
import { expectError } from '../support/door.ts'
import { aRemark, hidesOfReleased, remarksOf } from './discussion-scene.ts'
import { expectStanding } from './standing.ts'
import { type Action, openFaultyHouse, refusalsOf } from './tournament-refusals.ts'
import { newScene } from './tournament-scene.ts'

const slur = slurs[0]!.stem.replaceAll('*', '')
const { house, faults } = await openFaultyHouse()
const action: Action = {
  house,
  method: 'POST',
  ask: ({ roundPath }) => ({ path: `${roundPath}/remarks`, body: aRemark }),
}
const refuses = refusalsOf(faults, action)

describe('201 the new remark', () => {
  it.each([{}, { mod: 'NM', index: 1 }])('with the place %j, not settled (D-61)', async (place) => {
    const scene = await newScene(house)
    const tester = await scene.staff('tester')
    const body = { text: ' Too long \n', ...place }
    const reply = await tester.ask('POST', `${scene.roundPath}/remarks`, { body })
    expect(reply.status).toBe(201)
    expectStanding(reply)
    const { remark } = reply.json
    const { gameId, username } = tester
    const now = new Date(house.clock.now()).toISOString()
    expect(remark).toEqual({
      id: expect.stringMatching(/^[A-Za-z0-9_-]{10}$/),
      ...place,
      text: 'Too long',
      writtenBy: { gameId, username },
      settled: false,
      createdAt: now,
      updatedAt: now,
    })
    const path = `${scene.roundPath}/remarks/${remark.id}`
    expect(reply.headers.get('location')).toBe(`http://pools.test/api/v1${path}`)
    expect(await remarksOf(scene)).toEqual([remark])
  })
})

describe('400 bad_request', () => {
  refuses.bodies([
    ['text is missing', {}],
    [/^index is missing/, { ...aRemark, mod: 'NM' }],
    [/^mod is missing/, { ...aRemark, index: 1 }],
    [/Quarterfinals has no NM9$/, { ...aRemark, mod: 'NM', index: 9 }],
    ['text must have 1 to 500 characters', { text: '  ' }],
    ['text must have 1 to 500 characters', { text: 'x'.repeat(501) }],
    [/^text must not contain U\+202E/, { text: 'a\u202eb' }],
    ['text must not contain a slur', { text: slur }],
  ])
})

describe('401 unauthorized, invalid_api_key', () => refuses.strangers())

describe('403 forbidden', () => {
  refuses.otherRoles('referee')
})

describe('404 not_found', () => {
  refuses.hidden({ takesBody: true })
  hidesOfReleased(action)
})

describe('409 conflict', () => {
  it('for a remark more than 500', async () => {
    const scene = await newScene(house)
    const { accountId } = (await house.ports.tournaments.read(scene.slug))!.staff[0]!
    const place = { slug: scene.slug, roundId: scene.id }
    const add = (at: number) => {
      const remark = { id: `remark-${100 + at}`, slot: null, text: 'x', createdAt: 0 }
      return house.ports.discussion.addRemark(place, accountId, remark, () => {})
    }
    for (let at = 0; at < 500; at += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, more) => add(at + more)))
    }
    const reply = await scene.host.ask('POST', `${scene.roundPath}/remarks`, { body: aRemark })
    expectError(reply, 'conflict', /^the round already has 500 remarks/)
    expectStanding(reply)
  })
})

describe('413 too_large', () => refuses.largeBodies())

describe('415 unsupported_media_type', () => refuses.otherMedia())

describe('429 rate_limited', () => refuses.overQuota())

describe('500 internal_error', () => refuses.faults('discussion'))
