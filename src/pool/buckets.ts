import { CODE_PATTERN, MAX_FORCED_MODS } from '../contract/bounds.ts'
import { type BuiltinCode, builtinCodes, type ForcedMod, forcedMods } from '../contract/mods.ts'
import type { Bucket, CustomBucket } from '../contract/pools.ts'
import type { Layout } from './pool.ts'

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
export function checkForcedSet(set: readonly ForcedMod[]): string | null {
  if (set.length < 1 || set.length > MAX_FORCED_MODS) {
    return `must hold 1 to ${MAX_FORCED_MODS} mods`
  }
  const repeated = set.find((mod, position) => set.indexOf(mod) !== position)
  if (repeated !== undefined) return `must hold ${repeated} only once`
  if (set.includes('EZ') && set.includes('HR')) return 'must not hold both EZ and HR'
  return set.includes('DT') && set.includes('HT') ? 'must not hold both DT and HT' : null
}

/** The set in the order in which it is stored: EZ HD HR DT HT FL (D-23). */
export function orderForcedSet(set: readonly ForcedMod[]): ForcedMod[] {
  return forcedMods.filter((mod) => set.includes(mod))
}
