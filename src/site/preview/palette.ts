import { type BuiltinCode, builtinCodes } from '../../contract/mods.ts'
import type { Bucket } from '../../contract/pools.ts'
import { bucketTable, isCustom } from '../../pool/buckets.ts'

/** The picture is dark, whatever the reader's theme: it stands on other programs' grounds. */
export const ground = '#12151c'
export const panel = '#1a1f29'
export const hairline = '#2b3240'
export const ink = '#f3f5f9'
export const quietInk = '#a3adbd'
export const starInk = '#ffd76a'

/** The colours of every tournament sheet. */
export const builtin: Readonly<Record<BuiltinCode, string>> = {
  NM: '#60a5fa',
  HD: '#facc15',
  HR: '#f87171',
  DT: '#c084fc',
  FM: '#4ade80',
  TB: '#e5e7eb',
}

/** Green, teal, pink, lime, cyan, fuchsia, yellow, red, indigo, stone. */
export const custom: readonly string[] = [
  '#16a34a',
  '#2dd4bf',
  '#f472b6',
  '#a3e635',
  '#22d3ee',
  '#e879f9',
  '#ca8a04',
  '#f14b4b',
  '#818cf8',
  '#a8a29e',
]

const isBuiltin = (code: string): code is BuiltinCode =>
  builtinCodes.some((builtinCode) => builtinCode === code)

const colorOf = (bucket: Bucket): string =>
  isCustom(bucket) ? (custom[bucket.color] ?? quietInk) : builtin[bucket.code]

/** What colour a slot has by its mod; null is a slot without a bucket. */
export const slotColors = (buckets: readonly Bucket[] | null): ((mod: string | null) => string) => {
  const colors = new Map(bucketTable(buckets).map((bucket) => [bucket.code, colorOf(bucket)]))
  return (mod) => {
    if (mod === null) return quietInk
    return colors.get(mod) ?? (isBuiltin(mod) ? builtin[mod] : quietInk)
  }
}
