import type { ForcedMod } from '../contract/mods.ts'
import type { KnownSlot } from '../contract/page-data.ts'
import type { Bucket } from '../contract/pools.ts'
import type { RoundSlot } from '../contract/rounds.ts'
import { slotMods, slotsInPoolOrder } from '../pool/slots.ts'

/** A slot of a pack or of a released round. */
export type SlotWithBeatmap = {
  readonly slot: RoundSlot
  readonly forced: readonly ForcedMod[]
  /** null where nothing is known of its beatmap. */
  readonly found: KnownSlot | null
}

/** The slots in pool order, each as it is played and with what is known of its beatmap. */
export function slotsWithBeatmaps(
  {
    buckets = null,
    slots,
  }: {
    readonly buckets?: readonly Bucket[] | null | undefined
    readonly slots: readonly RoundSlot[]
  },
  beatmaps: readonly KnownSlot[],
): SlotWithBeatmap[] {
  const known = new Map(beatmaps.map((each) => [keyOf(each.id, each.mods), each]))
  const inOrder = slotsInPoolOrder({ buckets, slots })
  const plays = slotMods({
    buckets,
    slots: inOrder.map(({ mod, index, beatmapId = 0 }) => ({ mod, index, beatmapId })),
  })
  return inOrder.map((slot, at) => {
    const { forced } = plays[at]!
    const { beatmapId } = slot
    const found = beatmapId === undefined ? undefined : known.get(keyOf(beatmapId, forced))
    return { slot, forced, found: found ?? null }
  })
}

const keyOf = (id: number, mods: readonly string[]): string => `${id} ${mods.join('')}`
