import { Brush } from './brush.ts'
import { drawChips } from './draw-chips.ts'
import { type Area, drawPlot } from './draw-plot.ts'
import { breakLines, drawLine, type TextStyle } from './draw-text.ts'
import { ground, ink, quietInk, starInk } from './palette.ts'
import { encodePng } from './png.ts'
import type { Scene } from './scene.ts'
import type { Typeface } from './typeface.ts'

const WIDTH = 1200
const HEIGHT = 630
const MARGIN = 64
const INNER = WIDTH - 2 * MARGIN
const plotArea: Area = [MARGIN, 278, INNER, 264]
const SITE_NAME = 'Mapcrate'

const nameStyles: readonly TextStyle[] = [60, 52, 44, 38].map((size) => ({
  weight: 600,
  size,
  color: ink,
}))

/** The largest size in which the name stands on one line; else two lines of the smallest. */
const layOutName = (typeface: Typeface, name: string): { lines: string[]; style: TextStyle } => {
  const smallest: TextStyle = { weight: 600, size: 38, color: ink }
  const style =
    nameStyles.find(({ weight, size }) => (typeface.measure(name, weight, size) ?? 0) <= INNER) ??
    smallest
  return { lines: breakLines(typeface, name, style, INNER, 2), style }
}

/** The name, and below whose it is; where the face lacks the name's letters, whose it is alone. */
const drawTitle = (brush: Brush, typeface: Typeface, { name, owner }: Scene): void => {
  const isNamed = typeface.runsOf(name, 600, 38) !== null
  const { lines, style } = layOutName(typeface, isNamed ? name : `by ${owner}`)
  let y = lines.length > 1 ? 52 : 64
  for (const line of lines) {
    y += style.size
    drawLine(brush, typeface, line, [MARGIN, y], style, INNER)
    y += style.size * 0.2
  }
  const by: TextStyle = { weight: 400, size: 28, color: quietInk }
  if (isNamed) drawLine(brush, typeface, `by ${owner}`, [MARGIN, y + 40], by, INNER)
}

/** A star of five points. */
const starAt = (x: number, y: number, radius: number): readonly (readonly [number, number])[] =>
  Array.from({ length: 10 }, (_, at) => {
    const reach = at % 2 === 0 ? radius : radius * 0.42
    const angle = (at / 10) * Math.PI * 2 - Math.PI / 2
    return [x + reach * Math.cos(angle), y + reach * Math.sin(angle)] as const
  })

const drawFacts = (brush: Brush, typeface: Typeface, scene: Scene, y: number): void => {
  let left = MARGIN
  if (scene.stars !== null) {
    brush.polygon(starAt(left + 15, y - 11, 15), starInk)
    const style: TextStyle = { weight: 600, size: 30, color: starInk }
    left += 42 + drawLine(brush, typeface, scene.stars, [left + 42, y], style) + 36
  }
  const style: TextStyle = { weight: 400, size: 28, color: ink }
  drawLine(brush, typeface, scene.facts.join('   ·   '), [left, y], style)
}

/** The mark of the site: three slots in a crate. */
const drawMark = (brush: Brush, x: number, y: number): void => {
  brush.panel([x, y, 30, 30], 8, ink)
  for (const [at, color] of ['#2563eb', '#dc2626', '#9333ea'].entries()) {
    brush.panel([x + 6, y + 6 + at * 7, 18 - at * 4, 4], 2, color)
  }
}

/** Draws a pack's picture, 1200 × 630, as PNG. A text in letters that the face lacks is left out. */
export const drawScene = (scene: Scene, typeface: Typeface): Buffer => {
  const brush = new Brush(WIDTH, HEIGHT, ground)
  drawTitle(brush, typeface, scene)
  drawFacts(brush, typeface, scene, 246)
  const known = scene.slots.filter(({ stars }) => stars !== null).length
  const draw = known * 2 > scene.slots.length ? drawPlot : drawChips
  draw(brush, typeface, scene.slots, plotArea)
  drawMark(brush, MARGIN, 570)
  const brand: TextStyle = { weight: 600, size: 24, color: quietInk }
  drawLine(brush, typeface, SITE_NAME, [MARGIN + 44, 594], brand)
  return encodePng(brush.pixels())
}
