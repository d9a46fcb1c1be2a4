import {
  type BuiltinCode,
  builtinCodes,
  type ForcedMod,
  forcedMods,
  type StatsMod,
} from '../contract/mods.ts'
import type { Bucket, Slot } from '../contract/pools.ts'
import { bucketTable, isCustom, orderForcedSet } from './buckets.ts'
import type { Place, Pool, PoolDraft } from './pool.ts'

/**
 * The usual name of a slot: `NM1`; `RC1 2` when the code ends in a digit; `TB` for the first
 * tiebreaker, as every sheet has it; the number alone for a slot without a bucket.
 */
export function slotLabel({ mod, index }: Place): string {
  if (mod === null) return String(index)
  if (mod === 'TB' && index === 1) return mod
  return /\p{N}$/u.test(mod) ? `${mod} ${index}` : `${mod}${index}`
}

/** The place that a label names: the inverse of `slotLabel`. */
export function placeOf(label: string): Place {
  if (label === 'TB') return { mod: label, index: 1 }
  const number = /[0-9]{1,2}$/.exec(label)?.[0] ?? ''
  const mod = label.slice(0, label.length - number.length).trimEnd()
  return { mod: mod === '' ? null : mod, index: Number(number) }
}

/** A slot without what is not part of it (D-17). */
export const plainSlot = ({ mod, index, beatmapId }: Slot): Slot => ({ mod, index, beatmapId })

/**
 * The slots in pool order (D-20): those without a bucket first, then bucket by bucket, by index.
 * A slot whose mod is in no bucket comes last.
 */
export function slotsInPoolOrder<S extends Place>({
  buckets,
  slots,
}: Pick<PoolDraft, 'buckets'> & { readonly slots: readonly S[] }): S[] {
  const ranks = new Map<string | null, number>([[null, -1]])
  for (const [rank, bucket] of bucketTable(buckets).entries()) ranks.set(bucket.code, rank)
  const rankOf = (slot: S): number => ranks.get(slot.mod) ?? ranks.size
  return slots.toSorted((a, b) => rankOf(a) - rankOf(b) || a.index - b.index)
}

/** The codes of the buckets that have slots, in pool order; null for slots without a bucket. */
export function codesInUse(pool: Pick<Pool, 'buckets' | 'slots'>): (string | null)[] {
  return [...new Set(slotsInPoolOrder(pool).map(({ mod }) => mod))]
}

export type ModsPool = Pick<Pool, 'slots' | 'buckets'>

type BucketPlay = {
  /** The mods that players must use, in the order EZ HD HR DT HT FL. */
  readonly forced: readonly ForcedMod[]
  /** The built-in bucket that it is or, with free mods, counts as; null when it is neither. */
  readonly countsAs: BuiltinCode | null
}

export type SlotPlay = BucketPlay & { readonly beatmapId: number }

/** What each slot forces, in the order of the slots (spec 2.6 rule 1). */
export function slotMods({ slots, buckets }: ModsPool): readonly SlotPlay[] {
  const plays = new Map<string | null, BucketPlay>()
  for (const bucket of bucketTable(buckets)) plays.set(bucket.code, playOf(bucket))
  const plain: BucketPlay = { forced: [], countsAs: null }
  return slots.map(({ mod, beatmapId }) => ({ ...(plays.get(mod) ?? plain), beatmapId }))
}

/** The slots in pool order, each with its position in the pool and as it is played. */
export function slotsToPlay(pool: Pool): (Slot & BucketPlay & { readonly position: number })[] {
  const plays = slotMods(pool)
  const slots = pool.slots.map((slot, position) => ({ ...slot, ...plays[position]!, position }))
  return slotsInPoolOrder({ ...pool, slots })
}

function playOf(bucket: Bucket): BucketPlay {
  if (!isCustom(bucket)) {
    return { forced: forcedMods.filter((mod) => mod === bucket.code), countsAs: bucket.code }
  }
  if (bucket.mods?.kind === 'free') return { forced: [], countsAs: 'FM' }
  return { forced: orderForcedSet(bucket.mods?.set ?? []), countsAs: null }
}

/**
 * The mods that stats list (spec 2.6, D-34): those of the built-in slots in pool order, a custom
 * free-mod slot counting as FM, then those that custom slots force, each once.
 */
export function listedMods(slots: readonly BucketPlay[]): StatsMod[] {
  const builtin = new Set<StatsMod>(slots.flatMap(({ countsAs }) => countsAs ?? []))
  const custom = new Set(slots.flatMap(({ countsAs, forced }) => (countsAs === null ? forced : [])))
  return [
    ...builtinCodes.filter((code) => builtin.has(code)),
    ...forcedMods.filter((mod) => custom.has(mod) && !builtin.has(mod)),
  ]
}
