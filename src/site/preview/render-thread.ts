import { constants, getPriority, platform, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import type { BuiltinCode } from '../../contract/mods.ts'
import { placeSlots, starRange } from '../../pool/star-scale.ts'
import { type Area, Canvas, type TextStyle } from './canvas.ts'
import { builtin, palette } from './colors.ts'
import { drawPool } from './draw-pool.ts'
import { type Fonts, openFonts } from './fonts.ts'
import { type Brand, drawMark, openBrand, type PictureParts, starAt } from './marks.ts'
import type { PoolScene } from './pool-scene.ts'
import type { Scene, SceneSlot } from './scene.ts'

export type PictureJob =
  | { readonly kind: 'pack'; readonly scene: Scene }
  | { readonly kind: 'pool'; readonly scene: PoolScene }
  /** The site itself. */
  | { readonly kind: 'site'; readonly sentence: string; readonly language: string }
  /** The logo or mark of the site; `size` in pixels. */
  | { readonly kind: 'icon'; readonly size: number }

/** A PNG, or the reason why there is none; and the CPU time that it took. */
export type PictureResult = { readonly cpuMs: number } & (
  | { readonly png: Uint8Array }
  | { readonly error: string }
)

/** By how much its priority is below that of the threads that answer requests. */
const NICE = 10
let fonts: Fonts | null = null

if (parentPort !== null) await start(workerData as PictureParts, parentPort)

/** One job at a time: the renderer sends the next one when this one is answered. */
async function start(parts: PictureParts, port: NonNullable<typeof parentPort>): Promise<void> {
  const brand = await openBrand(parts)
  port.on('message', (job: PictureJob) => {
    const begun = process.threadCpuUsage()
    const picture = draw(job, brand)
    const { user, system } = process.threadCpuUsage(begun)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    port.postMessage({ ...picture, cpuMs: (user + system) / 1_000 } satisfies PictureResult)
  })
}

function draw(
  job: PictureJob,
  brand: Brand,
): { readonly png: Uint8Array } | { readonly error: string } {
  try {
    if (job.kind === 'icon') return { png: drawIcon(job.size, brand) }
    if (job.kind === 'site') return { png: drawSite(job, loadedFonts(), brand) }
    if (job.kind === 'pool') return { png: drawPool(job.scene, loadedFonts(), brand) }
    return { png: drawScene(job.scene, loadedFonts(), brand) }
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

/** Loads the fonts when they are first needed, and only then lowers the priority. */
function loadedFonts(): Fonts {
  if (fonts !== null) return fonts
  fonts = openFonts()
  lowerPriority()
  return fonts
}

/** Only Linux has a priority for each thread: elsewhere, it would be that of the whole process. */
function lowerPriority(): void {
  if (platform() !== 'linux') return
  try {
    setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + NICE))
  } catch {
    // Some containers forbid it: the renderer still pauses between pictures.
  }
}

const WIDTH = 1200
const MARGIN = 64
const INNER = WIDTH - 2 * MARGIN
const plotArea: Area = [MARGIN, 278, INNER, 264]

const by: TextStyle = { weight: 400, size: 28, color: palette.quietInk }
const nameStyles = [60, 52, 44, 38].map((size) => bold(size, palette.ink))

/** Draws a pack's picture, 1200 × 630, as PNG. Characters that no font has are left out. */
export function drawScene(scene: Scene, fonts: Fonts, brand: Brand): Buffer {
  const canvas = new Canvas(WIDTH, 630, palette.ground, fonts)
  drawTitle(canvas, scene)
  drawFacts(canvas, scene, 246)
  const known = scene.slots.filter(({ stars }) => stars !== null).length
  const draw = known * 2 > scene.slots.length ? drawPlot : drawChips
  draw(canvas, scene.slots, plotArea, scene.language)
  drawMark(canvas, brand, [MARGIN, 570])
  canvas.line(brand.name, [MARGIN + 44, 594], bold(24, palette.quietInk), INNER - 44)
  return canvas.png()
}

/** Star ratings of a pool as one might be: what a pack's plot looks like. */
const motif: readonly (readonly [BuiltinCode, readonly number[]])[] = [
  ['NM', [6.1, 6.4, 6.2, 6.7, 6.5, 6.9]],
  ['HD', [6.2, 6.5, 6.8]],
  ['HR', [6.4, 6.7, 7.1]],
  ['DT', [6.6, 7, 7.3, 6.9]],
  ['FM', [6.3, 6.6]],
  ['TB', [7.4]],
]

type SiteJob = Extract<PictureJob, { kind: 'site' }>

/** Draws the site's picture, 1200 × 630: its name, a sentence, and a plot. */
function drawSite({ sentence, language }: SiteJob, fonts: Fonts, brand: Brand): Buffer {
  const canvas = new Canvas(WIDTH, 630, palette.ground, fonts)
  const sizes = [72, 60, 48, 38].map((size) => bold(size, palette.ink))
  const named = sizes.find((each) => canvas.measure(brand.name, each) <= INNER) ?? sizes.at(-1)!
  canvas.line(brand.name, [MARGIN, 128], named, INNER)
  for (const [at, text] of canvas.breakLines(sentence, by, INNER, 2).entries()) {
    canvas.line(text, [MARGIN, 188 + at * 40], by, INNER)
  }
  const slots = motif.flatMap(([bucket, all]) =>
    all.map((stars) => ({ label: bucket, bucket, color: builtin[bucket], stars })),
  )
  drawPlot(canvas, slots, plotArea, language)
  drawMark(canvas, brand, [MARGIN, 570])
  return canvas.png()
}

/** The name and whose it is below it; the latter alone if no font has any letter of the name. */
function drawTitle(canvas: Canvas, { name, credit }: Scene): void {
  const isNamed = canvas.measure(name, by) > 0
  const { lines, style } = layOutName(canvas, isNamed ? name : credit)
  let y = lines.length > 1 ? 52 : 64
  for (const line of lines) {
    y += style.size
    canvas.line(line, [MARGIN, y], style, INNER)
    y += style.size * 0.2
  }
  if (isNamed) canvas.line(credit, [MARGIN, y + 40], by, INNER)
}

/** The largest size in which the name fits on one line; otherwise two lines of the smallest. */
function layOutName(canvas: Canvas, name: string): { lines: string[]; style: TextStyle } {
  const style = nameStyles.find((each) => canvas.measure(name, each) <= INNER) ?? nameStyles.at(-1)!
  return { lines: canvas.breakLines(name, style, INNER, 2), style }
}

function drawFacts(canvas: Canvas, scene: Scene, y: number): void {
  let left = MARGIN
  if (scene.stars !== null) {
    canvas.polygon(starAt(left + 15, y - 11, 15), palette.starInk)
    left += 42 + canvas.line(scene.stars, [left + 42, y], bold(30, palette.starInk)) + 36
  }
  const style: TextStyle = { weight: 400, size: 28, color: palette.ink }
  canvas.line(scene.facts.join('   ·   '), [left, y], style)
}

const RADIUS = 16
const LABEL_SIZE = 20
/** The least room around ratings, in steps of the scale. */
const AIR = 0.25

/** One dot a slot: left to right in pool order, upward by stars, in the colours of the buckets. */
function drawPlot(canvas: Canvas, slots: readonly SceneSlot[], area: Area, language: string): void {
  const [x, y, width, height] = area
  canvas.panel(area, RADIUS, palette.panel)
  const { from, to, step } = starRange(
    slots.flatMap(({ stars }) => stars ?? []),
    AIR,
  )
  const [left, right, top, bottom] = [x + 84, x + width - 40, y + 28, y + height - 60]
  const heightOf = (stars: number) => bottom - ((stars - from) / (to - from)) * (bottom - top)
  const every = Math.ceil((to - from) / step / 5) * step
  const decimals = Number.isInteger(step) ? 0 : 1
  const numbers = new Intl.NumberFormat(language, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  for (let stars = from; stars <= to + 1e-6; stars += every) {
    const at = heightOf(stars)
    canvas.panel([left - 16, at - 1, right - left + 32, 2], 1, palette.hairline)
    canvas.line(numbers.format(stars), [x + 28, at + 7], {
      weight: 400,
      size: LABEL_SIZE,
      color: palette.quietInk,
    })
  }

  const places = placeSlots(slots.map(({ bucket }) => bucket))
  const placed = slots.map((slot, at) => ({ ...slot, place: places[at]! }))
  const last = placed.at(-1)?.place ?? 0
  const spread = last === 0 ? 0 : (right - left) / last
  const radius = Math.max(6, Math.min(11, spread * 0.36 || 11))
  const acrossOf = (place: number) => (last === 0 ? (left + right) / 2 : left + place * spread)
  for (const { place, stars, color } of placed) {
    if (stars !== null) canvas.disc(acrossOf(place), heightOf(stars), radius, color)
  }

  const groups = [...Map.groupBy(placed, ({ bucket }) => bucket)].map(([bucket, group]) => {
    const [first, last] = [group[0]!, group.at(-1)!]
    const middle = (acrossOf(first.place) + acrossOf(last.place)) / 2
    return { bucket, middle, color: first.color }
  })
  for (const [at, { bucket, color, middle }] of groups.entries()) {
    const style = bold(LABEL_SIZE, color)
    // A long code has the space up to its neighbours.
    const edges = [x + 10, x + width - 10].map((edge) => 2 * edge - middle)
    const neighbours = [groups[at - 1]?.middle ?? edges[0], groups[at + 1]?.middle ?? edges[1]]
    const room = Math.min(...neighbours.map((each = middle) => Math.abs(each - middle))) - 10
    const shown = Math.min(room, canvas.measure(bucket, style))
    canvas.line(bucket, [middle - shown / 2, y + height - 20], style, room)
  }
}

const PADDING = 24
const MEASURED_SIZE = 20

/** How chips may be laid out, the most legible first: each fits more of them. */
const chipLayouts = [
  ...[28, 24, 21, 19].map((size) => ({ size, hasOwnLines: true, maxWidth: Infinity })),
  ...[28, 24, 21, 19, 16, 14].map((size) => ({ size, hasOwnLines: false, maxWidth: Infinity })),
  ...[180, 140, 110, 90, 75].map((maxWidth) => ({ size: 14, hasOwnLines: false, maxWidth })),
]

/** Every slot as a chip in its bucket's colour: used while too few stars are known. */
function drawChips(canvas: Canvas, slots: readonly SceneSlot[], area: Area): void {
  const [x, y, width, height] = area
  canvas.panel(area, RADIUS, palette.panel)
  const inner: Area = [x + PADDING, y + PADDING, width - 2 * PADDING, height - 2 * PADDING]
  // Measured in one size for all layouts: measuring takes longer than drawing.
  const measured = slots.map((slot) => {
    const labelWidth = canvas.measure(slot.label, bold(MEASURED_SIZE, palette.ground))
    return { slot, emWidth: labelWidth / MEASURED_SIZE }
  })
  for (const layout of chipLayouts) {
    const { chips, bottom } = layOut(measured, inner, layout)
    if (bottom > y + height - PADDING) continue
    for (const { slot, place } of chips) drawChip(canvas, slot, place, layout.size)
    return
  }
}

function drawChip(canvas: Canvas, { label, color }: SceneSlot, place: Area, size: number): void {
  const [left, top, width, height] = place
  canvas.panel(place, size * 0.4, color)
  const room = width - size * 0.8
  const textWidth = Math.min(room, canvas.measure(label, bold(size, palette.ground)))
  const start = [left + (width - textWidth) / 2, top + height / 2 + size * 0.36] as const
  canvas.line(label, start, bold(size, palette.ground), room)
}

function bold(size: number, color: string): TextStyle {
  return { weight: 600, size, color }
}

/** Bucket by bucket in lines; with `hasOwnLines`, each bucket begins a new line. */
function layOut(
  measured: readonly { readonly slot: SceneSlot; readonly emWidth: number }[],
  [x, y, width]: Area,
  { size, hasOwnLines, maxWidth }: (typeof chipLayouts)[number],
) {
  const chips: { readonly slot: SceneSlot; readonly place: Area }[] = []
  const [chipHeight, gap] = [size * 1.75, size * 0.45]
  let [left, top] = [x, y]
  for (const [at, { slot, emWidth }] of measured.entries()) {
    const chipWidth = Math.min(maxWidth, size * Math.max(2.6, emWidth + 1.2))
    const isNewBucket = hasOwnLines && at > 0 && measured[at - 1]?.slot.bucket !== slot.bucket
    if (left > x && (isNewBucket || left + chipWidth > x + width)) {
      left = x
      top += chipHeight + gap
    }
    chips.push({ slot, place: [left, top, chipWidth, chipHeight] })
    left += chipWidth + gap
  }
  return { chips, bottom: top + chipHeight }
}

/** Draws the site's mark as a square PNG, within the circle that some systems cut out. */
function drawIcon(size: number, { logo }: Brand): Buffer {
  const canvas = new Canvas(size, size, palette.ground, null)
  if (logo !== null) {
    // Within the circle that is left of an icon that may be masked.
    canvas.image(logo, [size * 0.18, size * 0.18, size * 0.64, size * 0.64])
    return canvas.png()
  }
  for (const [at, color] of ['#60a5fa', '#f87171', '#c084fc'].entries()) {
    const y = size * (0.27 + at * 0.18)
    canvas.panel([size * 0.25, y, size * (0.5 - at * 0.12), size * 0.11], size * 0.055, color)
  }
  return canvas.png()
}
