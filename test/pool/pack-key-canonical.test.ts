import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodePackKey, encodePackKey } from '../../src/pool/pack-key/pack-key.ts'
import type { Pool } from '../../src/pool/pool.ts'
import { builtinEntries, bytesOf, sealedKey, text } from './key-bytes.ts'
import { anyPool } from './pool-arbitrary.ts'

const canonical = 'pk1.AQFhAQICrAKFPA'
const hr2 = [2, 2, 0xac, 0x02]

describe('a hand-made key that is valid opens, and re-encodes to the canonical one', () => {
  const cases: [what: string, bytes: number[]][] = [
    ['a name length in two bytes', [1, 0x81, 0x00, 0x61, 1, ...hr2]],
    ['a count in five bytes', [1, ...text('a'), 0x81, 0x80, 0x80, 0x80, 0x00, ...hr2]],
    ['an index in two bytes', [1, ...text('a'), 1, 2, 0x82, 0x00, 0xac, 0x02]],
    ['a beatmap id in four bytes', [1, ...text('a'), 1, 2, 2, 0xac, 0x82, 0x80, 0x00]],
    ['version 2 with the default table', [2, ...text('a'), 6, ...builtinEntries, 1, ...hr2]],
    ['version 3 with the default table', [3, ...text('a'), 6, ...builtinEntries, 1, ...hr2]],
    ['a table length in two bytes', [2, ...text('a'), 0x86, 0, ...builtinEntries, 1, ...hr2]],
  ]
  it.each(cases)('%s', (_what, bytes) => {
    const pool = decodePackKey(sealedKey(bytes))
    expect(pool).toEqual(decodePackKey(canonical))
    expect(pool.buckets).toBeNull()
    expect(encodePackKey(pool)).toBe(canonical)
  })

  it('shuffled slots come out in pool order', () => {
    const slots = [3, 5, 1, 9, 0, 2, 8, 0, 1, 7]
    const pool = decodePackKey(sealedKey([1, ...text('a'), ...slots]))
    expect(pool.slots.map((slot) => slot.beatmapId)).toEqual([7, 8, 9])
    expect(encodePackKey(pool)).toBe(sealedKey([1, ...text('a'), 3, 0, 1, 7, 0, 2, 8, 5, 1, 9]))
  })

  it('a custom bucket without mods in version 3 is written as version 2', () => {
    const rest = [...text('a'), 7, ...builtinEntries, 0xfe, 3, ...text('RC'), 1, 6, 1, 1]
    expect(encodePackKey(decodePackKey(sealedKey([3, ...rest])))).toBe(sealedKey([2, ...rest]))
  })

  it('a pool without slots is a valid key', () => {
    const empty: Pool = { name: 'a', buckets: null, slots: [] }
    expect(decodePackKey(sealedKey([1, ...text('a'), 0]))).toEqual(empty)
    expect(encodePackKey(empty)).toBe(sealedKey([1, ...text('a'), 0]))
  })

  it('the bounds of each number open', () => {
    const most = [0, 99, 0xff, 0xff, 0xff, 0xff, 0x07]
    const { slots } = decodePackKey(sealedKey([1, ...text('a'), 1, ...most]))
    expect(slots).toEqual([{ mod: 'NM', index: 99, beatmapId: 2_147_483_647 }])
  })

  it('any pool in a higher version than it needs', () => {
    fc.assert(
      fc.property(anyPool, (pool) => {
        const key = encodePackKey(pool)
        const [version = 0, ...bytes] = bytesOf(key)
        if (version === 1) {
          const nameEnd =
            1 + Buffer.byteLength(pool.name) + (Buffer.byteLength(pool.name) > 127 ? 1 : 0)
          bytes.splice(nameEnd, 0, 6, ...builtinEntries)
        }
        const higher = sealedKey([3, ...bytes])
        expect(decodePackKey(higher)).toEqual(decodePackKey(key))
      }),
    )
  })

  it('any slots that open re-encode to a key that opens as the same pool', () => {
    const anySlot = fc.tuple(fc.constantFrom(0, 1, 5, 6, 0xff), fc.nat(3), fc.nat(3))
    const anySlots = fc.array(anySlot, { maxLength: 3 })
    let opened = 0
    fc.assert(
      fc.property(fc.constantFrom(1, 2, 3), anySlots, (version, slots) => {
        const table = version > 1 ? [6, ...builtinEntries] : []
        const bytes = [version, ...text('a'), ...table, slots.length, ...slots.flat()]
        let pool: Pool
        try {
          pool = decodePackKey(sealedKey(bytes))
        } catch {
          return
        }
        opened += 1
        expect(decodePackKey(encodePackKey(pool))).toEqual(pool)
      }),
      { numRuns: 1000 },
    )
    expect(opened).toBeGreaterThan(50)
  })
})
