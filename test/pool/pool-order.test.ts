import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bucketTable, slotLabel, slotsInPoolOrder } from '../../src/pool/slots.ts'
import { anyPool } from './pool-arbitrary.ts'

const slot = (mod: string | null, index: number) => ({ mod, index, beatmapId: 1 })

describe('pool order (D-20)', () => {
  it('puts slots without a bucket first, then goes by bucket, then by number', () => {
    const slots = [slot('TB', 1), slot('HD', 1), slot('NM', 10), slot('NM', 2), slot(null, 3)]
    expect(slotsInPoolOrder({ slots }).map(slotLabel)).toEqual(['3', 'NM2', 'NM10', 'HD1', 'TB'])
  })

  it("goes by the pool's own table", () => {
    const buckets = [{ code: 'TB' as const }, { code: 'RC', color: 0 }, { code: 'NM' as const }]
    const slots = [slot('NM', 1), slot('RC', 1), slot('TB', 1)]
    expect(slotsInPoolOrder({ buckets, slots }).map(slotLabel)).toEqual(['TB', 'RC1', 'NM1'])
  })

  it('puts slots of an unfinished draft whose bucket is not there at the end', () => {
    const slots = [slot('XX', 1), slot('TB', 1)]
    expect(slotsInPoolOrder({ slots }).map(slotLabel)).toEqual(['TB', 'XX1'])
  })

  it('keeps every slot, whatever order it stood in', () => {
    fc.assert(
      fc.property(anyPool, (pool) => {
        const ordered = slotsInPoolOrder(pool)
        expect(new Set(ordered)).toEqual(new Set(pool.slots))
        expect(slotsInPoolOrder({ ...pool, slots: pool.slots.toReversed() })).toEqual(ordered)
      }),
    )
  })
})

describe('the bucket table to go by', () => {
  it('is the default one when a pool has none (D-22)', () => {
    expect(bucketTable(null).map((bucket) => bucket.code)).toEqual([
      'NM',
      'HD',
      'HR',
      'DT',
      'FM',
      'TB',
    ])
  })
})

describe('a slot is called', () => {
  it.each([
    ['NM', 1, 'NM1'],
    ['HD', 12, 'HD12'],
    ['TB', 1, 'TB'],
    ['TB', 2, 'TB2'],
    ['RC1', 2, 'RC1 2'],
    ['第Ⅷ', 2, '第Ⅷ 2'],
    ['１', 3, '１ 3'],
    [null, 7, '7'],
  ])('%s, %i: %s', (mod, index, label) => {
    expect(slotLabel({ mod, index })).toBe(label)
  })

  it('otherwise than every other slot of its pool', () => {
    fc.assert(
      fc.property(anyPool, (pool) => {
        const labels = pool.slots.filter((each) => each.mod !== null).map(slotLabel)
        expect(new Set(labels).size).toBe(labels.length)
      }),
    )
  })
})
