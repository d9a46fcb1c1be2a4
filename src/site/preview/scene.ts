import type { Stats } from '../../contract/packs.ts'
import { ownerNameOf, type SavedPack } from '../../domain/packs.ts'
import { slotLabel, slotsInPoolOrder } from '../../pool/slots.ts'
import { cleanLine } from '../../pool/text.ts'
import { slotColors } from './palette.ts'

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

const range = (from: number | string, to: number | string): string =>
  from === to ? String(from) : `${from} – ${to}`

const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

const starsOf = ({ srMin, srMax }: Stats): string | null =>
  srMin === null || srMax === null ? null : range(srMin.toFixed(2), srMax.toFixed(2))

const factsOf = (stats: Stats): string[] => {
  const { lenMin, lenMax, bpmMin, bpmMax } = stats
  return [
    ...(lenMin === null || lenMax === null ? [] : [range(clock(lenMin), clock(lenMax))]),
    ...(bpmMin === null || bpmMax === null ? [] : [`${range(bpmMin, bpmMax)} BPM`]),
  ]
}

/**
 * What there is to draw of a pack.
 *
 * @param stars of each slot, in the order of the pack's slots.
 */
export const sceneOf = (
  pack: SavedPack,
  stars: readonly (number | null)[],
  poolsOwnerName: string,
): Scene => {
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
