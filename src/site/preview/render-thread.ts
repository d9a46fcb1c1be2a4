import { parentPort } from 'node:worker_threads'
import { type Area, Canvas, type TextStyle } from './canvas.ts'
import { type Fonts, openFonts } from './fonts.ts'
import {
  ground,
  hairline,
  ink,
  panel,
  quietInk,
  type Scene,
  type SceneSlot,
  starInk,
} from './scene.ts'

/** Something to draw. */
export type PictureJob =
  | { readonly kind: 'pack'; readonly scene: Scene }
  /** The site's mark; `size` in pixels. */
  | { readonly kind: 'icon'; readonly size: number }

/** What comes back: a PNG, or why there is none. */
export type PictureResult = { readonly png: Uint8Array } | { readonly error: string }

let fonts: Fonts | null = null

function draw(job: PictureJob): Buffer {
  if (job.kind === 'icon') return drawIcon(job.size)
  fonts ??= openFonts()
  return drawScene(job.scene, fonts)
}

function answer(job: PictureJob): PictureResult {
  try {
    return { png: draw(job) }
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

// One at a time: the other side sends the next job when this one is answered.
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.on('message', (job: PictureJob) => parentPort?.postMessage(answer(job)))

const WIDTH = 1200
const HEIGHT = 630
const MARGIN = 64
const INNER = WIDTH - 2 * MARGIN
const plotArea: Area = [MARGIN, 278, INNER, 264]
const SITE_NAME = 'Mapcrate'

const by: TextStyle = { weight: 400, size: 28, color: quietInk }
const nameStyles: readonly TextStyle[] = [60, 52, 44, 38].map((size) => ({
  weight: 600,
  size,
  color: ink,
}))

/** Draws a pack's picture, 1200 × 630, as PNG. Letters that no font has are left out. */
export function drawScene(scene: Scene, fonts: Fonts): Buffer {
  const canvas = new Canvas(WIDTH, HEIGHT, ground, fonts)
  drawTitle(canvas, scene)
  drawFacts(canvas, scene, 246)
  const known = scene.slots.filter(({ stars }) => stars !== null).length
  const draw = known * 2 > scene.slots.length ? drawPlot : drawChips
  draw(canvas, scene.slots, plotArea)
  drawMark(canvas, MARGIN, 570)
  const brand: TextStyle = { weight: 600, size: 24, color: quietInk }
  canvas.line(SITE_NAME, [MARGIN + 44, 594], brand)
  return canvas.png()
}

/** The name, and its owner below; where no font has any letter of the name, the owner alone. */
function drawTitle(canvas: Canvas, { name, owner }: Scene): void {
  // Isolated: an owner's name from right to left leaves "by" where it is.
  const byOwner = `by \u2068${owner}\u2069`
  const isNamed = canvas.measure(name, by) > 0
  const { lines, style } = layOutName(canvas, isNamed ? name : byOwner)
  let y = lines.length > 1 ? 52 : 64
  for (const line of lines) {
    y += style.size
    canvas.line(line, [MARGIN, y], style, INNER)
    y += style.size * 0.2
  }
  if (isNamed) canvas.line(byOwner, [MARGIN, y + 40], by, INNER)
}

/** The largest size in which the name fits on one line; else two lines of the smallest. */
function layOutName(canvas: Canvas, name: string): { lines: string[]; style: TextStyle } {
  const style = nameStyles.find((each) => canvas.measure(name, each) <= INNER) ?? nameStyles.at(-1)!
  return { lines: canvas.breakLines(name, style, INNER, 2), style }
}

function drawFacts(canvas: Canvas, scene: Scene, y: number): void {
  let left = MARGIN
  if (scene.stars !== null) {
    canvas.polygon(starAt(left + 15, y - 11, 15), starInk)
    const style: TextStyle = { weight: 600, size: 30, color: starInk }
    left += 42 + canvas.line(scene.stars, [left + 42, y], style) + 36
  }
  const style: TextStyle = { weight: 400, size: 28, color: ink }
  canvas.line(scene.facts.join('   ·   '), [left, y], style)
}

/** A star of five points. */
function starAt(x: number, y: number, radius: number): readonly (readonly [number, number])[] {
  return Array.from({ length: 10 }, (_, at) => {
    const reach = at % 2 === 0 ? radius : radius * 0.42
    const angle = (at / 10) * Math.PI * 2 - Math.PI / 2
    return [x + reach * Math.cos(angle), y + reach * Math.sin(angle)] as const
  })
}

/** The mark of the site: three slots in a crate. */
function drawMark(canvas: Canvas, x: number, y: number): void {
  canvas.panel([x, y, 30, 30], 8, ink)
  for (const [at, color] of ['#2563eb', '#dc2626', '#9333ea'].entries()) {
    canvas.panel([x + 6, y + 6 + at * 7, 18 - at * 4, 4], 2, color)
  }
}

const RADIUS = 16
const LABEL_SIZE = 20
/** Between two buckets, counted in slots. */
const GAP = 0.8

/** One dot a slot: left to right in pool order, upward by stars, in the colours of the buckets. */
function drawPlot(canvas: Canvas, slots: readonly SceneSlot[], area: Area): void {
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

/** Slots in their groups, left to right, each with its place counted in slots. */
function placeSlots(slots: readonly SceneSlot[]) {
  let place = 0
  const placed = slots.map((slot, at) => {
    if (at > 0) place += slots[at - 1]?.bucket === slot.bucket ? 1 : 1 + GAP
    return { ...slot, place }
  })
  return { placed, last: place }
}

/** Whole or half stars around what is there. */
function scaleOf(stars: readonly number[]) {
  const [least, most] = [Math.min(...stars), Math.max(...stars)]
  const step = most - least > 2 ? 1 : 0.5
  const from = Math.max(0, Math.floor(least / step - 0.25) * step)
  const to = Math.max(from + step, Math.ceil(most / step + 0.25) * step)
  return { from, to, step }
}

const PADDING = 24
/** Largest first. */
const sizes = [28, 24, 21, 19, 16, 14] as const
/** A line for each bucket is easier to read, as long as the letters are not too small for it. */
const OWN_LINES_FROM = 19
/** Where even the smallest letters are too many, labels are cut: chips so wide at most. */
const cutWidths = [180, 140, 110, 90, 75] as const

/** Every slot as a chip in its bucket's colour: what can be shown while no stars are known. */
function drawChips(canvas: Canvas, slots: readonly SceneSlot[], area: Area): void {
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

function labelStyle(size: number) {
  return { weight: 600, size, color: ground } as const
}

type Chip = { readonly slot: SceneSlot; readonly place: Area }

/** Bucket by bucket in lines; a new bucket begins a new line while there is room for that. */
function layOut(
  canvas: Canvas,
  slots: readonly SceneSlot[],
  [x, y, width]: Area,
  size: number,
  ownLines: boolean,
  mostWidth = Infinity,
): { readonly chips: readonly Chip[]; readonly height: number } {
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

/** The bars of the mark: three slots, in the colours of their buckets. */
const bars = [
  { color: '#60a5fa', length: 0.5 },
  { color: '#f87171', length: 0.38 },
  { color: '#c084fc', length: 0.26 },
] as const

/** The site's mark as a square PNG; what matters stands inside the circle that some systems cut out. */
function drawIcon(size: number): Buffer {
  const canvas = new Canvas(size, size, ground, null)
  for (const [at, { color, length }] of bars.entries()) {
    const y = size * (0.27 + at * 0.18)
    canvas.panel([size * 0.25, y, size * length, size * 0.11], size * 0.055, color)
  }
  return canvas.png()
}
