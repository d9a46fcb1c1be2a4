import { MAX_SLOT_INDEX } from '../contract/bounds.ts'
import type { Bucket, CustomBucket, Slot } from '../contract/pools.ts'
import { completeBuckets, insertCustom, isCustom } from './buckets.ts'
import type { PoolDraft } from './pool.ts'

// Each edit of a slot returns a new draft and keeps whatever else the draft and its slots carry.
// `position` counts in the draft's own `slots`; one that is not there changes nothing.

/** Adds a slot at the lowest number that is free in the bucket. */
export function addSlot<D extends PoolDraft>(draft: D, mod: string | null, beatmapId: number): D {
  const slot = { mod, index: freeIndex(draft.slots, mod), beatmapId }
  return { ...draft, slots: [...draft.slots, slot] }
}

/** Moves a slot into another bucket, at the lowest number that is free there. */
export function moveSlot<D extends PoolDraft>(draft: D, position: number, mod: string | null): D {
  if (draft.slots[position]?.mod === mod) return draft
  return replaceSlots(draft, [[position, { mod, index: freeIndex(draft.slots, mod) }]])
}

/** Gives a slot another number; the slot that has it takes the one given up. */
export function renumberSlot<D extends PoolDraft>(draft: D, position: number, index: number): D {
  const slot = draft.slots[position]
  if (slot === undefined) return draft
  const other = draft.slots.findIndex((each) => each.mod === slot.mod && each.index === index)
  return replaceSlots(draft, [
    [other, { index: slot.index }],
    [position, { index }],
  ])
}

export function removeSlot<D extends PoolDraft>(draft: D, position: number): D {
  return { ...draft, slots: draft.slots.filter((_, each) => each !== position) }
}

/** The lowest number that no slot of the bucket has; the highest there is when all are taken. */
export function freeIndex(slots: readonly Slot[], mod: string | null): number {
  const used = new Set(slots.filter((slot) => slot.mod === mod).map((slot) => slot.index))
  let index = 1
  while (used.has(index) && index < MAX_SLOT_INDEX) index += 1
  return index
}

function replaceSlots<D extends PoolDraft>(
  draft: D,
  changes: readonly (readonly [position: number, change: Partial<Slot>])[],
): D {
  const slots = [...draft.slots]
  for (const [position, change] of changes) {
    const slot = slots[position]
    if (slot !== undefined) slots[position] = { ...slot, ...change }
  }
  return { ...draft, slots }
}

// Each edit of a bucket returns a new draft with the whole table written out. A bucket that is not there, or a
// built-in where only a custom one can be changed, leaves the table as it is.

/** Adds a custom bucket directly before TB, in the lowest colour that is free. */
export function addBucket<D extends PoolDraft>(draft: D, code: string): D {
  const buckets = wholeTable(draft)
  insertCustom(buckets, code)
  return { ...draft, buckets }
}

/** Changes a custom bucket: its code, colour or mods. Its slots go with it. */
export function changeBucket<D extends PoolDraft>(
  draft: D,
  code: string,
  changed: CustomBucket,
): D {
  const table = wholeTable(draft)
  const at = table.findIndex((bucket) => bucket.code === code && isCustom(bucket))
  if (at < 0) return { ...draft, buckets: table }
  const slots = draft.slots.map((slot) =>
    slot.mod === code ? { ...slot, mod: changed.code } : slot,
  )
  return { ...draft, buckets: table.with(at, changed), slots }
}

/** Moves a bucket to a place in the table, counted from 0 without it. */
export function moveBucket<D extends PoolDraft>(draft: D, code: string, to: number): D {
  const table = wholeTable(draft)
  const bucket = table.find((each) => each.code === code)
  if (bucket === undefined) return { ...draft, buckets: table }
  return {
    ...draft,
    buckets: table.filter((each) => each !== bucket).toSpliced(Math.max(0, to), 0, bucket),
  }
}

/** Removes a custom bucket. No beatmap is lost: its slots go on without a bucket. */
export function removeBucket<D extends PoolDraft>(draft: D, code: string): D {
  const table = wholeTable(draft)
  const buckets = table.filter((bucket) => bucket.code !== code || !isCustom(bucket))
  if (buckets.length === table.length) return { ...draft, buckets }
  const slots = [...draft.slots]
  for (const [position, slot] of slots.entries()) {
    if (slot.mod === code) slots[position] = { ...slot, mod: null, index: freeIndex(slots, null) }
  }
  return { ...draft, buckets, slots }
}

function wholeTable(draft: PoolDraft): Bucket[] {
  return completeBuckets(draft.buckets ?? [], draft.slots)
}
