import { type Area, Canvas, type TextStyle } from './canvas.ts'
import { drawChips } from './draw-chips.ts'
import { drawPlot } from './draw-plot.ts'
import type { Fonts } from './fonts.ts'
import { ground, ink, quietInk, starInk } from './palette.ts'
import type { Scene } from './scene.ts'

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

/** The largest size in which the name fits on one line; else two lines of the smallest. */
const layOutName = (canvas: Canvas, name: string) => {
  const style = nameStyles.find((each) => canvas.measure(name, each) <= INNER) ?? nameStyles.at(-1)!
  return { lines: canvas.breakLines(name, style, INNER, 2), style }
}

/** The name, and its owner below; where no font has any letter of the name, the owner alone. */
const drawTitle = (canvas: Canvas, { name, owner }: Scene): void => {
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

/** A star of five points. */
const starAt = (x: number, y: number, radius: number): readonly (readonly [number, number])[] =>
  Array.from({ length: 10 }, (_, at) => {
    const reach = at % 2 === 0 ? radius : radius * 0.42
    const angle = (at / 10) * Math.PI * 2 - Math.PI / 2
    return [x + reach * Math.cos(angle), y + reach * Math.sin(angle)] as const
  })

const drawFacts = (canvas: Canvas, scene: Scene, y: number): void => {
  let left = MARGIN
  if (scene.stars !== null) {
    canvas.polygon(starAt(left + 15, y - 11, 15), starInk)
    const style: TextStyle = { weight: 600, size: 30, color: starInk }
    left += 42 + canvas.line(scene.stars, [left + 42, y], style) + 36
  }
  const style: TextStyle = { weight: 400, size: 28, color: ink }
  canvas.line(scene.facts.join('   ·   '), [left, y], style)
}

/** The mark of the site: three slots in a crate. */
const drawMark = (canvas: Canvas, x: number, y: number): void => {
  canvas.panel([x, y, 30, 30], 8, ink)
  for (const [at, color] of ['#2563eb', '#dc2626', '#9333ea'].entries()) {
    canvas.panel([x + 6, y + 6 + at * 7, 18 - at * 4, 4], 2, color)
  }
}

/** Draws a pack's picture, 1200 × 630, as PNG. Letters that no font has are left out. */
export const drawScene = (scene: Scene, fonts: Fonts): Buffer => {
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
