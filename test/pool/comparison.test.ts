import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { visibilities } from '../../src/contract/packs.ts'
import type { Bucket, Slot } from '../../src/contract/pools.ts'
import {
  bucketTable,
  foldCode,
  isCustom,
  isDefaultTable,
  placeOf,
  slotLabel,
} from '../../src/pool/slots.ts'
import { applyDifferences, comparePacks, type PackContent } from '../../src/pool/comparison.ts'
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
import { decodePackKey, encodePackKey } from '../../src/pool/pack-key/pack-key.ts'
import type { Pool } from '../../src/pool/pool.ts'
import { anyName, anyPool } from './pool-arbitrary.ts'

const RC: Bucket = { code: 'RC', color: 3, mods: { kind: 'free' } }
const builtins = (...codes: ('NM' | 'HD' | 'HR' | 'DT' | 'FM' | 'TB')[]) =>
  codes.map((code): Bucket => ({ code }))
const withRc = (bucket: Bucket = RC): Bucket[] => [
  ...builtins('NM', 'HD', 'HR', 'DT', 'FM'),
  bucket,
  ...builtins('TB'),
]

/** `NM1=10 NM2=20`: spaces within labels are `_`. */
function slots(text: string): Slot[] {
  return text.split(' ').map((each) => {
    const [label = '', beatmapId] = each.replace('_', ' ').split('=')
    return { ...placeOf(label), beatmapId: Number(beatmapId) }
  })
}

const pack = (text: string, buckets?: readonly Bucket[], more: Partial<PackContent> = {}) => ({
  name: 'Semifinals',
  slots: slots(text),
  buckets,
  ...more,
})
const start = pack('NM1=10 NM2=20 HD1=30 TB=90')

