import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Bucket, Slot } from '../../src/contract/pools.ts'
import { completePool } from '../../src/pool/checks.ts'
import { decodePackKey, encodePackKey } from '../../src/pool/pack-key/pack-key.ts'
import type { Pool, PoolDraft } from '../../src/pool/pool.ts'
import { slotsInPoolOrder } from '../../src/pool/slots.ts'
import { anyForcedSet, anyPool, anySpace, anyText } from './pool-arbitrary.ts'
import { refusalOf } from './refusal.ts'

const poolOf = (change: Partial<PoolDraft>): Pool =>
  completePool({ name: 'a', slots: [], ...change }, 0)

describe('any valid pool', () => {
  it('comes back from its key in pool order, and gives the same key again', () => {
    fc.assert(
      fc.property(anyPool, (pool) => {
        const key = encodePackKey(pool)
        const opened = decodePackKey(key)
        expect(opened).toEqual({ ...pool, slots: slotsInPoolOrder(pool) })
        expect(encodePackKey(opened)).toBe(key)
      }),
      { numRuns: 500 },
    )
  })

  it('gives one line of the shape that the contract promises', () => {
    fc.assert(
      fc.property(anyPool, (pool) => {
        expect(encodePackKey(pool)).toMatch(/^pk[123]\.[A-Za-z0-9_-]{8,1436}$/)
      }),
    )
  })

  it('gives the same key whatever order its slots and forced sets were sent in (D-27)', () => {
    fc.assert(
      fc.property(anyPool, anyForcedSet, (pool, set) => {
        const key = encodePackKey(pool)
        expect(encodePackKey({ ...pool, slots: pool.slots.toReversed() })).toBe(key)
        const withSet = (mods: typeof set): string =>
          encodePackKey(
            poolOf({ buckets: [{ code: 'X', color: 0, mods: { kind: 'forced', set: mods } }] }),
          )
        expect(withSet(set.toReversed())).toBe(withSet(set))
      }),
    )
  })

  it('gives another key when a beatmap, a slot or the name changes (D-27)', () => {
    const slots: Slot[] = [{ mod: 'NM', index: 1, beatmapId: 1 }]
    const keys = [
      poolOf({ slots }),
      poolOf({ slots, name: 'b' }),
      poolOf({ slots: [{ mod: 'NM', index: 1, beatmapId: 2 }] }),
      poolOf({ slots: [{ mod: 'NM', index: 2, beatmapId: 1 }] }),
      poolOf({ slots: [{ mod: 'HD', index: 1, beatmapId: 1 }] }),
      poolOf({ slots: [{ mod: null, index: 1, beatmapId: 1 }] }),
      poolOf({ slots, buckets: [{ code: 'RC', color: 0 }] }),
      poolOf({ slots, buckets: [{ code: 'RC', color: 1 }] }),
      poolOf({ slots, buckets: [{ code: 'RC', color: 0, mods: { kind: 'free' } }] }),
    ].map(encodePackKey)
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('opens with white space around its key', () => {
    fc.assert(
      fc.property(anyPool, anySpace, anySpace, (pool, before, after) => {
        const key = encodePackKey(pool)
        expect(decodePackKey(before + key + after)).toEqual(decodePackKey(key))
      }),
    )
  })

  it('encodes even at every bound at once, in 1,440 characters', () => {
    const buckets: Bucket[] = Array.from({ length: 8 }, (_, n) => ({
      code: `${'𐐀'.repeat(11)}${'𐐀𐐁𐐂𐐃𐐄𐐅𐐆𐐇'.slice(n * 2, n * 2 + 2)}`,
      color: 9,
      mods: { kind: 'forced', set: ['HD', 'DT', 'FL'] },
    }))
    const slots = Array.from({ length: 64 }, (_, n) => ({
      mod: buckets[n % 8]?.code ?? null,
      index: 99 - Math.floor(n / 8),
      beatmapId: 2_147_483_647,
    }))
    const largest = poolOf({ name: '春'.repeat(64), buckets, slots })
    expect(encodePackKey(largest)).toHaveLength(1440)
    expect(decodePackKey(encodePackKey(largest)).slots).toHaveLength(64)
  })
})

describe('the oldest version that can hold the pool', () => {
  const slot = { index: 1, beatmapId: 1 }
  const free: Bucket = { code: 'RC', color: 0, mods: { kind: 'free' } }
  const cases: [version: string, why: string, draft: Partial<PoolDraft>][] = [
    ['pk1', 'no slots', {}],
    ['pk1', 'built-in slots', { slots: [{ ...slot, mod: 'TB' }] }],
    ['pk1', 'the default table written out', { buckets: [{ code: 'FM' }, { code: 'TB' }] }],
    ['pk2', 'a slot without a bucket', { slots: [{ ...slot, mod: null }] }],
    ['pk2', 'another order', { buckets: [{ code: 'TB' }, { code: 'NM' }] }],
    ['pk2', 'a custom bucket', { buckets: [{ code: 'RC', color: 0 }] }],
    ['pk2', 'a code that only a slot names', { slots: [{ ...slot, mod: 'RC' }] }],
    ['pk3', 'a custom bucket with mods', { buckets: [free] }],
    ['pk3', 'one with mods among others', { buckets: [{ code: 'SV', color: 0 }, free] }],
  ]
  it.each(cases)('%s: %s', (version, _why, draft) => {
    expect(encodePackKey(poolOf(draft)).slice(0, 3)).toBe(version)
  })
})

describe('whatever completes can be encoded', () => {
  const hard = ['', 'NM', 'nm', 'TB', 'RC', 'rc', 'ß', 'SS', 'A B', 'ABCDEFGHIJKLM', '𝔸']
  const mods = fc.constantFrom<Bucket>(
    { code: 'NM' },
    { code: 'TB' },
    { code: 'RC', color: 3, mods: { kind: 'forced', set: ['HR', 'EZ'] } },
    { code: 'rc', color: 3 },
    { code: 'ß', color: 9, mods: { kind: 'forced', set: ['HT', 'HD'] } },
    { code: 'SS', color: 10 },
  )
  const wild: fc.Arbitrary<PoolDraft> = fc.record({
    name: fc.oneof(anyText, fc.constant('a')),
    buckets: fc.option(fc.array(mods, { maxLength: 4 })),
    slots: fc.array(
      fc.record({
        mod: fc.option(fc.constantFrom(...hard)),
        index: fc.oneof(fc.integer({ min: 1, max: 99 }), fc.double()),
        beatmapId: fc.oneof(fc.integer({ min: 1, max: 2 ** 31 - 1 }), fc.integer()),
      }),
      { maxLength: 4 },
    ),
  })

  it('and comes back, while all else is refused with a reason', () => {
    let completed = 0
    fc.assert(
      fc.property(wild, (draft) => {
        let pool: Pool | undefined
        const refusal = refusalOf(() => {
          pool = completePool(draft, 0)
        })
        if (pool === undefined) {
          expect(refusal).toMatch(/^bad_request: (name|buckets|slots)\S* must /)
          return
        }
        completed += 1
        const opened = decodePackKey(encodePackKey(pool))
        expect(opened).toEqual({ ...pool, slots: slotsInPoolOrder(pool) })
      }),
      { numRuns: 3000 },
    )
    expect(completed).toBeGreaterThan(100)
  })

  it('a pool that was never completed is a fault of ours, not a broken key', () => {
    const slots = [{ mod: 'XX', index: 1, beatmapId: 1 }]
    expect(() => encodePackKey({ name: 'a', buckets: null, slots })).toThrow('completed')
  })
})
