import { type Image, loadImage } from '@napi-rs/canvas'
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

/** What pictures say of the site (D-105). */
export type Brand = {
  readonly name: string
  /** null: the mark of the software. */
  readonly logo: Image | null
}

/** What a thread that draws has from the start. */
export type PictureParts = {
  readonly name: string
  /** The file of the logo; null: there is none. */
  readonly logo: Uint8Array | null
}

export async function openBrand({ name, logo }: PictureParts): Promise<Brand> {
  return { name, logo: logo && (await loadImage(logo)) }
}

/** The logo of the site; else three slots in a crate. */
export function drawMark(canvas: Canvas, { logo }: Brand, [x, y]: readonly [number, number]): void {
  if (logo !== null) {
    canvas.image(logo, [x, y, 30, 30])
    return
  }
  canvas.panel([x, y, 30, 30], 8, palette.ink)
  for (const [at, color] of ['#2563eb', '#dc2626', '#9333ea'].entries()) {
    canvas.panel([x + 6, y + 6 + at * 7, 18 - at * 4, 4], 2, color)
  }
}
