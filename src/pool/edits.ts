import { MAX_SLOT_INDEX } from '../contract/bounds.ts'
import type { CustomBucket } from '../contract/pools.ts'
import { insertCustom, isCustom, wholeTable } from './slots.ts'
import type { Layout, Place, PoolDraft } from './pool.ts'

// Each edit of a slot returns a new draft and keeps all other fields of the draft and its slots.
// `position` is an index into the draft's own `slots`; one out of range changes nothing.

/** Adds a slot at the lowest number that is free in the bucket. */
export function addSlot<D extends PoolDraft>(draft: D, mod: string | null, beatmapId: number): D {
  const slot = { mod, index: freeIndex(draft.slots, mod), beatmapId }
  return { ...draft, slots: [...draft.slots, slot] }
}

/** Moves a slot into another bucket, at the lowest number that is free there. */
export function moveSlot<D extends Layout>(draft: D, position: number, mod: string | null): D {
  if (draft.slots[position]?.mod === mod) return draft
  const index = freeIndex(draft.slots, mod)
  return changeSlots(draft, (slot, at) => (at === position ? { ...slot, mod, index } : slot))
}

/** Gives a slot another number; the slot that has it gets the old one. */
export function renumberSlot<D extends Layout>(draft: D, position: number, index: number): D {
  const slot = draft.slots[position]
  if (slot === undefined) return draft
  const other = draft.slots.findIndex((each) => each.mod === slot.mod && each.index === index)
  return changeSlots(draft, (each, at) => {
    if (at === position) return { ...each, index }
    return at === other ? { ...each, index: slot.index } : each
  })
}

export function removeSlot<D extends Layout>(draft: D, position: number): D {
  return { ...draft, slots: draft.slots.filter((_, at) => at !== position) }
}

/** The lowest number that no slot of the bucket has; the highest there is when all are taken. */
export function freeIndex(slots: readonly Place[], mod: string | null): number {
  const used = new Set(slots.filter((slot) => slot.mod === mod).map((slot) => slot.index))
  let index = 1
  while (used.has(index) && index < MAX_SLOT_INDEX) index += 1
  return index
}

function changeSlots<D extends Layout>(draft: D, change: (slot: Place, at: number) => Place): D {
  return { ...draft, slots: draft.slots.map(change) }
}

// Each edit of a bucket returns a new draft with the whole table written out. A bucket that is not there, or a
// built-in where only a custom one can be changed, leaves the table as it is.

/** Adds a custom bucket directly before TB, in the lowest colour that is free. */
export function addBucket<D extends Layout>(draft: D, code: string): D {
  const buckets = wholeTable(draft)
  insertCustom(buckets, code)
  return { ...draft, buckets }
}

/** Changes a custom bucket: its code, colour or mods. Its slots follow. */
export function changeBucket<D extends Layout>(draft: D, code: string, to: CustomBucket): D {
  const buckets = wholeTable(draft)
  const at = buckets.findIndex((bucket) => bucket.code === code && isCustom(bucket))
  if (at < 0) return { ...draft, buckets }
  const renamed = changeSlots(draft, (slot) =>
    slot.mod === code ? { ...slot, mod: to.code } : slot,
  )
  return { ...renamed, buckets: buckets.with(at, to) }
}

/** Moves a bucket to a place in the table, counted from 0 without it. */
export function moveBucket<D extends Layout>(draft: D, code: string, to: number): D {
  const buckets = wholeTable(draft)
  const at = buckets.findIndex((each) => each.code === code)
  if (at < 0) return { ...draft, buckets }
  const moved = buckets.splice(at, 1)
  return { ...draft, buckets: buckets.toSpliced(Math.max(0, to), 0, ...moved) }
}

/** Removes a custom bucket. No beatmap is lost: its slots are then in no bucket. */
export function removeBucket<D extends Layout>(draft: D, code: string): D {
  const table = wholeTable(draft)
  const buckets = table.filter((bucket) => bucket.code !== code || !isCustom(bucket))
  if (buckets.length === table.length) return { ...draft, buckets }
  const slots = [...draft.slots]
  for (const [position, slot] of slots.entries()) {
    if (slot.mod === code) slots[position] = { ...slot, mod: null, index: freeIndex(slots, null) }
  }
  return { ...draft, buckets, slots }
}
