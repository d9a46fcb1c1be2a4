import {
  MAX_BEATMAP_ID,
  MAX_CUSTOM_BUCKETS,
  MAX_SLOT_INDEX,
  MAX_SLOTS,
} from '../../../contract/bounds.ts'
import type { Slot } from '../../../contract/pools.ts'
import type { RoundSlot } from '../../../contract/rounds.ts'
import type { Place } from '../../../pool/pool.ts'
import { isCode, isCustom, slotLabel, wholeTable } from '../../../pool/slots.ts'
import type { Label } from '../words/labels.ts'
import type { RoundPool } from '../readings.ts'
import { type ImportMessage, say } from '../import-message.ts'

export const isFilledSlot = (slot: RoundSlot): slot is Slot => slot.beatmapId !== undefined

/** Why a beatmap cannot be added, and what to do; null when it can. */
export function whyNot(
  draft: RoundPool,
  { mod, index, beatmapId }: Omit<Slot, 'index'> & Pick<Label, 'index'>,
  newCode: string | null,
): ImportMessage | null {
  if (beatmapId < 1 || beatmapId > MAX_BEATMAP_ID) {
    return say('idBounds', { most: MAX_BEATMAP_ID })
  }
  const filled = filledOf(draft)
  const reason = whyNoRoom(draft, index, newCode, filled.length)
  if (reason !== null) return reason
  const holder = filled.find(
    (slot) =>
      slot.mod === mod && (index === null ? slot.beatmapId === beatmapId : slot.index === index),
  )
  if (holder === undefined) return null
  return holder.beatmapId === beatmapId ? say('sameBeatmap', nameOf(holder)) : whyTaken(holder)
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
): ImportMessage | null {
  if (index !== null && (index < 1 || index > MAX_SLOT_INDEX)) {
    return say('numberBounds', { most: MAX_SLOT_INDEX })
  }
  if (count >= MAX_SLOTS) {
    return say('tooManySlots', { most: MAX_SLOTS })
  }
  if (newCode !== null && !isCode(newCode)) {
    return say('badCode', { code: newCode })
  }
  if (newCode !== null && wholeTable(draft).filter(isCustom).length >= MAX_CUSTOM_BUCKETS) {
    return say('tooManyBuckets', { code: newCode, most: MAX_CUSTOM_BUCKETS })
  }
  return null
}

/** Why a place cannot be taken. */
export function whyTaken(holder: RoundSlot): ImportMessage {
  return holder.beatmapId === undefined
    ? say('twiceHere', nameOf(holder))
    : say('taken', { ...nameOf(holder), id: holder.beatmapId })
}

/** What messages have of a slot. */
export function nameOf(slot: Place): { slot: string; bucket: string } {
  return { slot: slotLabel(slot), bucket: slot.mod === null ? 'none' : 'one' }
}
