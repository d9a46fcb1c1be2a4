import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findProblems } from '../../src/pool/checks.ts'
import {
  addBucket,
  addSlot,
  changeBucket,
  moveBucket,
  moveSlot,
  removeBucket,
  removeSlot,
  renumberSlot,
} from '../../src/pool/edits.ts'
import type { PoolDraft } from '../../src/pool/pool.ts'
import { slotLabel } from '../../src/pool/slots.ts'
import { anyPool } from './pool-arbitrary.ts'

const start: PoolDraft & { readonly note: string } = {
  name: 'a',
  note: 'kept',
  slots: [
    { mod: 'NM', index: 1, beatmapId: 10 },
    { mod: 'NM', index: 3, beatmapId: 30 },
    { mod: 'RC', index: 1, beatmapId: 50 },
    { mod: null, index: 1, beatmapId: 70 },
  ],
}

const slotsOf = (draft: PoolDraft): string =>
  draft.slots.map((slot) => `${slotLabel(slot)}=${slot.beatmapId}`).join(' ')
const tableOf = (draft: PoolDraft): string | undefined =>
  draft.buckets?.map((b) => ('color' in b ? `${b.code}:${b.color}` : b.code)).join(' ')

describe('slots are edited', () => {
  it.each([
    [
      'adding fills the lowest free number',
      addSlot(start, 'NM', 5),
      'NM1=10 NM3=30 RC1=50 1=70 NM2=5',
    ],
    [
      'adding begins an empty bucket at 1',
      addSlot(start, 'HD', 5),
      'NM1=10 NM3=30 RC1=50 1=70 HD1=5',
    ],
    ['adding without a bucket', addSlot(start, null, 5), 'NM1=10 NM3=30 RC1=50 1=70 2=5'],
    [
      'moving takes the lowest free number there',
      moveSlot(start, 2, 'NM'),
      'NM1=10 NM3=30 NM2=50 1=70',
    ],
    ['moving out of all buckets', moveSlot(start, 0, null), '2=10 NM3=30 RC1=50 1=70'],
    ['moving to where it is', moveSlot(start, 1, 'NM'), 'NM1=10 NM3=30 RC1=50 1=70'],
    ['renumbering to a free number', renumberSlot(start, 0, 9), 'NM9=10 NM3=30 RC1=50 1=70'],
    [
      'renumbering swaps with the slot that has it',
      renumberSlot(start, 0, 3),
      'NM3=10 NM1=30 RC1=50 1=70',
    ],
    ['renumbering to its own number', renumberSlot(start, 1, 3), 'NM1=10 NM3=30 RC1=50 1=70'],
    ['removing', removeSlot(start, 1), 'NM1=10 RC1=50 1=70'],
    [
      'a slot that is not there',
      moveSlot(renumberSlot(removeSlot(start, 4), 9, 1), 4, 'HD'),
      'NM1=10 NM3=30 RC1=50 1=70',
    ],
  ])('%s', (_what, edited, slots) => {
    expect(slotsOf(edited)).toBe(slots)
    expect(edited.note).toBe('kept')
  })
})

describe('buckets are edited', () => {
  it('adding stands before TB in the lowest free colour, as a code that only slots name (D-22)', () => {
    expect(tableOf(addBucket(start, 'SV'))).toBe('NM HD HR DT FM RC:0 SV:1 TB')
  })

  it('changing a code takes the slots along', () => {
    const edited = changeBucket(start, 'RC', { code: 'AIM', color: 4, mods: { kind: 'free' } })
    expect(tableOf(edited)).toBe('NM HD HR DT FM AIM:4 TB')
    expect(edited.buckets?.[5]).toEqual({ code: 'AIM', color: 4, mods: { kind: 'free' } })
    expect(slotsOf(edited)).toBe('NM1=10 NM3=30 AIM1=50 1=70')
  })

  it.each([
    ['RC', 0, 'RC:0 NM HD HR DT FM TB'],
    ['NM', 5, 'HD HR DT FM RC:0 NM TB'],
    ['TB', 6, 'NM HD HR DT FM RC:0 TB'],
    ['HD', 99, 'NM HR DT FM RC:0 TB HD'],
    ['HD', -1, 'HD NM HR DT FM RC:0 TB'],
    ['XX', 0, 'NM HD HR DT FM RC:0 TB'],
  ])('moving %s to %i', (code, to, table) => {
    expect(tableOf(moveBucket(start, code, to))).toBe(table)
  })

  it('removing keeps the beatmaps, at free numbers without a bucket', () => {
    const edited = removeBucket(addSlot(start, 'RC', 60), 'RC')
    expect(tableOf(edited)).toBe('NM HD HR DT FM TB')
    expect(slotsOf(edited)).toBe('NM1=10 NM3=30 2=50 1=70 3=60')
  })

  it('built-ins stay as they are', () => {
    expect(tableOf(removeBucket(start, 'NM'))).toBe('NM HD HR DT FM RC:0 TB')
    const changed = changeBucket(start, 'NM', { code: 'XX', color: 1 })
    expect(slotsOf(changed)).toBe(slotsOf(start))
  })
})

describe('a valid pool', () => {
  const edits: [string, (pool: PoolDraft, n: number) => PoolDraft][] = [
    ['moving a slot', (pool, n) => moveSlot(pool, n, n % 2 === 0 ? 'HD' : null)],
    ['renumbering a slot', (pool, n) => renumberSlot(pool, n, (n % 99) + 1)],
    ['removing a slot', removeSlot],
    ['moving a bucket', (pool, n) => moveBucket(pool, 'TB', n)],
    ['removing a bucket', (pool, n) => removeBucket(pool, pool.slots[n]?.mod ?? 'NM')],
  ]
  it.each(edits)('stays one after %s, and the draft given is untouched', (_what, edit) => {
    fc.assert(
      fc.property(anyPool, fc.nat(63), (pool, n) => {
        const before = structuredClone(pool)
        expect(findProblems(edit(pool, n), 0)).toEqual([])
        expect(pool).toEqual(before)
      }),
    )
  })
})
