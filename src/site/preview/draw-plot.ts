import type { Area, Canvas } from './canvas.ts'
import { hairline, panel, quietInk } from './palette.ts'
import type { SceneSlot } from './scene.ts'

const RADIUS = 16
const LABEL_SIZE = 20
/** Between two buckets, counted in slots. */
const GAP = 0.8

/** Slots in their groups, left to right, each with its place counted in slots. */
const placeSlots = (slots: readonly SceneSlot[]) => {
  let place = 0
  const placed = slots.map((slot, at) => {
    if (at > 0) place += slots[at - 1]?.bucket === slot.bucket ? 1 : 1 + GAP
    return { ...slot, place }
  })
  return { placed, last: place }
}

/** Whole or half stars around what is there. */
const scaleOf = (stars: readonly number[]) => {
  const [least, most] = [Math.min(...stars), Math.max(...stars)]
  const step = most - least > 2 ? 1 : 0.5
  const from = Math.max(0, Math.floor(least / step - 0.25) * step)
  const to = Math.max(from + step, Math.ceil(most / step + 0.25) * step)
  return { from, to, step }
}

/** One dot a slot: left to right in pool order, upward by stars, in the colours of the buckets. */
export const drawPlot = (canvas: Canvas, slots: readonly SceneSlot[], area: Area): void => {
  const [x, y, width, height] = area
  canvas.panel(area, RADIUS, panel)
  const { from, to, step } = scaleOf(slots.flatMap(({ stars }) => stars ?? []))
  const [left, right, top, bottom] = [x + 84, x + width - 40, y + 28, y + height - 60]
  const heightOf = (stars: number) => bottom - ((stars - from) / (to - from)) * (bottom - top)
  const every = Math.ceil((to - from) / step / 5) * step
  for (let stars = from; stars <= to + 1e-6; stars += every) {
    const at = heightOf(stars)
    canvas.panel([left - 16, at - 1, right - left + 32, 2], 1, hairline)
    const text = Number.isInteger(step) ? String(stars) : stars.toFixed(1)
    const style = { weight: 400, size: LABEL_SIZE, color: quietInk } as const
    canvas.line(text, [x + 28, at + 7], style)
  }
  const { placed, last } = placeSlots(slots)
  const spread = last === 0 ? 0 : (right - left) / last
  const radius = Math.max(6, Math.min(11, spread * 0.36 || 11))
  const acrossOf = (place: number) => (last === 0 ? (left + right) / 2 : left + place * spread)
  for (const { place, stars, color } of placed) {
    if (stars !== null) canvas.disc(acrossOf(place), heightOf(stars), radius, color)
  }
  const groups = [...new Set(placed.map(({ bucket }) => bucket))].map((bucket) => {
    const group = placed.filter((slot) => slot.bucket === bucket)
    const [first, last] = [group[0]?.place ?? 0, group.at(-1)?.place ?? 0]
    const color = group[0]?.color ?? quietInk
    return { bucket, color, middle: (acrossOf(first) + acrossOf(last)) / 2 }
  })
  for (const [at, { bucket, color, middle }] of groups.entries()) {
    const style = { weight: 600, size: LABEL_SIZE, color } as const
    // A long code has the room up to its neighbours, and no more.
    const edges = [x + 10, x + width - 10].map((edge) => 2 * edge - middle)
    const neighbours = [groups[at - 1]?.middle ?? edges[0], groups[at + 1]?.middle ?? edges[1]]
    const room = Math.min(...neighbours.map((each = middle) => Math.abs(each - middle))) - 10
    const shown = Math.min(room, canvas.measure(bucket, style))
    canvas.line(bucket, [middle - shown / 2, y + height - 20], style, room)
  }
}
