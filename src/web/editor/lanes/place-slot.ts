import { MAX_SLOT_INDEX } from '../../../contract/bounds.ts'
import type { Edit } from '../edit.ts'
import { laneSlots, lanesOf, slotOf } from './lanes.ts'

type Numbers = Map<number, number>

/** Those that follow without a gap go one up, until a gap takes it; all from 1 where 99 is in the way. */
const makeRoom = (numbers: Numbers, lane: readonly number[], at: number, before: Numbers): void => {
  let last = (before.get(lane[at - 1] ?? -1) ?? 0) + 1
  numbers.set(lane[at] as number, last)
  for (const key of lane.slice(at + 1)) {
    const index = before.get(key) as number
    if (index > last) return
    last += 1
    numbers.set(key, last)
  }
  if (last > MAX_SLOT_INDEX) for (const [place, key] of lane.entries()) numbers.set(key, place + 1)
}

/** Those that followed without a gap go one down. */
const closeUp = (
  numbers: Numbers,
  lane: readonly number[],
  from: number,
  before: Numbers,
): void => {
  let free = from
  for (const key of lane) {
    const index = before.get(key) as number
    if (index !== free + 1) continue
    numbers.set(key, free)
    free = index
  }
}

/**
 * Puts a slot into a lane, at a place counted from 0 among the lane's other slots. The numbers go
 * by the order: within a lane the same numbers stay in use; another lane makes room, and the one
 * left behind closes up. A slot that is not there changes nothing.
 */
export const placeSlot = (edit: Edit, key: number, mod: string | null, at: number): Edit => {
  const slot = slotOf(edit, key)
  if (slot === undefined) return edit
  const keysOf = (lane: string | null): number[] =>
    laneSlots(edit, lane).flatMap((each) => (each.key === key ? [] : each.key))
  const before: Numbers = new Map(edit.slots.map((each) => [each.key, each.index]))
  const lane = keysOf(mod)
  const place = Math.min(Math.max(at, 0), lane.length)
  lane.splice(place, 0, key)
  const numbers: Numbers = new Map()
  if (slot.mod === mod) {
    const inUse = laneSlots(edit, mod).map(({ index }) => index)
    for (const [position, each] of lane.entries()) numbers.set(each, inUse[position] as number)
  } else {
    closeUp(numbers, keysOf(slot.mod), slot.index, before)
    makeRoom(numbers, lane, place, before)
  }
  const isSame = slot.mod === mod && numbers.get(key) === slot.index
  if (isSame) return edit
  const slots = edit.slots.map((each) => ({
    ...each,
    mod: each.key === key ? mod : each.mod,
    index: numbers.get(each.key) ?? each.index,
  }))
  return { ...edit, slots }
}

/** Moves a slot one place up (-1) or down (1), over the edge of its lane into the next one. */
export const stepSlot = (edit: Edit, key: number, by: -1 | 1): Edit => {
  const lanes = lanesOf(edit)
  const laneAt = lanes.findIndex(({ slots }) => slots.some((slot) => slot.key === key))
  const lane = lanes[laneAt]
  if (lane === undefined) return edit
  const place = lane.slots.findIndex((slot) => slot.key === key) + by
  if (place >= 0 && place < lane.slots.length) return placeSlot(edit, key, lane.mod, place)
  const next = lanes[laneAt + by]
  return next === undefined ? edit : placeSlot(edit, key, next.mod, by < 0 ? next.slots.length : 0)
}

/** Numbers a lane from 1 without gaps, in its order. */
export const numberFromOne = (edit: Edit, mod: string | null): Edit => {
  const places = new Map(laneSlots(edit, mod).map(({ key }, at) => [key, at + 1]))
  const slots = edit.slots.map((slot) => ({ ...slot, index: places.get(slot.key) ?? slot.index }))
  return { ...edit, slots }
}
