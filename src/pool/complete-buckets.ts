import type { Bucket, BucketMods } from '../contract/bucket.ts'
import { builtinCodes } from '../contract/mods.ts'
import type { Slot } from '../contract/slot.ts'
import { isCustom } from './bucket-table.ts'
import { orderForcedSet } from './forced-set.ts'

/**
 * The whole table for a partial list that has no problems (D-22): missing built-ins in default
 * order in front, TB at the end, and a new custom bucket directly before TB for each code that
 * only slots name, in order of first appearance.
 */
export function completeBuckets(sent: readonly Bucket[], slots: readonly Slot[]): Bucket[] {
  const known = new Set<string>(sent.map((bucket) => bucket.code))
  const missing = builtinCodes.filter((code) => !known.has(code))
  const front = missing.filter((code) => code !== 'TB').map((code) => ({ code }))
  const table = [...front, ...sent.map(knownFields)]
  if (!known.has('TB')) table.push({ code: 'TB' })
  for (const code of missing) known.add(code)
  for (const { mod } of slots) {
    if (mod === null || known.has(mod)) continue
    known.add(mod)
    const end = table.findIndex((bucket) => bucket.code === 'TB')
    table.splice(end, 0, { code: mod, color: freeColor(table) })
  }
  return table
}

/** The lowest colour that no bucket of the table has; there are more colours than custom buckets. */
export function freeColor(table: readonly Bucket[]): number {
  const used = new Set(table.filter(isCustom).map((bucket) => bucket.color))
  let color = 0
  while (used.has(color)) color += 1
  return color
}

/** A copy without fields that are not ours (D-17), its forced set in order (D-23). */
function knownFields(bucket: Bucket): Bucket {
  if (!isCustom(bucket)) return { code: bucket.code }
  const { code, color, mods } = bucket
  return mods === undefined ? { code, color } : { code, color, mods: knownMods(mods) }
}

function knownMods(mods: BucketMods): BucketMods {
  return mods.kind === 'free' ? { kind: 'free' } : { kind: 'forced', set: orderForcedSet(mods.set) }
}
