import type { Canvas } from './canvas.ts'
import { palette } from './colors.ts'

/** A star of five points. */
export function starAt(
  x: number,
  y: number,
  radius: number,
): readonly (readonly [x: number, y: number])[] {
  return Array.from({ length: 10 }, (_, at) => {
    const reach = at % 2 === 0 ? radius : radius * 0.42
    const angle = (at / 10) * Math.PI * 2 - Math.PI / 2
    return [x + reach * Math.cos(angle), y + reach * Math.sin(angle)] as const
  })
}

/** The mark of the site: three slots in a crate. */
export function drawMark(canvas: Canvas, x: number, y: number): void {
  canvas.panel([x, y, 30, 30], 8, palette.ink)
  for (const [at, color] of ['#2563eb', '#dc2626', '#9333ea'].entries()) {
    canvas.panel([x + 6, y + 6 + at * 7, 18 - at * 4, 4], 2, color)
  }
}
