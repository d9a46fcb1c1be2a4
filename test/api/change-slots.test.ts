import { describe, expect, it } from 'vitest'
import { expectError } from '../support/door.ts'
import { expectStanding } from './standing.ts'
import { openFaultyHouse, refusalsOf } from './tournament-refusals.ts'
import { aChange, newScene } from './tournament-scene.ts'

const { house, faults } = await openFaultyHouse()
const refuses = refusalsOf(faults, {
  house,
  method: 'PATCH',
  ask: ({ roundPath }) => ({ path: `${roundPath}/slots`, body: aChange }),
})

describe('200 the round as it is now', () => {
  it('replaces, empties, adds and removes, all in one (D-62, D-79)', async () => {
    const scene = await newScene(house)
    const pooler = await scene.staff('pooler')
    const path = `${scene.roundPath}/slots`
    const changes = [
      { mod: 'NM', index: 1, from: { beatmapId: 75 }, to: { placeholder: ' soon ' } },
      { mod: 'HD', index: 1, from: { beatmapId: 76 }, to: null },
      { mod: 'DT', index: 2, from: 'none', to: { beatmapId: 80 } },
      { mod: 'TB', index: 1, from: 'none', to: null },
    ]
    const reply = await pooler.ask('PATCH', path, { body: { changes } })
    expect(reply.status).toBe(200)
    expectStanding(reply)
    expect(reply.json.round.slots).toEqual([
      { mod: 'NM', index: 1, placeholder: 'soon' },
      { mod: 'HD', index: 1 },
      { mod: 'DT', index: 2, beatmapId: 80 },
      { mod: 'TB', index: 1 },
    ])
    const removal = { mod: 'TB', index: 1, from: null, to: 'none' }
    const after = await pooler.ask('PATCH', path, { body: { changes: [removal] } })
    expect(after.json.round.slots).toEqual(reply.json.round.slots.slice(0, 3))
  })

  it('keeps what is known of a map without an id: details and link, beside a beatmap too (D-77)', async () => {
    const scene = await newScene(house)
    const path = `${scene.roundPath}/slots`
    const planned = {
      placeholder: 'due Sunday',
      details: { artist: 'Camellia', title: 'Tidal Clock' },
      link: 'https://files.example/tidal-clock.osz',
    }
    const slot = { mod: 'NM', index: 1 }
    const first = { ...slot, from: { beatmapId: 75 }, to: planned }
    const reply = await scene.host.ask('PATCH', path, { body: { changes: [first] } })
    expect(reply.json.round.slots[0]).toEqual({ ...slot, ...planned })
    const { placeholder, ...others } = planned
    const change = { ...slot, from: { placeholder }, to: { beatmapId: 77, ...others } }
    const stale = await scene.host.ask('PATCH', path, { body: { changes: [change] } })
    expect([stale.status, stale.json.error.reason]).toEqual([409, 'slot_changed'])
    const changes = [{ ...change, from: planned }]
    const filled = await scene.host.ask('PATCH', path, { body: { changes } })
    expect(filled.json.round.slots[0]).toEqual({ ...slot, beatmapId: 77, ...others })
  })

  it('answers as a read of the round, with its tag', async () => {
    const scene = await newScene(house)
    const reply = await scene.host.ask('PATCH', `${scene.roundPath}/slots`, { body: aChange })
    const read = await scene.host.get(scene.roundPath)
    expect(read.text).toBe(reply.text)
    expect(read.headers.get('etag')).toBe(reply.headers.get('etag'))
  })

  it('lets changes of different slots land that come at once (D-62)', async () => {
    const scene = await newScene(house)
    const pooler = await scene.staff('pooler')
    const path = `${scene.roundPath}/slots`
    const other = { mod: 'HD', index: 1, from: { beatmapId: 76 }, to: { beatmapId: 78 } }
    const replies = await Promise.all([
      scene.host.ask('PATCH', path, { body: aChange }),
      pooler.ask('PATCH', path, { body: { changes: [other] } }),
    ])
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    const { round } = (await scene.host.get(scene.roundPath)).json
    expect(round.slots.map(({ beatmapId }: { beatmapId: number }) => beatmapId)).toEqual([77, 78])
  })

  it('takes slots as they were read, and names what is unknown (D-49)', async () => {
    const scene = await newScene(house)
    const [slot] = (await scene.host.get(scene.roundPath)).json.round.slots
    const change = { ...slot, from: slot, to: { ...slot, beatmapId: 5, note: 'x' } }
    const body = { changes: [change], reason: 'test' }
    const reply = await scene.host.ask('PATCH', `${scene.roundPath}/slots`, { body })
    expect(reply.status).toBe(200)
    expect(reply.headers.get('x-ignored-fields')).toBe('changes[0].to.note, reason')
  })
})

