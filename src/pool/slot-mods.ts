import type { Bucket } from '../contract/bucket.ts'
import type { BuiltinCode, ForcedMod } from '../contract/mods.ts'
import type { Slot } from '../contract/slot.ts'
import { bucketTable, isCustom } from './bucket-table.ts'
import { orderForcedSet } from './forced-set.ts'

/** What a pool says of mods. */
export type ModsPool = {
  readonly slots: readonly Slot[]
  /** null when it is the default table (D-22). */
  readonly buckets: readonly Bucket[] | null
}

/** What a bucket says of its slots. */
export type BucketPlay = {
  /** The mods that players must use, in the order EZ HD HR DT HT FL. */
  readonly forced: readonly ForcedMod[]
  /** The built-in bucket that it is or, with free mods, counts as; null when it is neither. */
  readonly countsAs: BuiltinCode | null
}

/** A slot as it is played. */
export type SlotPlay = BucketPlay & { readonly beatmapId: number }

const plain: BucketPlay = { forced: [], countsAs: null }

const builtins: Readonly<Record<BuiltinCode, BucketPlay>> = {
  NM: { forced: [], countsAs: 'NM' },
  HD: { forced: ['HD'], countsAs: 'HD' },
  HR: { forced: ['HR'], countsAs: 'HR' },
  DT: { forced: ['DT'], countsAs: 'DT' },
  FM: { forced: [], countsAs: 'FM' },
  TB: { forced: [], countsAs: 'TB' },
}

const playOf = (bucket: Bucket): BucketPlay => {
  if (!isCustom(bucket)) return builtins[bucket.code]
  if (bucket.mods === undefined) return plain
  return bucket.mods.kind === 'free'
    ? builtins.FM
    : { forced: orderForcedSet(bucket.mods.set), countsAs: null }
}

/** What each slot forces, in the order of the slots (spec 2.6 rule 1). */
export const slotMods = ({ slots, buckets }: ModsPool): readonly SlotPlay[] => {
  const plays = new Map<string | null, BucketPlay>()
  for (const bucket of bucketTable(buckets)) plays.set(bucket.code, playOf(bucket))
  return slots.map(({ mod, beatmapId }) => ({ ...(plays.get(mod) ?? plain), beatmapId }))
}
