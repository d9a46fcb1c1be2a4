import type { Bucket } from '../../contract/bucket.ts'
import {
  type BuiltinCode,
  builtinCodes,
  type ForcedMod,
  forcedMods,
  type StatsMod,
} from '../../contract/mods.ts'
import type { Slot } from '../../contract/slot.ts'
import { bucketTable, isCustom } from '../../pool/bucket-table.ts'
import { orderForcedSet } from '../../pool/forced-set.ts'

/** What stats need of a pack. */
export type StatsPool = {
  readonly slots: readonly Slot[]
  /** null when it is the default table (D-22). */
  readonly buckets: readonly Bucket[] | null
}

/** What a bucket says of its slots. */
type BucketPlay = {
  /** The mods that players must use, in the order EZ HD HR DT HT FL. */
  readonly forced: readonly ForcedMod[]
  /** The built-in bucket that it is or, with free mods, counts as; null when it is neither. */
  readonly countsAs: BuiltinCode | null
}

/** A slot as stats see it. */
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
export const slotMods = ({ slots, buckets }: StatsPool): readonly SlotPlay[] => {
  const plays = new Map<string | null, BucketPlay>()
  for (const bucket of bucketTable(buckets)) plays.set(bucket.code, playOf(bucket))
  return slots.map(({ mod, beatmapId }) => ({ ...(plays.get(mod) ?? plain), beatmapId }))
}

/**
 * The mods that stats list (spec 2.6, D-34): those of the built-in slots in pool order, a custom
 * free-mod slot counting as FM, then those that custom slots force, each once.
 */
export const listedMods = (slots: readonly SlotPlay[]): StatsMod[] => {
  const builtin = new Set<StatsMod>(slots.flatMap(({ countsAs }) => countsAs ?? []))
  const custom = new Set(slots.flatMap(({ countsAs, forced }) => (countsAs === null ? forced : [])))
  return [
    ...builtinCodes.filter((code) => builtin.has(code)),
    ...forcedMods.filter((mod) => custom.has(mod) && !builtin.has(mod)),
  ]
}
