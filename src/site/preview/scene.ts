import { type BuiltinCode, builtinCodes } from '../../contract/mods.ts'
import type { Stats } from '../../contract/packs.ts'
import type { Bucket } from '../../contract/pools.ts'
import { ownerNameOf, type SavedPack } from '../../domain/packs.ts'
import { bucketTable, isCustom } from '../../pool/buckets.ts'
import { slotLabel, slotsInPoolOrder } from '../../pool/slots.ts'
import { cleanLine } from '../../pool/text.ts'

/** A slot of the picture. */
export type SceneSlot = {
  readonly label: string
  /** Slots of one bucket stand together. */
  readonly bucket: string
  readonly color: string
  /** null when not known. */
  readonly stars: number | null
}

/** What a pack's picture shows, before anything is measured. */
export type Scene = {
  readonly name: string
  readonly owner: string
  /** `5.31 – 7.81`; null while no star rating is known. */
  readonly stars: string | null
  /** `19 beatmaps`, `1:35 – 4:18`, `150 – 222 BPM`: what is known. */
  readonly facts: readonly string[]
  /** In pool order. */
  readonly slots: readonly SceneSlot[]
}

/**
 * What there is to draw of a pack.
 *
 * @param stars of each slot, in the order of the pack's slots.
 */
export function sceneOf(
  pack: SavedPack,
  stars: readonly (number | null)[],
  poolsOwnerName: string,
): Scene {
  const colorOf = slotColors(pack.buckets)
  const slots = pack.slots.map((slot, at) => ({ ...slot, stars: stars[at] ?? null }))
  const count = slots.length
  return {
    name: cleanLine(pack.name),
    owner: cleanLine(ownerNameOf(pack, poolsOwnerName)),
    stars: pack.stats && starsOf(pack.stats),
    facts: [
      count === 1 ? '1 beatmap' : `${count} beatmaps`,
      ...(pack.stats === null ? [] : factsOf(pack.stats)),
    ],
    slots: slotsInPoolOrder({ buckets: pack.buckets, slots }).map((slot) => ({
      label: slotLabel(slot),
      bucket: slot.mod ?? '',
      color: colorOf(slot.mod),
      stars: slot.stars,
    })),
  }
}

function range(from: number | string, to: number | string): string {
  return from === to ? String(from) : `${from} – ${to}`
}

function clock(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

function starsOf({ srMin, srMax }: Stats): string | null {
  return srMin === null || srMax === null ? null : range(srMin.toFixed(2), srMax.toFixed(2))
}

function factsOf(stats: Stats): string[] {
  const { lenMin, lenMax, bpmMin, bpmMax } = stats
  return [
    ...(lenMin === null || lenMax === null ? [] : [range(clock(lenMin), clock(lenMax))]),
    ...(bpmMin === null || bpmMax === null ? [] : [`${range(bpmMin, bpmMax)} BPM`]),
  ]
}

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

function isBuiltin(code: string): code is BuiltinCode {
  return builtinCodes.some((builtinCode) => builtinCode === code)
}

function colorOf(bucket: Bucket): string {
  return isCustom(bucket) ? (custom[bucket.color] ?? quietInk) : builtin[bucket.code]
}

/** What colour a slot has by its mod; null is a slot without a bucket. */
export function slotColors(buckets: readonly Bucket[] | null): (mod: string | null) => string {
  const colors = new Map(bucketTable(buckets).map((bucket) => [bucket.code, colorOf(bucket)]))
  return (mod) => {
    if (mod === null) return quietInk
    return colors.get(mod) ?? (isBuiltin(mod) ? builtin[mod] : quietInk)
  }
}
