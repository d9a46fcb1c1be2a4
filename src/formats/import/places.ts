import {
  MAX_BEATMAP_ID,
  MAX_CUSTOM_BUCKETS,
  MAX_SLOT_INDEX,
  MAX_SLOTS,
} from '../../contract/bounds.ts'
import type { Slot } from '../../contract/pools.ts'
import type { RoundSlot } from '../../contract/rounds.ts'
import type { Place } from '../../pool/pool.ts'
import { isCode, isCustom, slotLabel, wholeTable } from '../../pool/slots.ts'
import type { Label } from './labels.ts'
import type { RoundPool } from './readings.ts'

export const isFilledSlot = (slot: RoundSlot): slot is Slot => slot.beatmapId !== undefined

/** Why a beatmap cannot be added, and what to do; null when it can. */
export function whyNot(
  draft: RoundPool,
  { mod, index, beatmapId }: Omit<Slot, 'index'> & Pick<Label, 'index'>,
  newCode: string | null,
): string | null {
  if (beatmapId < 1 || beatmapId > MAX_BEATMAP_ID) {
    return `The beatmap id must be from 1 to ${MAX_BEATMAP_ID}. Check the id.`
  }
  const filled = filledOf(draft)
  const reason = whyNoRoom(draft, index, newCode, filled.length)
  if (reason !== null) return reason
  const holder = filled.find(
    (slot) =>
      slot.mod === mod && (index === null ? slot.beatmapId === beatmapId : slot.index === index),
  )
  if (holder === undefined) return null
  return holder.beatmapId === beatmapId
    ? `${nameOf(holder)} already has this beatmap. To add it twice, give this line another slot.`
    : whyTaken(holder)
}

/** The slots with a beatmap; a text is longer than a pool, and asks again and again for those of the full one. */
function filledOf({ slots }: RoundPool): readonly Slot[] {
  if (slots !== last.slots) last = { slots, filled: slots.filter(isFilledSlot) }
  return last.filled
}

let last: { readonly slots: RoundPool['slots']; readonly filled: readonly Slot[] } = {
  slots: [],
  filled: [],
}

/** Why there is no place for a slot, whatever it holds. */
export function whyNoRoom(
  draft: RoundPool,
  index: number | null,
  newCode: string | null,
  count: number,
): string | null {
  if (index !== null && (index < 1 || index > MAX_SLOT_INDEX)) {
    return `The slot number must be from 1 to ${MAX_SLOT_INDEX}.`
  }
  if (count >= MAX_SLOTS) {
    return `A pool can have at most ${MAX_SLOTS} slots. Remove one, then paste this line again.`
  }
  if (newCode !== null && !isCode(newCode)) {
    return `${newCode} is not a valid bucket code: use 1 to 12 letters or digits.`
  }
  if (newCode !== null && wholeTable(draft).filter(isCustom).length >= MAX_CUSTOM_BUCKETS) {
    return `${newCode} would exceed the limit of ${MAX_CUSTOM_BUCKETS} custom buckets. Use an existing bucket.`
  }
  return null
}

/** Why a place cannot be taken. */
export function whyTaken(holder: RoundSlot): string {
  return holder.beatmapId === undefined
    ? `${nameOf(holder)} is in this text already. Use another slot number.`
    : `${nameOf(holder)} already has beatmap ${holder.beatmapId}. Use another slot number.`
}

export function nameOf(slot: Place): string {
  return slot.mod === null ? `Slot ${slot.index} without a bucket` : slotLabel(slot)
}
