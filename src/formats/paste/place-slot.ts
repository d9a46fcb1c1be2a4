import {
  MAX_BEATMAP_ID,
  MAX_CUSTOM_BUCKETS,
  MAX_SLOT_INDEX,
  MAX_SLOTS,
} from '../../contract/bounds.ts'
import type { Slot } from '../../contract/pools.ts'
import { completeBuckets, isCode, isCustom } from '../../pool/buckets.ts'
import { addBucket, freeIndex } from '../../pool/edits.ts'
import type { PoolDraft } from '../../pool/pool.ts'
import { slotLabel } from '../../pool/slots.ts'
import type { KnownCodes } from './known-codes.ts'
import type { Label } from './label.ts'

/** The draft with the slot in it, or what is wrong and what to do. */
export type Placed =
  | { readonly draft: PoolDraft; readonly slot: Slot }
  | { readonly draft: null; readonly reason: string }

const no = (reason: string): Placed => ({ draft: null, reason })

/**
 * Puts a beatmap into a draft: into the bucket that its label names, ignoring case, or into a new
 * one; at the number that it names, or at the lowest that is free.
 *
 * @param codes of the draft; a new bucket's is added to it.
 */
export function placeSlot(
  draft: PoolDraft,
  { code, index }: Label,
  beatmapId: number,
  codes: KnownCodes,
): Placed {
  if (beatmapId < 1 || beatmapId > MAX_BEATMAP_ID) {
    return no(`The beatmap id must be from 1 to ${MAX_BEATMAP_ID}. Check the id.`)
  }
  if (index !== null && (index < 1 || index > MAX_SLOT_INDEX)) {
    return no(`The slot number must be from 1 to ${MAX_SLOT_INDEX}.`)
  }
  if (draft.slots.length >= MAX_SLOTS) {
    return no(`A pool can have at most ${MAX_SLOTS} slots. Remove one, then paste this line again.`)
  }
  const known = code === null ? null : codes.find(code)
  if (code !== null && known === null) {
    const reason = whyNoBucket(draft, code)
    if (reason !== null) return no(reason)
    codes.add(code)
    return placeIn(addBucket(draft, code), code, index, beatmapId)
  }
  return placeIn(draft, known, index, beatmapId)
}

function placeIn(
  draft: PoolDraft,
  mod: string | null,
  wanted: number | null,
  beatmapId: number,
): Placed {
  const inBucket = draft.slots.filter((slot) => slot.mod === mod)
  const holder = inBucket.find((slot) =>
    wanted === null ? slot.beatmapId === beatmapId : slot.index === wanted,
  )
  if (holder?.beatmapId === beatmapId) {
    return no(
      `${nameOf(holder)} already has this beatmap. To add it twice, give this line another slot.`,
    )
  }
  if (holder !== undefined) {
    return no(`${nameOf(holder)} already has beatmap ${holder.beatmapId}. Use another slot number.`)
  }
  const slot = { mod, index: wanted ?? freeIndex(draft.slots, mod), beatmapId }
  return { draft: { ...draft, slots: [...draft.slots, slot] }, slot }
}

function whyNoBucket(draft: PoolDraft, code: string): string | null {
  if (!isCode(code)) return `${code} is not a valid bucket code: use 1 to 12 letters or digits.`
  const table = completeBuckets(draft.buckets ?? [], draft.slots)
  return table.filter(isCustom).length < MAX_CUSTOM_BUCKETS
    ? null
    : `${code} would exceed the limit of ${MAX_CUSTOM_BUCKETS} custom buckets. Use an existing bucket.`
}

const nameOf = (slot: Slot): string =>
  slot.mod === null ? `Slot ${slotLabel(slot)} without a bucket` : slotLabel(slot)
