import { describe, expect, it } from 'vitest'
import { slurs } from '../../src/domain/slurs/slurs.ts'
import { expectError } from '../support/door.ts'
import { dropSlot, hidesItems, hidesOfReleased, remark, remarksOf } from './discussion-scene.ts'
import { expectStanding } from './standing.ts'
import { type Action, openFaultyHouse, refusalsOf } from './tournament-refusals.ts'
import { newScene } from './tournament-scene.ts'

const slur = slurs[0]!.stem.replaceAll('*', '')
const { house, faults } = await openFaultyHouse()
const action: Action = {
  house,
  method: 'PATCH',
  ask: async (scene) => ({
    path: await remark(scene.host, scene),
    body: { settled: true },
  }),
}
const refuses = refusalsOf(faults, action)

describe('200 the remark as it is now', () => {
  it('settled by a pooler, opened again by who wrote it (D-61)', async () => {
    const scene = await newScene(house)
    const [pooler, tester] = [await scene.staff('pooler'), await scene.staff('tester')]
    const path = await remark(tester, scene)
    house.clock.advance(1000)
    const { gameId, username } = pooler
    const settled = await pooler.ask('PATCH', path, { body: { settled: true } })
    expect(settled.status).toBe(200)
    expectStanding(settled)
    const updatedAt = new Date(house.clock.now()).toISOString()
    expect(settled.json.remark).toMatchObject({
      settled: true,
      settledBy: { gameId, username },
      updatedAt,
    })
    expect(await remarksOf(scene)).toEqual([settled.json.remark])
    const opened = await tester.ask('PATCH', path, { body: { settled: false } })
    expect(opened.json.remark).toMatchObject({ settled: false })
    expect(opened.json.remark).not.toHaveProperty('settledBy')
  })

  it('in other words, by who wrote it; it may be sent back as it was read (D-17, D-61)', async () => {
    const scene = await newScene(house)
    const tester = await scene.staff('tester')
    const path = await remark(tester, scene)
    const reworded = await tester.ask('PATCH', path, { body: { text: ' Far too long ' } })
    expect(reworded.json.remark).toMatchObject({ text: 'Far too long', settled: false })
    const body = { ...reworded.json.remark, settled: true }
    const settled = await scene.host.ask('PATCH', path, { body })
    expect(settled.status).toBe(200)
    expect(settled.headers.has('x-ignored-fields')).toBe(false)
  })
})

describe('200 a remark that was moved to another slot (D-83)', () => {
  it('by a pooler and by who wrote it; one of a slot that is gone can be changed where it is', async () => {
    const scene = await newScene(house)
    const [pooler, tester] = [await scene.staff('pooler'), await scene.staff('tester')]
    const [first, second] = [
      { mod: 'NM', index: 1 },
      { mod: 'HD', index: 1 },
    ]
    const path = await remark(tester, scene, first)
    await dropSlot(scene, first)
    const left = { ...first, settled: true }
    const { remark: before } = (await scene.host.ask('PATCH', path, { body: left })).json
    expect(before).toMatchObject(left)
    house.clock.advance(1000)
    const moved = await pooler.ask('PATCH', path, { body: second })
    expectStanding(moved)
    const updatedAt = new Date(house.clock.now()).toISOString()
    expect(moved.json.remark).toEqual({ ...before, ...second, updatedAt })
    expect(await remarksOf(scene)).toEqual([moved.json.remark])
    const again = await tester.ask('PATCH', path, { body: second })
    expect(again.json.remark).toEqual(moved.json.remark)
  })

  it('also one on the round; never for testers who did not write it (D-61)', async () => {
    const scene = await newScene(house)
    const path = await remark(scene.host, scene)
    const body = { mod: 'NM', index: 1 }
    expectError(await (await scene.staff('tester')).ask('PATCH', path, { body }), 'forbidden')
    expect((await scene.host.ask('PATCH', path, { body })).json.remark).toMatchObject(body)
  })
})

describe('400 bad_request', () => {
  refuses.oddTags()

  refuses.bodies([
    [/^mod is missing: a remark on a slot has mod and index/, { index: 1 }],
    [/^index is missing/, { mod: 'NM', settled: true }],
    [
      /^mod and index must be those of a slot of the round: .* has no NM7$/,
      { mod: 'NM', index: 7 },
    ],
    ['settled must be true or false', { settled: 1 }],
    ['text must have 1 to 500 characters', { text: '  ' }],
    ['text must have 1 to 500 characters', { text: 'x'.repeat(501) }],
    [/^text must not contain U\+202E/, { text: 'a\u202eb' }],
    ['text must not contain a slur', { text: slur }],
  ])
})

describe('401 unauthorized, invalid_api_key', () => refuses.strangers())

describe('403 forbidden', () => {
  refuses.otherRoles('tester', 'referee')

  it('hosts and poolers who put words into another’s mouth (D-61)', async () => {
    const scene = await newScene(house)
    const [pooler, tester] = [await scene.staff('pooler'), await scene.staff('tester')]
    const path = await remark(tester, scene)
    for (const asker of [scene.host, pooler]) {
      const body = { text: 'Fine', settled: true }
      expectError(await asker.ask('PATCH', path, { body }), 'forbidden')
    }
    const text = 'Too long for this round'
    expect(await remarksOf(scene)).toMatchObject([{ settled: false, text }])
  })
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
