import type { Brush } from './brush.ts'
import { drawLine } from './draw-text.ts'
import { hairline, panel, quietInk } from './palette.ts'
import type { SceneSlot } from './scene.ts'
import type { Typeface } from './typeface.ts'

/** x, y, width, height. */
export type Area = readonly [number, number, number, number]

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
export const drawPlot = (
  brush: Brush,
  typeface: Typeface,
  slots: readonly SceneSlot[],
  area: Area,
): void => {
  const [x, y, width, height] = area
  brush.panel(area, RADIUS, panel)
  const { from, to, step } = scaleOf(slots.flatMap(({ stars }) => stars ?? []))
  const [left, right, top, bottom] = [x + 84, x + width - 40, y + 28, y + height - 60]
  const heightOf = (stars: number) => bottom - ((stars - from) / (to - from)) * (bottom - top)
  const every = Math.ceil((to - from) / step / 5) * step
  for (let stars = from; stars <= to + 1e-6; stars += every) {
    const at = heightOf(stars)
    brush.panel([left - 16, at - 1, right - left + 32, 2], 1, hairline)
    const text = Number.isInteger(step) ? String(stars) : stars.toFixed(1)
    const style = { weight: 400, size: LABEL_SIZE, color: quietInk } as const
    drawLine(brush, typeface, text, [x + 28, at + 7], style)
  }
  const { placed, last } = placeSlots(slots)
  const spread = last === 0 ? 0 : (right - left) / last
  const radius = Math.max(6, Math.min(11, spread * 0.36 || 11))
  const acrossOf = (place: number) => (last === 0 ? (left + right) / 2 : left + place * spread)
  for (const { place, stars, color } of placed) {
    if (stars !== null) brush.disc(acrossOf(place), heightOf(stars), radius, color)
  }
  for (const bucket of new Set(placed.map((slot) => slot.bucket))) {
    const group = placed.filter((slot) => slot.bucket === bucket)
    const [first, end] = [group[0], group.at(-1)]
    if (first === undefined || end === undefined) continue
    const style = { weight: 600, size: LABEL_SIZE, color: first.color } as const
    const middle = (acrossOf(first.place) + acrossOf(end.place)) / 2
    const textWidth = typeface.measure(bucket, style.weight, style.size) ?? 0
    drawLine(brush, typeface, bucket, [middle - textWidth / 2, y + height - 20], style)
  }
}
