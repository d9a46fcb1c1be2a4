import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ForcedMod } from '../../src/contract/mods.ts'
import type { Bucket, Slot } from '../../src/contract/pools.ts'
import { completePool } from '../../src/pool/checks.ts'
import type { PoolDraft } from '../../src/pool/pool.ts'
import { anyDraft, anyPool, anySpace } from './pool-arbitrary.ts'
import { refusalOf } from './refusal.ts'

const nm1: Slot = { mod: 'NM', index: 1, beatmapId: 129_891 }

const draft = (change: Partial<PoolDraft>): PoolDraft => ({
  name: 'Finals',
  slots: [nm1],
  ...change,
})
const withSlot = (change: Partial<Slot>): PoolDraft =>
  draft({ slots: [nm1, { ...nm1, ...change }] })
const withBuckets = (...buckets: Bucket[]): PoolDraft => draft({ buckets })
const forced = (...set: ForcedMod[]): Bucket => ({
  code: 'RC',
  color: 0,
  mods: { kind: 'forced', set },
})
const custom = (count: number): Bucket[] =>
  Array.from({ length: count }, (_, n) => ({ code: `C${n}`, color: n % 10 }))
const slots = (count: number): Slot[] =>
  Array.from({ length: count }, (_, n) => ({
    mod: n < 50 ? 'NM' : 'HD',
    index: (n % 50) + 1,
    beatmapId: n + 1,
  }))

describe('what passes', () => {
  const cases: [rule: string, what: string, draft: PoolDraft][] = [
    ['D-19', 'a name of 1 code unit', draft({ name: 'a' })],
    ['D-19', 'a name of 64 code units', draft({ name: 'a'.repeat(64) })],
    ['D-19', 'a name of 32 emoji, 64 code units', draft({ name: '🌸'.repeat(32) })],
    ['D-19', '64 code units after trimming', draft({ name: ` \n${'a'.repeat(64)}\t ` })],
    ['D-19', 'marks and joiners, which are no controls', draft({ name: 'e\u0301 👩‍🚀 \u200fa' })],
    ['spec 2.3', 'the lowest index and id', withSlot({ index: 2, beatmapId: 1 })],
    ['spec 2.3', 'the highest index and id', withSlot({ index: 99, beatmapId: 2_147_483_647 })],
    ['spec 2.3', 'a slot without a bucket', withSlot({ mod: null })],
    ['spec 2.3', 'a code of 12 letters outside the basic plane', withSlot({ mod: '𝔸'.repeat(12) })],
    ['spec 2.8', '64 slots', draft({ slots: slots(64) })],
    ['spec 2.4', 'the lowest colour', withBuckets({ code: 'RC', color: 0 })],
    ['spec 2.4', 'the highest colour', withBuckets({ code: 'RC', color: 9 })],
    [
      'spec 2.4',
      'two buckets of one colour',
      withBuckets({ code: 'A', color: 3 }, { code: 'B', color: 3 }),
    ],
    ['spec 2.4', 'a free bucket', withBuckets({ code: 'RC', color: 0, mods: { kind: 'free' } })],
    ['spec 2.4', 'one forced mod', withBuckets(forced('HD'))],
    ['spec 2.4', 'three forced mods', withBuckets(forced('HD', 'DT', 'FL'))],
    ['D-20', 'one number in two buckets', withSlot({ mod: 'HD' })],
    ['D-20', 'one beatmap in two slots', withSlot({ index: 2 })],
    [
      'D-20',
      'a slot without a bucket beside one with its number',
      withSlot({ mod: null, index: 1 }),
    ],
    ['D-21', 'a code that begins with a built-in one', withBuckets({ code: 'NMX', color: 1 })],
    ['D-21', "a mod's name as a code", withBuckets({ code: 'EZ', color: 1 })],
    ['D-22', 'an empty bucket list', withBuckets()],
    ['D-22', '8 custom buckets', withBuckets(...custom(8))],
    [
      'D-22',
      '14 buckets',
      withBuckets(
        ...custom(8),
        { code: 'NM' },
        { code: 'HD' },
        { code: 'HR' },
        { code: 'DT' },
        { code: 'FM' },
        { code: 'TB' },
      ),
    ],
  ]
  it.each(cases)('%s: %s', (_rule, _what, valid) => {
    expect(refusalOf(() => completePool(valid))).toBe('none')
  })
})

