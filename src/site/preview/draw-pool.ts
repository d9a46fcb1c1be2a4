import { Canvas, type TextStyle } from './canvas.ts'
import { palette } from './colors.ts'
import type { Fonts } from './fonts.ts'
import { type Brand, drawMark, starAt } from './marks.ts'
import type { PoolRow, PoolScene } from './pool-scene.ts'

/** After the length, what stands in columns beside the stars: `values` of each row. */
const columns = ['BPM', 'CS', 'AR', 'OD'] as const

const WIDTH = 1200
const MARGIN = 40
const HEAD = 132
const COLUMN_HEADS = 36
const ROW = 56
const GAP = 10
const FOOT = 64

/** A label is never cut: only its end differs between the slots of a bucket. */
const [LEAST_LABEL_WIDTH, MOST_LABEL_WIDTH] = [92, 172]
const LABEL_PADDING = 12
const MAPPER_WIDTH = 170
const STARS_WIDTH = 96
const VALUE_WIDTH = 70
const VALUES_LEFT = WIDTH - MARGIN - (columns.length + 1) * VALUE_WIDTH
const STARS_LEFT = VALUES_LEFT - STARS_WIDTH
const MAPPER_LEFT = STARS_LEFT - MAPPER_WIDTH

const style = (weight: 400 | 600, size: number, color: string): TextStyle => ({
  weight,
  size,
  color,
})
const names = [40, 34, 28].map((size) => style(600, size, palette.ink))
const labels = [18, 16, 14, 12, 10].map((size) => style(600, size, palette.ground))
const quiet = style(400, 16, palette.quietInk)
const title = style(600, 19, palette.ink)
const planned = style(400, 19, palette.quietInk)
const value = style(400, 18, palette.ink)
const stars = style(600, 18, palette.starInk)

/** Draws a pool as a table, 1200 pixels wide at scale 1, as PNG. Characters that no font has are left out. */
export function drawPool(scene: PoolScene, fonts: Fonts, brand: Brand): Buffer {
  const { name, line, scale, rows } = scene
  const gaps = rows.filter((row, at) => at > 0 && rows[at - 1]?.bucket !== row.bucket).length
  const height = HEAD + COLUMN_HEADS + rows.length * ROW + gaps * GAP + FOOT
  const canvas = new Canvas(WIDTH, height, palette.ground, fonts, scale)
  const room = WIDTH - 2 * MARGIN
  const named = names.find((each) => canvas.measure(name, each) <= room) ?? names.at(-1)!
  canvas.line(name, [MARGIN, 66], named, room)
  canvas.line(line, [MARGIN, 102], style(400, 20, palette.quietInk), room)
  drawHeads(canvas, HEAD + 20, scene.heads)
  const labelWidth = labelWidthOf(canvas, rows)
  const textLeft = MARGIN + labelWidth + 20
  let top = HEAD + COLUMN_HEADS
  for (const [at, row] of rows.entries()) {
    const isNewBucket = at > 0 && rows[at - 1]?.bucket !== row.bucket
    if (isNewBucket) top += GAP
    else if (at > 0)
      canvas.panel([textLeft, top, WIDTH - MARGIN - textLeft, 1], 0, palette.hairline)
    drawRow(canvas, row, top, labelWidth)
    top += ROW
  }
  drawMark(canvas, brand, [MARGIN, top + 22])
  canvas.line(brand.name, [MARGIN + 42, top + 44], style(600, 18, palette.quietInk), room - 42)
  return canvas.png()
}

/** The largest size in which a label fits. */
function labelStyle(canvas: Canvas, label: string): TextStyle {
  const room = MOST_LABEL_WIDTH - 2 * LABEL_PADDING
  return labels.find((each) => canvas.measure(label, each) <= room) ?? labels.at(-1)!
}

/** How wide the column of labels is. */
function labelWidthOf(canvas: Canvas, rows: readonly PoolRow[]): number {
  const widths = rows.map(({ label }) => canvas.measure(label, labelStyle(canvas, label)))
  return Math.max(LEAST_LABEL_WIDTH, Math.ceil(Math.max(0, ...widths)) + 2 * LABEL_PADDING)
}

function drawHeads(canvas: Canvas, y: number, [mapper, stars, length]: PoolScene['heads']): void {
  canvas.line(mapper, [MAPPER_LEFT, y], quiet)
  canvas.lineTo(stars, [VALUES_LEFT - 16, y], quiet)
  for (const [at, head] of [length, ...columns].entries()) {
    canvas.lineTo(head, [VALUES_LEFT + (at + 1) * VALUE_WIDTH, y], quiet)
  }
}

function drawRow(canvas: Canvas, row: PoolRow, top: number, labelWidth: number): void {
  const middle = top + ROW / 2
  canvas.panel([MARGIN, top + 6, labelWidth, ROW - 12], 8, row.color)
  const label = labelStyle(canvas, row.label)
  const width = canvas.measure(row.label, label)
  canvas.line(row.label, [MARGIN + (labelWidth - width) / 2, middle + label.size / 3], label)

  const textLeft = MARGIN + labelWidth + 20
  const titleWidth = MAPPER_LEFT - textLeft - 20
  const isOneLine = row.line === ''
  const first = isOneLine ? middle + 7 : middle - 3
  canvas.line(row.title, [textLeft, first], row.isPlanned ? planned : title, titleWidth)
  if (!isOneLine) canvas.line(row.line, [textLeft, middle + 19], quiet, titleWidth)
  if (row.mapper !== '')
    canvas.line(row.mapper, [MAPPER_LEFT, middle + 6], value, MAPPER_WIDTH - 12)

  if (row.stars !== null) {
    const right = VALUES_LEFT - 16
    const wide = canvas.lineTo(row.stars, [right, middle + 6], stars)
    canvas.polygon(starAt(right - wide - 14, middle, 8), palette.starInk)
  }
  for (const [at, text] of row.values.entries()) {
    const right = VALUES_LEFT + (at + 1) * VALUE_WIDTH
    canvas.lineTo(text === '' ? '–' : text, [right, middle + 6], value)
  }
}
