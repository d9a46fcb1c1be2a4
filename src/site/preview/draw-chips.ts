import type { Area, Canvas } from './canvas.ts'
import { ground, panel } from './palette.ts'
import type { SceneSlot } from './scene.ts'

const RADIUS = 16
const PADDING = 24
/** Largest first. */
const sizes = [28, 24, 21, 19, 16, 14] as const
/** A line for each bucket is easier to read, as long as the letters are not too small for it. */
const OWN_LINES_FROM = 19
/** Where even the smallest letters are too many, labels are cut: chips so wide at most. */
const cutWidths = [180, 140, 110, 90, 75] as const

const labelStyle = (size: number) => ({ weight: 600, size, color: ground }) as const

type Chip = { readonly slot: SceneSlot; readonly place: Area }

/** Bucket by bucket in lines; a new bucket begins a new line while there is room for that. */
const layOut = (
  canvas: Canvas,
  slots: readonly SceneSlot[],
  [x, y, width]: Area,
  size: number,
  ownLines: boolean,
  mostWidth = Infinity,
): { readonly chips: readonly Chip[]; readonly height: number } => {
  const chips: Chip[] = []
  const [chipHeight, gap] = [size * 1.75, size * 0.45]
  let [left, top] = [x, y]
  for (const [at, slot] of slots.entries()) {
    const labelWidth = canvas.measure(slot.label, labelStyle(size))
    const chipWidth = Math.min(mostWidth, Math.max(size * 2.6, labelWidth + size * 1.2))
    const isNewBucket = ownLines && at > 0 && slots[at - 1]?.bucket !== slot.bucket
    if (left > x && (isNewBucket || left + chipWidth > x + width)) {
      left = x
      top += chipHeight + gap
    }
    chips.push({ slot, place: [left, top, chipWidth, chipHeight] })
    left += chipWidth + gap
  }
  return { chips, height: top + chipHeight - y }
}

/** Every slot as a chip in its bucket's colour: what can be shown while no stars are known. */
export const drawChips = (canvas: Canvas, slots: readonly SceneSlot[], area: Area): void => {
  const [x, y, width, height] = area
  canvas.panel(area, RADIUS, panel)
  const inner: Area = [x + PADDING, y + PADDING, width - 2 * PADDING, height - 2 * PADDING]
  const tries = [true, false].flatMap((ownLines) =>
    sizes
      .filter((size) => !ownLines || size >= OWN_LINES_FROM)
      .map((size) => ({ size, ...layOut(canvas, slots, inner, size, ownLines) })),
  )
  const isFitting = ({ height: needed }: { readonly height: number }) => needed <= inner[3]
  const cut = () => {
    const size = Math.min(...sizes)
    const layouts = cutWidths.map((most) => layOut(canvas, slots, inner, size, false, most))
    return { size, ...(layouts.find(isFitting) ?? { chips: [] }) }
  }
  const fitting = tries.find(isFitting) ?? cut()
  const { size } = fitting
  for (const { slot, place } of fitting.chips) {
    const [left, top, chipWidth, chipHeight] = place
    canvas.panel(place, size * 0.4, slot.color)
    const room = chipWidth - size * 0.8
    const textWidth = Math.min(room, canvas.measure(slot.label, labelStyle(size)))
    const middle: readonly [number, number] = [
      left + (chipWidth - textWidth) / 2,
      top + chipHeight / 2 + size * 0.36,
    ]
    canvas.line(slot.label, middle, labelStyle(size), room)
  }
}