describe('the differences between two states of a pack (D-72)', () => {
  it.each([
    ['a beatmap was added', 'NM1=10 NM2=20 HD1=30 HD2=40 TB=90', ['filled HD2 40']],
    ['a beatmap was removed', 'NM1=10 HD1=30 TB=90', ['emptied NM2 20']],
    ['a beatmap was replaced', 'NM1=10 NM2=21 HD1=30 TB=90', ['replaced NM2 20 21']],
    ['a beatmap has another number', 'NM1=10 NM4=20 HD1=30 TB=90', ['moved NM2 NM4']],
    ['a beatmap went to another bucket', 'NM1=10 HD1=30 HD2=20 TB=90', ['moved NM2 HD2']],
    ['a beatmap left all buckets', 'NM1=10 HD1=30 TB=90 5=20', ['moved NM2 5']],
    ['two changed places', 'NM1=20 NM2=10 HD1=30 TB=90', ['moved NM2 NM1', 'moved NM1 NM2']],
    [
      'one was put in front of the others',
      'NM1=5 NM2=10 NM3=20 HD1=30 TB=90',
      ['filled NM1 5', 'moved NM1 NM2', 'moved NM2 NM3'],
    ],
    [
      'one moved into the place of one that was dropped',
      'NM1=20 HD1=30 TB=90',
      ['emptied NM1 10', 'moved NM2 NM1'],
    ],
    [
      'one moved away, and a new one has its place',
      'NM1=10 NM2=25 HD1=30 HD2=20 TB=90',
      ['filled NM2 25', 'moved NM2 HD2'],
    ],
    ['one was put in a second place', 'NM1=10 NM2=20 HD1=30 HD2=10 TB=90', ['filled HD2 10']],
    [
      'one replaces another, whose new place was that of a third',
      'NM1=15 NM2=10 HD1=30 TB=90',
      ['filled NM1 15', 'emptied NM2 20', 'moved NM1 NM2'],
    ],
    ['the tiebreaker was replaced', 'NM1=10 NM2=20 HD1=30 TB=91', ['replaced TB 90 91']],
    ['slots were sent in another order (D-27)', 'TB=90 HD1=30 NM2=20 NM1=10', []],
  ])('%s', (_what, after, found) => {
    const differences = comparePacks(start, pack(after))
    expect(differences.map((each) => Object.values(shortened(each)).join(' '))).toEqual(found)
    expectApplied(start, pack(after))
  })

  it('prefers a move within the bucket for a beatmap that was in several places', () => {
    const [before, after] = [pack('NM1=10 HD1=10'), pack('HD2=10')]
    expect(comparePacks(before, after)).toEqual([
      { kind: 'emptied', at: 'NM1', from: 10 },
      { kind: 'moved', at: 'HD2', from: 'HD1', to: 'HD2' },
    ])
  })

  it('compares texts first', () => {
    const before = { ...start, visibility: 'private' as const }
    const after = { ...before, name: 'Finals', description: 'New', visibility: 'public' as const }
    expect(comparePacks(before, after)).toEqual([
      { kind: 'name', from: 'Semifinals', to: 'Finals' },
      { kind: 'description', to: 'New' },
      { kind: 'visibility', from: 'private', to: 'public' },
    ])
    expect(comparePacks(after, before)).toContainEqual({ kind: 'description', from: 'New' })
  })

  it.each([null, '', undefined, ' \n'])('takes a description of %j for none', (description) => {
    const known = { ...start, visibility: 'public' as const }
    expect(comparePacks({ ...known, description }, known)).toEqual([])
  })

  it('leaves out texts that one of the two does not know', () => {
    const known = { ...start, visibility: 'public' as const, description: 'Old' }
    const key = decodePackKey(encodePackKey({ ...start, buckets: null }))
    expect(comparePacks(known, key)).toEqual([])
    expect(comparePacks(key, known)).toEqual([])
    expect(applyDifferences([], known)).toMatchObject({ visibility: 'public', description: 'Old' })
    expect(Object.keys(applyDifferences([], key))).toEqual(['name', 'buckets', 'slots'])
  })

  it.each<[string, readonly Bucket[] | undefined, readonly Bucket[] | undefined, object[]]>([
    ['added', undefined, withRc(), [{ kind: 'bucket', at: 'RC', to: RC }]],
    ['removed', withRc(), undefined, [{ kind: 'bucket', at: 'RC', from: RC }]],
    [
      'recoloured',
      withRc(),
      withRc({ ...RC, color: 4 }),
      [{ kind: 'bucket', at: 'RC', from: RC, to: { ...RC, color: 4 } }],
    ],
    [
      'given other mods',
      withRc(),
      withRc({ code: 'RC', color: 3 }),
      [{ kind: 'bucket', at: 'RC', from: RC, to: { code: 'RC', color: 3 } }],
    ],
    [
      'reordered',
      withRc(),
      builtins('HD', 'NM', 'HR', 'DT', 'FM', 'TB').toSpliced(5, 0, RC),
      [
        {
          kind: 'bucket',
          from: ['NM', 'HD', 'HR', 'DT', 'FM', 'RC', 'TB'],
          to: ['HD', 'NM', 'HR', 'DT', 'FM', 'RC', 'TB'],
        },
      ],
    ],
    [
      'added in front',
      undefined,
      [RC, ...builtins('NM', 'HD', 'HR', 'DT', 'FM', 'TB')],
      [
        { kind: 'bucket', at: 'RC', to: RC },
        {
          kind: 'bucket',
          from: ['NM', 'HD', 'HR', 'DT', 'FM', 'RC', 'TB'],
          to: ['RC', 'NM', 'HD', 'HR', 'DT', 'FM', 'TB'],
        },
      ],
    ],
    ['written out', undefined, builtins('NM', 'HD', 'HR', 'DT', 'FM', 'TB'), []],
    ['partly sent', withRc(), [RC], []],
  ])('a bucket table is %s', (_what, before, after, found) => {
    const [a, b] = [pack('NM1=10', before), pack('NM1=10', after)]
    expect(comparePacks(a, b)).toEqual(found)
    expectApplied(a, b)
  })

  it('shows a new code as a bucket and moves, the slots of a removed bucket last', () => {
    const before = pack('RC1=50 RC2=51', withRc())
    const RX: Bucket = { ...RC, code: 'RX' }
    const after = pack('RX1=50 TB=90', withRc(RX))
    expect(comparePacks(before, after)).toEqual([
      { kind: 'bucket', at: 'RC', from: RC },
      { kind: 'bucket', at: 'RX', to: RX },
      { kind: 'moved', at: 'RX1', from: 'RC1', to: 'RX1' },
      { kind: 'filled', at: 'TB', to: 90 },
      { kind: 'emptied', at: 'RC2', from: 51 },
    ])
    expectApplied(before, after)
  })

  it('compares drafts that name a place twice', () => {
    const before = pack('NM1=10 NM1=20')
    expect(comparePacks(before, pack('NM1=20'))).toEqual([{ kind: 'emptied', at: 'NM1', from: 10 }])
    expect(comparePacks(before, before)).toEqual([])
  })

  it('are refused for another state than the one they begin at', () => {
    const differences = comparePacks(start, pack('NM1=10 HD1=30 HD2=20 TB=91'))
    expect(() => applyDifferences(differences, pack('NM1=10 TB=90'))).toThrow(
      'NM2 must be as it was when the packs were compared',
    )
    expect(() => applyDifferences(differences, pack('NM2=20 TB=89'))).toThrow(
      'TB must be as it was',
    )
  })
})

function shortened(difference: ReturnType<typeof comparePacks>[number]): object {
  if (difference.kind !== 'moved') return difference
  return { kind: difference.kind, from: difference.from, to: difference.to }
}