describe('what is refused, each with its place and remedy (D-14)', () => {
  const one = 'name must be one line without control characters'
  const cases: [rule: string, draft: PoolDraft, message: string][] = [
    ['D-19', draft({ name: '' }), 'name must not be empty'],
    ['D-19', draft({ name: ' \t\r\n\u00a0\u3000\ufeff' }), 'name must not be empty'],
    ['D-19', draft({ name: 'a'.repeat(65) }), 'name must be at most 64 characters long'],
    ['D-19', draft({ name: '🌸'.repeat(33) }), 'name must be at most 64 characters long'],
    [
      'D-18',
      draft({ name: 'a\ud83c' }),
      'name must be valid Unicode: it holds half a surrogate pair',
    ],
    [
      'D-18',
      draft({ name: '\udf38a' }),
      'name must be valid Unicode: it holds half a surrogate pair',
    ],
    ['D-18', draft({ name: 'a\u0000b' }), one],
    ['D-19', draft({ name: 'a\nb' }), one],
    ['D-19', draft({ name: 'a\tb' }), one],
    ['D-19', draft({ name: 'a\u007fb' }), one],
    ['D-19', draft({ name: 'a\u0085b' }), one],
    ['D-19', draft({ name: 'a\u009f' }), one],
    [
      'D-47',
      draft({ name: 'a\u2028b' }),
      'name must not contain U+2028: it is a line break; remove it',
    ],
    [
      'D-47',
      draft({ name: 'a\u2029b' }),
      'name must not contain U+2029: it is a line break; remove it',
    ],
    ['spec 2.8', draft({ slots: [] }), 'slots must hold at least 1 slot'],
    ['spec 2.8', draft({ slots: slots(65) }), 'slots must hold at most 64 slots'],
    ['spec 2.3', withSlot({ index: 0 }), 'slots[1].index must be from 1 to 99'],
    ['spec 2.3', withSlot({ index: 100 }), 'slots[1].index must be from 1 to 99'],
    ['spec 2.3', withSlot({ index: 1.5 }), 'slots[1].index must be a whole number from 1 to 99'],
    [
      'spec 2.3',
      withSlot({ index: Number.NaN }),
      'slots[1].index must be a whole number from 1 to 99',
    ],
    [
      'spec 2.3',
      withSlot({ index: 2, beatmapId: 0 }),
      'slots[1].beatmapId must be from 1 to 2147483647',
    ],
    [
      'spec 2.3',
      withSlot({ index: 2, beatmapId: -1 }),
      'slots[1].beatmapId must be from 1 to 2147483647',
    ],
    [
      'spec 2.3',
      withSlot({ index: 2, beatmapId: 2_147_483_648 }),
      'slots[1].beatmapId must be from 1 to 2147483647',
    ],
    ['spec 2.3', withSlot({ mod: '' }), 'slots[1].mod must be null or 1 to 12 letters or digits'],
    [
      'spec 2.3',
      withSlot({ mod: 'A B' }),
      'slots[1].mod must be null or 1 to 12 letters or digits',
    ],
    [
      'spec 2.3',
      withSlot({ mod: 'ABCDEFGHIJKLM' }),
      'slots[1].mod must be null or 1 to 12 letters or digits',
    ],
    [
      'spec 2.3',
      withSlot({ mod: 'e\u0301' }),
      'slots[1].mod must be null or 1 to 12 letters or digits',
    ],
    [
      'spec 2.3',
      withSlot({ mod: 'RC\n' }),
      'slots[1].mod must be null or 1 to 12 letters or digits',
    ],
    [
      'D-18',
      withSlot({ mod: 'A\ud835' }),
      'slots[1].mod must be null or 1 to 12 letters or digits',
    ],
    [
      'D-20',
      withSlot({ beatmapId: 75 }),
      'slots[1].index must be another number: slots[0] has the same mod and index',
    ],
    [
      'D-20',
      draft({ slots: [{ ...nm1, mod: null }, nm1, { ...nm1, mod: null }] }),
      'slots[2].index must be another number: slots[0] has the same mod and index',
    ],
    [
      'spec 2.4',
      withBuckets({ code: 'R-C', color: 0 }),
      'buckets[0].code must be 1 to 12 letters or digits',
    ],
    ['spec 2.4', withBuckets({ code: 'RC', color: 10 }), 'buckets[0].color must be from 0 to 9'],
    ['spec 2.4', withBuckets({ code: 'RC', color: -1 }), 'buckets[0].color must be from 0 to 9'],
    [
      'spec 2.4',
      withBuckets({ code: 'RC', color: 0.5 }),
      'buckets[0].color must be a whole number from 0 to 9',
    ],
    [
      'spec 2.4',
      withBuckets({ code: 'RC' } as unknown as Bucket),
      'buckets[0].color must be from 0 to 9 in a custom bucket',
    ],
    ['spec 2.4', withBuckets(forced()), 'buckets[0].mods.set must hold 1 to 3 mods'],
    [
      'spec 2.4',
      withBuckets(forced('EZ', 'HD', 'DT', 'FL')),
      'buckets[0].mods.set must hold 1 to 3 mods',
    ],
    ['D-23', withBuckets(forced('HD', 'HD')), 'buckets[0].mods.set must hold HD only once'],
    ['D-23', withBuckets(forced('HR', 'EZ')), 'buckets[0].mods.set must not hold both EZ and HR'],
    [
      'D-23',
      withBuckets(forced('DT', 'HD', 'HT')),
      'buckets[0].mods.set must not hold both DT and HT',
    ],
    [
      'D-21',
      withBuckets({ code: 'NM', color: 1 }),
      'buckets[0].color must be left out: NM is a built-in bucket',
    ],
    [
      'D-21',
      withBuckets({ code: 'nm', color: 1 }),
      'buckets[0].code must be another code: nm and NM of a built-in bucket differ only in case',
    ],
    [
      'D-21',
      withBuckets({ code: 'RC', color: 1 }, { code: 'RC', color: 2 }),
      'buckets[1].code must be another code: buckets[0] is RC already',
    ],
    [
      'D-21',
      withBuckets({ code: 'RC', color: 1 }, { code: 'Rc', color: 2 }),
      'buckets[1].code must be another code: Rc and RC of buckets[0] differ only in case',
    ],
    [
      'D-21',
      withBuckets({ code: 'HD' }, { code: 'HR' }, { code: 'HD' }),
      'buckets[2].code must be another code: buckets[0] is HD already',
    ],
    [
      'D-21',
      withSlot({ mod: 'tb' }),
      'slots[1].mod must be spelled TB as in a built-in bucket, not tb: they differ only in case',
    ],
    [
      'D-21',
      { ...withBuckets({ code: 'RC', color: 1 }), slots: [{ ...nm1, mod: 'rc' }] },
      'slots[0].mod must be spelled RC as in buckets[0], not rc: they differ only in case',
    ],
    [
      'D-21',
      draft({
        slots: [
          { ...nm1, mod: 'SV' },
          { ...nm1, mod: 'sv' },
        ],
      }),
      'slots[1].mod must be spelled SV as in slots[0], not sv: they differ only in case',
    ],
    ['D-22', withBuckets(...custom(9)), 'buckets must hold at most 8 custom buckets'],
    ['spec 2.8', withBuckets(...custom(15)), 'buckets must hold at most 14 buckets'],
    [
      'D-22',
      { ...withBuckets(...custom(8)), slots: [{ ...nm1, mod: 'RC' }] },
      'slots[0].mod must be the code of a bucket there is: RC would be one custom bucket more than the 8 allowed',
    ],
    [
      'D-22',
      draft({ slots: custom(9).map(({ code }) => ({ ...nm1, mod: code })) }),
      'slots[8].mod must be the code of a bucket there is: C8 would be one custom bucket more than the 8 allowed',
    ],
  ]
  it.each(cases)('%s: case %#', (_rule, invalid, message) => {
    expect(refusalOf(() => completePool(invalid))).toBe(`bad_request: ${message}`)
  })
})

