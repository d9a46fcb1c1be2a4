import { describe, expect, it } from 'vitest'
import { expectError } from '../support/door.ts'
import { expectStanding } from './standing.ts'
import { openFaultyHouse, refusalsOf } from './tournament-refusals.ts'
import { aRound, newScene } from './tournament-scene.ts'

const { house, faults } = await openFaultyHouse()
const refuses = refusalsOf(faults, {
  house,
  method: 'POST',
  ask: ({ path }) => ({ path: `${path}/rounds`, body: aRound({ name: 'Finals' }) }),
})

describe('201 the new round', () => {
  it('comes after the others; Location leads to it (D-61)', async () => {
    const scene = await newScene(house)
    const pooler = await scene.staff('pooler')
    const body = {
      name: ' Finals ',
      slots: [
        { mod: 'TB', index: 1, placeholder: ' custom map, due Sunday ' },
        { mod: 'RC', index: 1, beatmapId: 75 },
        { mod: 'NM', index: 1 },
      ],
      buckets: [{ code: 'RC', color: 3, mods: { kind: 'free' } }],
      bestOf: 11,
      bans: 0,
      packName: 'HLC Finals',
      targets: { stars: { min: 5.5 }, length: { max: 300 } },
    }
    const reply = await pooler.ask('POST', `${scene.path}/rounds`, { body })
    expect(reply.status).toBe(201)
    expectStanding(reply)
    const { round } = reply.json
    expect(Object.keys(round).join(' ')).toBe(
      'id name slots buckets bestOf bans packName targets createdAt updatedAt',
    )
    expect(round).toMatchObject({
      name: 'Finals',
      slots: [
        { mod: 'TB', index: 1, placeholder: 'custom map, due Sunday' },
        { mod: 'RC', index: 1, beatmapId: 75 },
        { mod: 'NM', index: 1 },
      ],
      bestOf: 11,
      bans: 0,
      packName: 'HLC Finals',
      targets: { stars: { min: 5.5 }, length: { max: 300 } },
    })
    const path = `${scene.path}/rounds/${round.id}`
    expect(reply.headers.get('location')).toBe(`http://pools.test/api/v1${path}`)
    expect((await scene.host.get(path)).text).toBe(reply.text)
    const { rounds } = (await scene.host.get(scene.path)).json.tournament
    expect(rounds.map(({ id }: { id: string }) => id)).toEqual([scene.id, round.id])
  })

  it('keeps nothing of a slot that is no field of it, wherever it stands (D-17, D-77)', async () => {
    const scene = await newScene(house)
    const others = { foo: ['bar', { x: 1 }], title2: 'bar' }
    const title = { title: 'Reef' }
    const known = [undefined, {}, title].flatMap((details) => [details, { ...details, ...others }])
    const slots = known.map((details, at) => ({
      mod: 'NM',
      index: at + 1,
      ...others,
      ...(details !== undefined && { details }),
    }))
    const path = `${scene.path}/rounds`
    const { json } = await scene.host.ask('POST', path, { body: { name: 'Odd', slots } })
    const kept = (at: number) => ({ mod: 'NM', index: at + 1, ...(at > 3 && { details: title }) })
    expect(json.round.slots).toEqual(slots.map((_, at) => kept(at)))
    const own = `${path}/${json.round.id}`
    const headers = { 'if-match': (await scene.host.get(own)).headers.get('etag')! }
    const put = await scene.host.ask('PUT', own, { body: { name: 'Odd', slots }, headers })
    expect(put.json.round.slots).toEqual(slots.map((_, at) => kept(at)))
  })

  it('can be sent as it was read; what is unknown is named (D-17, D-49)', async () => {
    const scene = await newScene(house)
    await scene.release()
    const { round } = (await scene.host.get(scene.roundPath)).json
    const ask = (body: object) => scene.host.ask('POST', `${scene.path}/rounds`, { body })
    const copy = await ask({ ...round, name: 'Copy' })
    expect(copy.status).toBe(201)
    expect(copy.headers.has('x-ignored-fields')).toBe(false)
    expect(copy.json.round).not.toHaveProperty('packSlug')
    const odd = await ask({
      name: 'Odd',
      slot: [],
      slots: [{ mod: 'NM', index: 1, beatmap: 75 }],
      buckets: [{ code: 'RC', color: 1, colour: 2 }],
      targets: { stars: { least: 1 } },
    })
    expect(odd.headers.get('x-ignored-fields')).toBe(
      'slot, slots[0].beatmap, buckets[0].colour, targets.stars.least',
    )
  })
})

