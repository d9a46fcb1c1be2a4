import { describe, expect, it } from 'vitest'
import { slurs } from '../../src/domain/slurs/slurs.ts'
import { expectError, quotaOf } from '../support/door.ts'
import { aCandidate, candidatesOf, hidesOfReleased, propose } from './discussion-scene.ts'
import { expectStanding } from './standing.ts'
import { type Action, openFaultyHouse, refusalsOf } from './tournament-refusals.ts'
import { newScene, type Scene } from './tournament-scene.ts'

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

describe('201 the new candidates of a list, as one write', () => {
  const ofNM1 = (beatmapId: number) => ({ mod: 'NM', index: 1, beatmapId })
  const ofHD1 = (beatmapId: number) => ({ mod: 'HD', index: 1, beatmapId })
  const proposeAll = (
    { host, roundPath }: Scene,
    candidates: readonly object[],
    headers: Record<string, string> = {},
  ) => host.ask('POST', `${roundPath}/candidates`, { body: { candidates }, headers })

  it('are all there, in their order, at the address of the list', async () => {
    const scene = await newScene(house)
    await propose(scene.host, scene, { beatmapId: 5 })
    const sent = [ofHD1(7), { ...ofNM1(6), note: ' why ' }, ofHD1(6)]
    const reply = await proposeAll(scene, sent)
    expect(reply.status, reply.text).toBe(201)
    expectStanding(reply)
    const { gameId, username } = scene.host
    expect(reply.json).toEqual({
      candidates: [ofHD1(7), { ...ofNM1(6), note: 'why' }, ofHD1(6)].map((each) => ({
        id: expect.stringMatching(/^[A-Za-z0-9_-]{10}$/),
        ...each,
        proposedBy: { gameId, username },
        score: 0,
        votes: [],
        createdAt: new Date(house.clock.now()).toISOString(),
      })),
    })
    const path = `${scene.roundPath}/candidates`
    expect(reply.headers.get('location')).toBe(`http://pools.test/api/v1${path}`)
    expect((await candidatesOf(scene)).slice(1)).toEqual(reply.json.candidates)
  })

  it('spend one write, however many they are (spec 8)', async () => {
    const scene = await newScene(house)
    const before = quotaOf(await proposeAll(scene, [ofNM1(1)])).remaining
    const sent = Array.from({ length: 31 }, (_, at) => (at < 7 ? ofNM1(at + 2) : ofHD1(at)))
    // Of 32, NM1 and HD1 have room for fewer: what is refused spends a write, too.
    expect(quotaOf(await proposeAll(scene, sent)).remaining).toBe(before - 1)
    expect(quotaOf(await proposeAll(scene, sent.slice(0, 9))).remaining).toBe(before - 2)
    expect(await candidatesOf(scene)).toHaveLength(10)
  })

  it('name what is unknown of each (D-49)', async () => {
    const scene = await newScene(house)
    const reply = await proposeAll(scene, [
      { ...ofNM1(1), votes: [] },
      { ...ofNM1(2), why: 'x' },
    ])
    expect(reply.headers.get('x-ignored-fields')).toBe('candidates[1].why')
  })

  it('are made once under an Idempotency-Key; later those that are left are answered (D-86)', async () => {
    const scene = await newScene(house)
    const key = { 'idempotency-key': `list ${scene.slug}`.replace(' ', '-') }
    const sent = [ofNM1(1), ofNM1(2)]
    const first = await proposeAll(scene, sent, key)
    expect(await proposeAll(scene, sent, key)).toMatchObject({ status: 201, text: first.text })
    const [{ id }, second] = first.json.candidates
    await scene.host.ask('DELETE', `${scene.roundPath}/candidates/${id}`)
    expect((await proposeAll(scene, sent, key)).json.candidates).toEqual([second])
    expectError(await proposeAll(scene, [ofNM1(3)], key), 'bad_request', /^Idempotency-Key/)
    await scene.host.ask('DELETE', `${scene.roundPath}/candidates/${second.id}`)
    expectError(await proposeAll(scene, sent, key), 'not_found')
    expect(await candidatesOf(scene)).toEqual([])
  })

  it('are none of them there if one is refused, and that is named', async () => {
    const scene = await newScene(house)
    await propose(scene.host, scene, { beatmapId: 5 })
    const good = ofNM1(1)
    const many = Array.from({ length: 7 }, (_, at) => ofNM1(at + 10))
    for (const [candidates, code, message] of [
      [[good, { ...good, beatmapId: 0 }], 'bad_request', /^candidates\[1\]\.beatmapId must be/],
      [[good, { mod: 'NM', index: 1 }], 'bad_request', 'candidates[1].beatmapId is missing'],
      [[], 'bad_request', 'candidates must have 1 to 32 items'],
      [Array.from({ length: 33 }, (_, at) => ofNM1(at + 1)), 'bad_request', /1 to 32 items$/],
      [
        [good, ofHD1(1), good],
        'bad_request',
        'candidates[2] must not be the same beatmap for the same slot as candidates[0]',
      ],
      [[good, { ...good, index: 9 }], 'bad_request', /^candidates\[1\]\.mod and index must be/],
      [[good, { ...ofHD1(1), note: slur }], 'bad_request', /^candidates\[1\]\.note must not/],
      [[good, ofNM1(5)], 'conflict', /^candidates\[1\]: beatmap 5 is a candidate for NM1 already/],
      [[...many, good], 'conflict', /^candidates\[7\]: NM1 already has 8 candidates/],
    ] as const) {
      house.clock.nextMinute()
      expectError(await proposeAll(scene, candidates), code, message)
    }
    expect(await candidatesOf(scene)).toHaveLength(1)
    expect((await proposeAll(scene, many)).status).toBe(201)
  })

  it('cannot be both one and a list', async () => {
    const scene = await newScene(house)
    const body = { ...aCandidate, candidates: [ofNM1(2)] }
    const reply = await scene.host.ask('POST', `${scene.roundPath}/candidates`, { body })
    expectError(
      reply,
      'bad_request',
      'the body must be an object with mod and index and beatmapId or an object with candidates; send the fields of one alone',
    )
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
  refuses.hidden({ takesBody: true })
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