/** What two packs that hold the same have in common. */
const contentOf = ({ name, buckets, slots: all, description, visibility }: PackContent) => [
  encodePackKey({ name, slots: all, buckets: ownTable(buckets) }),
  description || null,
  visibility,
]

const ownTable = (buckets: PackContent['buckets']) =>
  buckets && !isDefaultTable(buckets) ? buckets : null

function expectApplied(before: PackContent, after: PackContent): void {
  const found = applyDifferences(comparePacks(before, after), before)
  expect(comparePacks(found, after)).toEqual([])
  if ((after.buckets?.length ?? 7) > 1) {
    expect(contentOf(found)).toEqual(contentOf(after))
  }
}

const anyPack = fc.record({
  pool: anyPool,
  description: fc.option(anyName),
  visibility: fc.constantFrom(...visibilities),
})
const anyContent = anyPack.map(({ pool, ...texts }): Pool & PackContent => ({ ...pool, ...texts }))

type Edit = (pack: Pool & PackContent, at: number, to: number) => Pool & PackContent
const edits: readonly Edit[] = [
  (pool, at, to) => setBeatmap(pool, at, to + 1),
  (pool, at, to) => setBeatmap(pool, at, pool.slots[to]?.beatmapId ?? 1),
  (pool, at, to) => moveSlot(pool, at, codesOf(pool)[to] ?? null),
  (pool, at, to) => renumberSlot(pool, at, to + 1),
  (pool, at) => removeSlot(pool, at),
  (pool, at, to) => (pool.slots.length < 60 ? addSlot(pool, codesOf(pool)[to] ?? null, at) : pool),
  (pool, at, to) => moveBucket(pool, codesOf(pool)[at] ?? 'NM', to),
  (pool, at) => removeBucket(pool, customOf(pool)[at % 8]?.code ?? 'NM'),
  (pool) => (customOf(pool).length < 8 ? addBucket(pool, freeCode(pool)) : pool),
  (pool, at, to) => {
    const bucket = customOf(pool)[at % 8]
    if (bucket === undefined) return pool
    const code = to % 2 === 0 ? bucket.code : freeCode(pool)
    return changeBucket(pool, bucket.code, { code, color: to % 10, mods: { kind: 'free' } })
  },
  (pool, at) => ({ ...pool, description: at % 2 === 0 ? null : `Round ${at}` }),
  (pool, at) => ({ ...pool, visibility: visibilities[at % 3]! }),
]

const codesOf = (pool: Pool) => bucketTable(pool.buckets).map(({ code }) => code)
const customOf = (pool: Pool) => bucketTable(pool.buckets).filter(isCustom)

function freeCode(pool: Pool): string {
  const used = new Set(codesOf(pool).map(foldCode))
  return ['X1', 'Y', 'Z９', 'Д', 'AA', 'BB', 'CC', 'DD', 'EE'].find((c) => !used.has(foldCode(c)))!
}

function setBeatmap(pool: Pool & PackContent, at: number, beatmapId: number) {
  return {
    ...pool,
    slots: pool.slots.map((slot, position) => (position === at ? { ...slot, beatmapId } : slot)),
  }
}

/** A pack, and the same after a few edits. */
const anyNearPair = fc
  .tuple(
    anyContent,
    fc.array(fc.tuple(fc.nat(edits.length - 1), fc.nat(20), fc.nat(20)), { maxLength: 12 }),
  )
  .map(([before, steps]) => {
    const after = steps.reduce((pool, [edit, at, to]) => edits[edit]!(pool, at, to), before)
    return [before, after] as const
  })

describe('10,000 random pairs', () => {
  const pairs = fc.oneof(
    { weight: 1, arbitrary: fc.tuple(anyContent, anyContent) },
    { weight: 3, arbitrary: anyNearPair },
  )

  it('applyDifferences of comparePacks(a, b) to a equals b to the pack key, texts included', () => {
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        const differences = comparePacks(a, b)
        expect(contentOf(applyDifferences(differences, a))).toEqual(contentOf(b))
        expect(differences.length === 0).toBe(
          JSON.stringify(contentOf(a)) === JSON.stringify(contentOf(b)),
        )
      }),
      { numRuns: 10_000 },
    )
  })

  it('a pack has no differences from itself', () => {
    fc.assert(fc.property(anyContent, (a) => comparePacks(a, { ...a }).length === 0))
  })
})

it('placeOf is the inverse of slotLabel', () => {
  const codes = fc.oneof(
    anyPool.map((pool) => codesOf(pool)).chain((all) => fc.constantFrom(...all)),
    fc.constantFrom(null, 'RC1', '5', 'A²', 'あ5', 'Z９', 'Ⅷ'),
  )
  fc.assert(
    fc.property(codes, fc.integer({ min: 1, max: 99 }), (mod, index) => {
      expect(placeOf(slotLabel({ mod, index }))).toEqual({ mod, index })
    }),
  )
})
