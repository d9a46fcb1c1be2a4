import { MAX_SLOT_INDEX } from '../../../contract/bounds.ts'
import type { Bucket } from '../../../contract/pools.ts'
import { completeBuckets, slotLabel } from '../../../pool/slots.ts'
import type { Layout, Place } from '../../../pool/pool.ts'
import type { SlotFilling } from '../../../pool/round-fields.ts'
import { formatList } from '../../format.ts'

/** A slot, which in rounds alone may have no beatmap, with a key that is unique in its edit and stays when the slot is moved. */
export type LaneSlot = Place & SlotFilling & { readonly key: number }

/** What is edited in lanes: of a pack or of a round. */
export type LaneEdit = {
  /** The whole table in pool order; every slot's mod is in it. */
  readonly buckets: readonly Bucket[]
  readonly slots: readonly LaneSlot[]
}

export function withoutKey(slot: LaneSlot): Place & SlotFilling {
  const { key: _, ...plain } = slot
  return plain
}

type Slots = Pick<LaneEdit, 'slots'>

/** A layout that was made from an edit: its slots may have their keys still. */
export type KeyedLayout = Omit<Layout, 'slots'> & {
  readonly slots: readonly (Place & SlotFilling & { readonly key?: number })[]
}

/** The edit with another layout; codes that only slots name become buckets (D-22). */
export function withLayout<E extends LaneEdit>(edit: E, { buckets, slots }: KeyedLayout): E {
  const keys = new Map(edit.slots.map(({ mod, index, key }) => [`${mod} ${index}`, key]))
  const taken = new Set<number>()
  let last = Math.max(0, ...keys.values())
  return {
    ...edit,
    buckets: completeBuckets(buckets ?? [], slots),
    slots: slots.map(({ key: own, ...slot }) => {
      const before = own ?? keys.get(`${slot.mod} ${slot.index}`)
      const key = before === undefined || taken.has(before) ? ++last : before
      taken.add(key)
      return { ...slot, key }
    }),
  }
}

/** A bucket with its slots by number; `mod` is null for the slots without a bucket. */
export type Lane = {
  readonly mod: string | null
  readonly bucket: Bucket | null
  readonly slots: readonly LaneSlot[]
}

/** All lanes in pool order; the slots without a bucket come first, when there are any. */
export function lanesOf(edit: LaneEdit): Lane[] {
  const loose = laneSlots(edit, null)
  const lanes = edit.buckets.map((bucket) => {
    return { mod: bucket.code, bucket, slots: laneSlots(edit, bucket.code) }
  })
  return loose.length > 0 ? [{ mod: null, bucket: null, slots: loose }, ...lanes] : lanes
}

/** The lanes as they are shown: those without slots come after the others, each in pool order. */
export function shownLanes(edit: LaneEdit): Lane[] {
  const { filled = [], empty = [] } = Object.groupBy(lanesOf(edit), laneKind)
  return [...filled, ...empty]
}

const laneKind = ({ slots }: Lane) => (slots.length > 0 ? 'filled' : 'empty')

/**
 * The place in the table that a bucket gets when its lane moves up (-1) or down (1) among the shown lanes of its kind;
 * null at their end, where moving it would change nothing that is shown.
 */
export function placeOfStep(edit: LaneEdit, code: string, by: -1 | 1): number | null {
  const lanes = shownLanes(edit).filter(({ bucket }) => bucket !== null)
  const at = lanes.findIndex(({ mod }) => mod === code)
  const [lane, next] = [lanes[at], lanes[at + by]]
  if (lane === undefined || next === undefined || laneKind(lane) !== laneKind(next)) return null
  return edit.buckets.findIndex((bucket) => bucket.code === next.mod)
}

function laneSlots({ slots }: Slots, mod: string | null): LaneSlot[] {
  return slots.filter((slot) => slot.mod === mod).toSorted((a, b) => a.index - b.index)
}

/** Whether a number below the lane's highest is free. */
export const hasGaps = ({ slots }: Lane): boolean => slots.some(({ index }, at) => index !== at + 1)

export function slotOf({ slots }: Slots, key: number | undefined): LaneSlot | undefined {
  return slots.find((slot) => slot.key === key)
}

/** The other slots of each slot's beatmap, by the slot's key: `HD2 and FM1`. Hosts seldom mean it. */
export function doubles({ slots }: Slots): ReadonlyMap<number, string> {
  const byBeatmap = Map.groupBy(slots, ({ beatmapId }) => beatmapId)
  return new Map(
    slots.flatMap((slot) => {
      if (slot.beatmapId === undefined) return []
      const others = byBeatmap.get(slot.beatmapId)?.filter((other) => other !== slot) ?? []
      return others.length === 0 ? [] : [[slot.key, formatList(others.map(slotLabel))]]
    }),
  )
}

