import { CODE_PATTERN, MAX_FORCED_MODS } from '../contract/bounds.ts'
import {
  type BuiltinCode,
  builtinCodes,
  type ForcedMod,
  forcedMods,
  type StatsMod,
} from '../contract/mods.ts'
import type { Bucket, CustomBucket, Slot } from '../contract/pools.ts'
import type { Layout, Place, Pool, PoolDraft } from './pool.ts'
import { type Remedy, remedy } from './remedies.ts'

// Buckets and their slots.

const pattern = new RegExp(CODE_PATTERN, 'u')
const builtins: ReadonlySet<string> = new Set(builtinCodes)

/** Whether the text can be a bucket's code (spec 2.3). */
export function isCode(text: string): boolean {
  return pattern.test(text)
}

/** Whether the code, in this exact spelling, is a built-in's. */
export function isBuiltinCode(code: string): code is BuiltinCode {
  return builtins.has(code)
}

/**
 * Two codes are the same ignoring case (D-21) when this returns the same text for both. Codes that are
 * equal in lower case, in upper case or under Unicode's case folding are equal here, too (`ß` = `ẞ` = `SS`,
 * `ſ` = `s`, `ς` = `σ`, `ı` = `I`; not `İ` = `i`, which is so in Turkish alone), so codes that are unique here
 * are unique for every reader. Unicode guarantees that it stays the same for existing letters.
 */
export function foldCode(code: string): string {
  return code.toLowerCase().toUpperCase()
}

/**
 * Two names of rounds are the same ignoring case when this returns the same text for both. One may have been typed with
 * whole letters, the other with their marks apart, as file names of a Mac are: nobody sees a difference.
 */
export const foldName = (name: string): string => foldCode(name.trim().normalize('NFD'))

/** The bucket table of a pool that has none of its own: the built-ins in default order. */
export const defaultBuckets: readonly Bucket[] = builtinCodes.map((code) => ({ code }))

/** The table that applies, in pool order. */
export function bucketTable(buckets: readonly Bucket[] | null | undefined): readonly Bucket[] {
  return buckets ?? defaultBuckets
}

/** Whether the host made the bucket. */
export function isCustom(bucket: Bucket): bucket is CustomBucket {
  return 'color' in bucket
}

/** Whether the table says no more than having none would (D-22). */
export function isDefaultTable(table: readonly Bucket[]): boolean {
  return (
    table.length === builtinCodes.length &&
    table.every((bucket, position) => bucket.code === builtinCodes[position])
  )
}

/** `completeBuckets` of a draft that has no problems. */
export function wholeTable({ buckets, slots }: Layout): Bucket[] {
  return completeBuckets(buckets ?? [], slots)
}

/**
 * The whole table for a partial list that has no problems (D-22): missing built-ins in default
 * order in front, TB at the end, and a new custom bucket directly before TB for each code that
 * only slots name, in order of first appearance.
 */
export function completeBuckets(sent: readonly Bucket[], slots: Layout['slots']): Bucket[] {
  const known = new Set<string>(sent.map((bucket) => bucket.code))
  const missing = builtinCodes.filter((code) => !known.has(code)).map((code) => ({ code }))
  const isLast = ({ code }: Bucket): boolean => code === 'TB'
  const table = [
    ...missing.filter((bucket) => !isLast(bucket)),
    ...sent.map(knownFields),
    ...missing.filter(isLast),
  ]
  for (const { code } of missing) known.add(code)
  for (const { mod } of slots) {
    if (mod === null || known.has(mod)) continue
    known.add(mod)
    insertCustom(table, mod)
  }
  return table
}

/** Inserts a custom bucket directly before TB, in the lowest colour that is free. */
export function insertCustom(table: Bucket[], code: string): void {
  const used = new Set(table.filter(isCustom).map((bucket) => bucket.color))
  let color = 0
  while (used.has(color)) color += 1
  const end = table.findIndex((bucket) => bucket.code === 'TB')
  table.splice(end, 0, { code, color })
}

/** A copy without fields that are not ours (D-17), its forced set in order (D-23). */
function knownFields(bucket: Bucket): Bucket {
  if (!isCustom(bucket)) return { code: bucket.code }
  const { code, color, mods } = bucket
  if (mods === undefined) return { code, color }
  if (mods.kind === 'free') return { code, color, mods: { kind: 'free' } }
  return { code, color, mods: { kind: 'forced', set: orderForcedSet(mods.set) } }
}

/** What is wrong with a set of forced mods (spec 2.4, D-23), to be read after its place; null when nothing is. */
export function findInForcedSet(set: readonly ForcedMod[]): Remedy | null {
  if (set.length < 1 || set.length > MAX_FORCED_MODS) {
    return remedy('modCount', { most: MAX_FORCED_MODS })
  }
  const repeated = set.find((mod, position) => set.indexOf(mod) !== position)
  if (repeated !== undefined) return remedy('modTwice', { mod: repeated })
  const apart = exclusive.find((pair) => pair.every((mod) => set.includes(mod)))
  return apart === undefined ? null : remedy('modsApart', { one: apart[0], other: apart[1] })
}

const exclusive = [
  ['EZ', 'HR'],
  ['DT', 'HT'],
] as const

/** The set in the order in which it is stored: EZ HD HR DT HT FL (D-23). */
export function orderForcedSet(set: readonly ForcedMod[]): ForcedMod[] {
  return forcedMods.filter((mod) => set.includes(mod))
}

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

/** A slot with its own fields alone (D-17). */
export const plainSlot = ({ mod, index, beatmapId }: Slot): Slot => ({ mod, index, beatmapId })

/** Equal for the same place. The label does not tell slot 11 of bucket A from slot 1 of bucket A1. */
export const placeKey = ({ mod, index }: Place): string => `${index} ${mod ?? ''}`

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
