import { MAX_SLOT_INDEX } from '../contract/bounds.ts'
import type { Slot } from '../contract/slot.ts'
import type { PoolDraft } from './pool.ts'

// Each edit returns a new draft and keeps whatever else the draft and its slots carry.
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
