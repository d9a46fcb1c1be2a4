import * as fc from 'fast-check'
import { builtinCodes, type ForcedMod, forcedMods } from '../../src/contract/mods.ts'
import type { Bucket, BucketMods, CustomBucket } from '../../src/contract/pools.ts'
import { bucketTable, foldCode } from '../../src/pool/slots.ts'
import { completePool } from '../../src/pool/checks.ts'
import type { Pool, PoolDraft } from '../../src/pool/pool.ts'
import { isVisible } from '../../src/pool/text.ts'

/** Any code point at all, low ones and halves of surrogate pairs often. */
const anyPoint = fc
  .oneof(fc.nat(0x10_ffff), fc.nat(0xff), fc.integer({ min: 0xd7f0, max: 0xe010 }))
  .map((point) => String.fromCodePoint(point))

/** Any text that a program can hold, not only valid Unicode. */
export const anyText: fc.Arbitrary<string> = fc.string({ unit: anyPoint, maxLength: 80 })

/** A name that holds D-19 and D-47: any Unicode text, not only the sort that people write. */
export const anyName: fc.Arbitrary<string> = fc
  .oneof(
    { weight: 3, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 64 }) },
    { weight: 1, arbitrary: anyText },
  )
  .map((text) =>
    text
      .replaceAll(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '')
      .slice(0, 64)
      .toWellFormed()
      .trim(),
  )
  .filter(isVisible)

/** Any letter or digit that Unicode has, ASCII and the hard cases often. */
const codeLetter = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(...Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcxyz0123456789')),
  },
  { weight: 2, arbitrary: fc.constantFrom(...Array.from('ßẞſKıİςσΣéあ春가Дд５Ⅷ²𝔸𐐀𐐨')) },
  { weight: 1, arbitrary: anyPoint },
)

export const anyCode: fc.Arbitrary<string> = fc
  .string({ unit: codeLetter, minLength: 1, maxLength: 12 })
  .filter((code) => /^[\p{L}\p{N}]{1,12}$/u.test(code) && isVisible(code))

const allowedSet = (set: readonly ForcedMod[]): boolean =>
  !(set.includes('EZ') && set.includes('HR')) && !(set.includes('DT') && set.includes('HT'))

/** A forced set in any order (D-23). */
export const anyForcedSet: fc.Arbitrary<ForcedMod[]> = fc
  .shuffledSubarray([...forcedMods], { minLength: 1, maxLength: 3 })
  .filter(allowedSet)

const anyMods: fc.Arbitrary<BucketMods> = fc.oneof(
  fc.constant<BucketMods>({ kind: 'free' }),
  anyForcedSet.map((set): BucketMods => ({ kind: 'forced', set })),
)

const anyCustomBucket: fc.Arbitrary<CustomBucket> = fc.oneof(
  fc.record({ code: anyCode, color: fc.nat(9) }),
  fc.record({ code: anyCode, color: fc.nat(9), mods: anyMods }),
)

/** Up to 8 custom buckets that are unique ignoring case (D-21). */
const anyCustomBuckets = fc
  .uniqueArray(anyCustomBucket, { maxLength: 8, selector: (bucket) => foldCode(bucket.code) })
  .map((buckets) => buckets.filter((bucket) => !/^(nm|hd|hr|dt|fm|tb)$/i.test(bucket.code)))

/** A bucket list as somebody might send it: none, partial, or whole, in any order (D-22). */
const anyBucketList: fc.Arbitrary<readonly Bucket[] | undefined> = fc.oneof(
  fc.constant(undefined),
  fc.tuple(fc.subarray([...builtinCodes]), anyCustomBuckets).chain(([codes, custom]) => {
    const list: Bucket[] = [...codes.map((code) => ({ code })), ...custom]
    return fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length })
  }),
)

/** A draft that completes: its slots in any order, some of them without a bucket. */
export const anyDraft: fc.Arbitrary<PoolDraft> = anyBucketList.chain((buckets) => {
  const codes = [
    ...new Set<string>([...builtinCodes, ...bucketTable(buckets).map((bucket) => bucket.code)]),
  ]
  const slots = fc.uniqueArray(
    fc.record({
      mod: fc.option(fc.constantFrom(...codes), { freq: 5 }),
      index: fc.integer({ min: 1, max: 99 }),
      beatmapId: fc.oneof(
        fc.integer({ min: 1, max: 2_147_483_647 }),
        fc.constantFrom(1, 127, 128, 16_383, 16_384, 2_147_483_647),
      ),
    }),
    { maxLength: 64, selector: (slot) => `${slot.mod ?? ''} ${slot.index}` },
  )
  return fc.record({ name: anyName, buckets: fc.constant(buckets), slots })
})

/** A valid pool, as it is stored. */
export const anyPool: fc.Arbitrary<Pool> = anyDraft.map((draft) => completePool(draft, 0))

/** A pool with ids as beatmaps have them today. */
export function withLikelyIds(pool: Pool): Pool {
  const slots = pool.slots.map((slot) => ({ ...slot, beatmapId: (slot.beatmapId % 6_000_000) + 1 }))
  return { ...pool, slots }
}

/** White space that trimming removes, line separators and the byte order mark included. */
export const anySpace: fc.Arbitrary<string> = fc.string({
  unit: fc.constantFrom(' ', '\t', '\n', '\r', '\u00a0', '\u2028', '\u3000', '\ufeff'),
  maxLength: 4,
})