describe('400 bad_request', () => {
  refuses.oddTags()

  const slot = { mod: 'NM', index: 1 }
  const to = (content: unknown) => ({ changes: [{ ...slot, from: null, to: content }] })
  const either = 'an object, null or "none"'
  const filled = 'beatmapId or placeholder or details or link; send null for a slot that is empty'
  refuses.bodies([
    ['changes is missing', {}],
    ['changes must have 1 to 64 items', { changes: [] }],
    ['changes[0].from is missing', { changes: [{ ...slot, to: null }] }],
    [`changes[0].to must be ${either}`, to(75)],
    [`changes[0].to must be ${either}`, to('gone')],
    [`changes[0].to must have ${filled}`, to({})],
    [`changes[0].to must have ${filled}; is it beatmap_id?`, to({ beatmap_id: 75 })],
    [
      'changes[0].to.placeholder must be left out: the slot has a beatmap',
      to({ beatmapId: 1, placeholder: 'soon' }),
    ],
    [
      'changes[0].to.details.title must have 1 to 128 characters',
      to({ details: { title: 'x'.repeat(129) } }),
    ],
    [/^changes\[0\]\.to\.link must be/, to({ link: 'https://user@files.example/map' })],
    [/^changes\[0\]\.to\.link must be/, to({ link: 'http://files.example/map' })],
    ['changes[0].to.placeholder must have 1 to 100 characters', to({ placeholder: ' ' })],
    [
      'changes[0].to.beatmapId must be a whole number from 1 to 2147483647: take 75 from this link',
      to({ beatmapId: 'https://osu.ppy.sh/b/75' }),
    ],
    [
      /^changes\[1\]/,
      { changes: [1, 2].map((beatmapId) => ({ ...slot, from: null, to: { beatmapId } })) },
    ],
  ])
})

describe('401 unauthorized, invalid_api_key', () => refuses.strangers())

describe('403 forbidden', () => refuses.otherRoles('tester', 'referee'))

describe('404 not_found', () => refuses.hidden({ takesBody: true }))

describe('409 conflict', () => {
  it('for slots that are no longer as in from: none is changed, and the answer has them (D-62)', async () => {
    const scene = await newScene(house)
    const before = await scene.read()
    const changes = [
      { mod: 'HD', index: 1, from: { beatmapId: 76 }, to: { beatmapId: 5 } },
      { mod: 'NM', index: 1, from: { beatmapId: 1 }, to: { beatmapId: 5 } },
      { mod: 'DT', index: 1, from: 'none', to: null },
    ]
    const path = `${scene.roundPath}/slots`
    const reply = await scene.host.ask('PATCH', path, { body: { changes } })
    expect(reply.status).toBe(409)
    expectStanding(reply)
    expect(Object.keys(reply.json)).toEqual(['error', 'slots'])
    expect(reply.json).toEqual({
      error: {
        code: 'conflict',
        message: expect.stringMatching(/^NM1 changed meanwhile/),
        reason: 'slot_changed',
      },
      slots: [{ mod: 'NM', index: 1, beatmapId: 75 }],
    })
    expect(await scene.read()).toBe(before)
  })

  it.each([[null], [{ beatmapId: 2 }]])(
    'no_such_slot, from %j for a slot that is not there (D-79)',
    async (from) => {
      const scene = await newScene(house)
      const before = await scene.read()
      const changes = [{ mod: 'DT', index: 1, from, to: 'none' }]
      const path = `${scene.roundPath}/slots`
      const reply = await scene.host.ask('PATCH', path, { body: { changes } })
      expect([reply.status, reply.json]).toEqual([
        409,
        {
          error: {
            code: 'conflict',
            message: expect.stringMatching(/^there is no DT1 in the round/),
            reason: 'no_such_slot',
          },
          slots: [],
        },
      ])
      expect(await scene.read()).toBe(before)
    },
  )

  it('slot_changed, from "none" for a slot that is there, even an empty one (D-79)', async () => {
    const scene = await newScene(house)
    const path = `${scene.roundPath}/slots`
    const empty = { mod: 'NM', index: 1, from: { beatmapId: 75 }, to: null }
    await scene.host.ask('PATCH', path, { body: { changes: [empty] } })
    const changes = [{ mod: 'NM', index: 1, from: 'none', to: { beatmapId: 5 } }]
    const reply = await scene.host.ask('PATCH', path, { body: { changes } })
    expect([reply.status, reply.json]).toMatchObject([
      409,
      { error: { reason: 'slot_changed' }, slots: [{ mod: 'NM', index: 1 }] },
    ])
  })

  it('one of two who change the same slot at once gets it', async () => {
    const scene = await newScene(house)
    const path = `${scene.roundPath}/slots`
    const replies = await Promise.all(
      [1, 2].map(() => scene.host.ask('PATCH', path, { body: aChange })),
    )
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  })

  it('for a slot that a scheduled round would then lack (D-63)', async () => {
    const scene = await newScene(house)
    await scene.release('2026-12-01T18:00:00.000Z')
    const changes = [{ mod: 'NM', index: 1, from: { beatmapId: 75 }, to: null }]
    const path = `${scene.roundPath}/slots`
    const reply = await scene.host.ask('PATCH', path, { body: { changes } })
    expectError(reply, 'conflict', /withdraw the schedule first$/)
  })
})

describe('412 precondition_failed', () => refuses.otherTags())

describe('413 too_large', () => refuses.largeBodies())

describe('415 unsupported_media_type', () => refuses.otherMedia())

describe('429 rate_limited', () => refuses.overQuota())

describe('500 internal_error', () => refuses.faults())