describe('what is stored', () => {
  it('has its name trimmed of all white space around it (D-19)', () => {
    fc.assert(
      fc.property(anyPool, anySpace, anySpace, (pool, before, after) => {
        expect(completePool({ ...pool, name: before + pool.name + after }, 0)).toEqual(pool)
      }),
    )
  })

  it('keeps the slots in the order in which they were sent (D-20)', () => {
    fc.assert(
      fc.property(anyDraft, (any) => {
        expect(completePool(any, 0).slots).toEqual(any.slots)
      }),
    )
  })

  it('has forced sets in the order EZ HD HR DT HT FL (D-23)', () => {
    const { buckets } = completePool(withBuckets(forced('FL', 'DT', 'HD')))
    expect(buckets?.[5]).toEqual(forced('HD', 'DT', 'FL'))
  })

  it('holds the known fields only, in the order of the specification (D-17, D-45)', () => {
    const sent = {
      name: 'Finals',
      slug: 'q7Jm2_xT0a',
      slots: [{ title: 'Hack&Slash', beatmapId: 1, index: 1, mod: 'RC' }],
      buckets: [{ note: 'x', mods: { kind: 'free', x: 1 }, color: 2, code: 'RC' }],
    } as unknown as PoolDraft
    expect(JSON.stringify(completePool(sent))).toBe(
      '{"name":"Finals","buckets":[{"code":"NM"},{"code":"HD"},{"code":"HR"},{"code":"DT"},' +
        '{"code":"FM"},{"code":"RC","color":2,"mods":{"kind":"free"}},{"code":"TB"}],' +
        '"slots":[{"mod":"RC","index":1,"beatmapId":1}]}',
    )
  })

  it('comes back equal when it is completed again', () => {
    fc.assert(
      fc.property(anyPool, (pool) => {
        expect(completePool(pool, 0)).toEqual(pool)
      }),
    )
  })

  it('leaves the draft as it was', () => {
    const sent = withBuckets(forced('FL', 'HD'))
    const before = structuredClone(sent)
    completePool(sent)
    expect(sent).toEqual(before)
  })

  it('may have no slots where a draft or a pack key is completed', () => {
    expect(completePool(draft({ slots: [] }), 0).slots).toEqual([])
  })
})