/**
 * Puts a slot into a lane, at a place counted from 0 among the lane's other slots. The numbers go
 * by the order: within a lane the same numbers stay in use; another lane makes room, and the one
 * that the slot leaves closes up. A slot that is not there changes nothing.
 */
export function placeSlot<E extends LaneEdit>(
  edit: E,
  key: number,
  mod: string | null,
  at: number,
): E {
  const slot = slotOf(edit, key)
  if (slot === undefined) return edit
  const lane = laneSlots(edit, mod)
  const others = lane.filter((each) => each !== slot)
  const place = Math.min(Math.max(at, 0), others.length)
  const order = others.toSpliced(place, 0, slot)
  if (slot.mod !== mod) {
    return withSlots(edit, [
      ...closeUp(laneSlots(edit, slot.mod), slot.index),
      ...makeRoom(order.with(place, { ...slot, mod }), place),
    ])
  }
  if (lane[place]?.index === slot.index) return edit
  const moved = order.map((each, to) => numbered(each, lane[to]?.index))
  return withSlots(edit, moved)
}

/** The edit with these slots in place of those with their keys. */
function withSlots<E extends LaneEdit>(edit: E, changed: readonly LaneSlot[]): E {
  const byKey = new Map(changed.map((slot) => [slot.key, slot]))
  return { ...edit, slots: edit.slots.map((slot) => byKey.get(slot.key) ?? slot) }
}

const numbered = (slot: LaneSlot, index = slot.index): LaneSlot => ({ ...slot, index })

/** Those that follow without a gap go one up, until a gap takes it; all from 1 where 99 is in the way. */
function makeRoom(lane: readonly LaneSlot[], at: number): LaneSlot[] {
  let last = lane[at - 1]?.index ?? 0
  const moved = lane.map((slot, position) =>
    position < at || (position > at && slot.index > last) ? slot : numbered(slot, ++last),
  )
  return last > MAX_SLOT_INDEX ? fromOne(lane) : moved
}

/** Those that followed the number that is free without a gap go one down. */
function closeUp(lane: readonly LaneSlot[], free: number): LaneSlot[] {
  let last = free
  return lane.map((slot) => (slot.index === last + 1 ? numbered(slot, last++) : slot))
}

function fromOne(lane: readonly LaneSlot[]): LaneSlot[] {
  return lane.map((slot, at) => numbered(slot, at + 1))
}

/** Moves a slot one place up (-1) or down (1), over the edge of its lane into the next one. */
export function stepSlot<E extends LaneEdit>(edit: E, key: number, by: -1 | 1): E {
  const lanes = lanesOf(edit)
  const laneAt = lanes.findIndex(({ slots }) => slots.some((slot) => slot.key === key))
  const lane = lanes[laneAt]
  if (lane === undefined) return edit
  const place = lane.slots.findIndex((slot) => slot.key === key) + by
  if (place >= 0 && place < lane.slots.length) return placeSlot(edit, key, lane.mod, place)
  const next = lanes[laneAt + by]
  return next === undefined ? edit : placeSlot(edit, key, next.mod, by < 0 ? next.slots.length : 0)
}

export function numberFromOne<E extends LaneEdit>(edit: E, mod: string | null): E {
  return withSlots(edit, fromOne(laneSlots(edit, mod)))
}

type Extent = { readonly top: number; readonly bottom: number }

export type LaneExtent = Extent & {
  readonly mod: string | null
  readonly rows: readonly (Extent & { readonly key: number })[]
}

/** A place in a lane, counted from 0 among its rows without the one that is dragged. */
export type DropPlace = { readonly mod: string | null; readonly at: number }

/** The place of a row that is dropped at this height: in the nearest lane. */
export function dropPlace(lanes: readonly LaneExtent[], key: number, y: number): DropPlace | null {
  const [nearest] = lanes.toSorted((a, b) => distance(a, y) - distance(b, y))
  if (nearest === undefined) return null
  const others = nearest.rows.filter((row) => row.key !== key)
  const at = others.findIndex(({ top, bottom }) => y < (top + bottom) / 2)
  return { mod: nearest.mod, at: at < 0 ? others.length : at }
}

const distance = ({ top, bottom }: Extent, y: number): number => Math.max(top - y, y - bottom, 0)