describe('400 bad_request', () => {
  const slot = { mod: 'NM', index: 1 }
  const withSlots = (...slots: object[]) => ({ name: 'QF', slots })
  refuses.bodies([
    ['name is missing', {}],
    ['name must have 1 to 64 characters', { name: '' }],
    ['bestOf must be one of 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23', { name: 'QF', bestOf: 4 }],
    ['bans must be from 0 to 5', { name: 'QF', bans: 6 }],
    ['slots[1].index must be from 1 to 99', withSlots(slot, { mod: 'NM', index: 100 })],
    [
      'slots[0].beatmapId must be a whole number from 1 to 2147483647: take 75 from this link',
      withSlots({ ...slot, beatmapId: 'https://osu.ppy.sh/b/75' }),
    ],
    [
      'slots[0].placeholder must have 1 to 100 characters',
      withSlots({ ...slot, placeholder: '  ' }),
    ],
    [/^slots\[0\]/, withSlots({ ...slot, beatmapId: 75, placeholder: 'soon' })],
    [/^slots\[1\]/, withSlots(slot, slot)],
    [
      'slots must have at most 64 items',
      withSlots(...Array.from({ length: 65 }, (_, at) => ({ mod: null, index: at + 1 }))),
    ],
    ['buckets[0].color must be left out', { name: 'QF', buckets: [{ code: 'NM', color: 1 }] }],
    [
      'buckets[0].mods must be an object with kind forced or an object with kind free',
      { name: 'QF', buckets: [{ code: 'RC', color: 1, mods: { kind: 'all' } }] },
    ],
    ['targets.stars.min must be from 0 to 100', { name: 'QF', targets: { stars: { min: -1 } } }],
    ['targets.keys.min must be from 1 to 18', { name: 'QF', targets: { keys: { min: 0 } } }],
    ['targets.keys.max must be from 1 to 18', { name: 'QF', targets: { keys: { max: 19 } } }],
    [
      'targets.keys is for Mania, and the tournament plays Standard: leave it out, or change the ruleset of the tournament first',
      { name: 'QF', targets: { keys: { max: 7 } } },
    ],
    [
      'targets.keys.max must be a whole number from 1 to 18',
      { name: 'QF', targets: { keys: { max: 6.5 } } },
    ],
  ])
})

describe('401 unauthorized, invalid_api_key', () => refuses.strangers())

describe('403 forbidden', () => refuses.otherRoles('tester', 'referee'))

describe('404 not_found', () => refuses.hidden({ takesBody: true }))

describe('409 conflict', () => {
  it('for a name that another round has, in any case', async () => {
    const scene = await newScene(house)
    const body = { name: 'QUARTERFINALS' }
    const reply = await scene.host.ask('POST', `${scene.path}/rounds`, { body })
    expectError(reply, 'conflict', /is called Quarterfinals|take another name/)
    expectStanding(reply)
  })

  it('for a 17th round', async () => {
    const scene = await newScene(house)
    const rounds = Array.from({ length: 16 }, (_, at) => ({ name: `Round ${at + 1}` }))
    const headers = await scene.as(scene.path)
    await scene.host.ask('PUT', `${scene.path}/rounds`, { body: { rounds }, headers })
    const body = { name: 'One more' }
    const reply = await scene.host.ask('POST', `${scene.path}/rounds`, { body })
    expectError(reply, 'conflict', 'the tournament already has 16 rounds; delete one first')
  })
})

describe('413 too_large', () => refuses.largeBodies())

describe('415 unsupported_media_type', () => refuses.otherMedia())

describe('429 rate_limited', () => refuses.overQuota())

describe('500 internal_error', () => refuses.faults())
