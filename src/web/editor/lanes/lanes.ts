import { MAX_SLOT_INDEX } from '../../../contract/bounds.ts'
import type { Bucket } from '../../../contract/pools.ts'
import { slotLabel } from '../../../pool/slots.ts'
import type { Edit, EditSlot } from '../edit.ts'

/** A bucket with its slots by number; `mod` is null for the slots without a bucket. */
export type Lane = {
  readonly mod: string | null
  readonly bucket: Bucket | null
  readonly slots: readonly EditSlot[]
}

type Slots = Pick<Edit, 'slots'>

/** All lanes in pool order; the slots without a bucket come first, when there are any. */
export function lanesOf(edit: Pick<Edit, 'buckets' | 'slots'>): Lane[] {
  const loose = laneSlots(edit, null)
  return [
    ...(loose.length > 0 ? [{ mod: null, bucket: null, slots: loose }] : []),
    ...edit.buckets.map((bucket) => ({
      mod: bucket.code,
      bucket,
      slots: laneSlots(edit, bucket.code),
    })),
  ]
}

/** The slots of a bucket by number. */
function laneSlots({ slots }: Slots, mod: string | null): EditSlot[] {
  return slots.filter((slot) => slot.mod === mod).toSorted((a, b) => a.index - b.index)
}

/** A lane as one speaks of it. */
export function laneName(mod: string | null): string {
  return mod ?? 'no bucket'
}

/** Whether a number below the lane's highest is free. */
export function hasGaps({ slots }: Lane): boolean {
  return slots.some(({ index }, at) => index !== at + 1)
}

/** The slot with this key; undefined when it is gone. */
export function slotOf({ slots }: Slots, key: number): EditSlot | undefined {
  return slots.find((slot) => slot.key === key)
}

/** Where else each slot's beatmap stands, by the slot's key: `HD2, FM1`. Hosts seldom mean it. */
export function doubles({ slots }: Slots): ReadonlyMap<number, string> {
  const byBeatmap = Map.groupBy(slots, ({ beatmapId }) => beatmapId)
  return new Map(
    [...byBeatmap.values()].flatMap((same) =>
      same.length < 2
        ? []
        : same.map((slot) => {
            const others = same.filter((other) => other !== slot)
            return [slot.key, others.map(slotLabel).join(', ')] as const
          }),
    ),
  )
}

/**
 * Puts a slot into a lane, at a place counted from 0 among the lane's other slots. The numbers go
 * by the order: within a lane the same numbers stay in use; another lane makes room, and the one
 * left behind closes up. A slot that is not there changes nothing.
 */
export function placeSlot(edit: Edit, key: number, mod: string | null, at: number): Edit {
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
  if (slot.mod === mod && numbers.get(key) === slot.index) return edit
  const slots = edit.slots.map((each) => ({
    ...each,
    mod: each.key === key ? mod : each.mod,
    index: numbers.get(each.key) ?? each.index,
  }))
  return { ...edit, slots }
}

/** Slots' numbers by their keys. */
type Numbers = Map<number, number>

/** Those that follow without a gap go one up, until a gap takes it; all from 1 where 99 is in the way. */
function makeRoom(numbers: Numbers, lane: readonly number[], at: number, before: Numbers): void {
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
function closeUp(numbers: Numbers, lane: readonly number[], from: number, before: Numbers): void {
  let free = from
  for (const key of lane) {
    const index = before.get(key) as number
    if (index !== free + 1) continue
    numbers.set(key, free)
    free = index
  }
}

/** Moves a slot one place up (-1) or down (1), over the edge of its lane into the next one. */
export function stepSlot(edit: Edit, key: number, by: -1 | 1): Edit {
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
export function numberFromOne(edit: Edit, mod: string | null): Edit {
  const places = new Map(laneSlots(edit, mod).map(({ key }, at) => [key, at + 1]))
  const slots = edit.slots.map((slot) => ({ ...slot, index: places.get(slot.key) ?? slot.index }))
  return { ...edit, slots }
}

/** Where something is on the screen, from top to bottom. */
type Extent = { readonly top: number; readonly bottom: number }

/** A lane on the screen, with its rows in order. */
export type LaneExtent = Extent & {
  readonly mod: string | null
  readonly rows: readonly (Extent & { readonly key: number })[]
}

/** A place in a lane, counted from 0 among its rows without the one that is dragged. */
export type DropPlace = { readonly mod: string | null; readonly at: number }

/** Where a row that is let go at this height would come to stand: in the nearest lane. */
export function dropPlace(lanes: readonly LaneExtent[], key: number, y: number): DropPlace | null {
  const [nearest] = lanes.toSorted((a, b) => distance(a, y) - distance(b, y))
  if (nearest === undefined) return null
  const others = nearest.rows.filter((row) => row.key !== key)
  const at = others.findIndex(({ top, bottom }) => y < (top + bottom) / 2)
  return { mod: nearest.mod, at: at < 0 ? others.length : at }
}

function distance({ top, bottom }: Extent, y: number): number {
  return Math.max(top - y, y - bottom, 0)
}
