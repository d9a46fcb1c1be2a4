import { type Bitmap, make } from 'pureimage'
import type { Run } from './typeface.ts'

/** Drawn larger and made small again: the library's own edges are rough. */
const SCALE = 2
const TURN = Math.PI * 2

/** The drawing library's context; its own type leans on the browser's. */
type Context = ReturnType<Bitmap['getContext']>

const rgbOf = (color: string): readonly number[] => {
  const value = Number.parseInt(color.slice(1), 16)
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255]
}

/** Draws in pixels of the finished picture. */
export class Brush {
  readonly #bitmap: Bitmap
  readonly #context: Context
  readonly #width: number
  readonly #height: number

  constructor(width: number, height: number, ground: string) {
    this.#width = width
    this.#height = height
    this.#bitmap = make(width * SCALE, height * SCALE)
    this.#context = this.#bitmap.getContext('2d')
    this.#fill(0, 0, width, height, ground)
  }

  disc(x: number, y: number, radius: number, color: string): void {
    const context = this.#context
    context.fillStyle = color
    context.beginPath()
    context.arc(x * SCALE, y * SCALE, radius * SCALE, 0, TURN, false)
    context.closePath()
    context.fill()
  }

  polygon(corners: readonly (readonly [x: number, y: number])[], color: string): void {
    const context = this.#context
    context.fillStyle = color
    context.beginPath()
    for (const [at, [x, y]] of corners.entries()) {
      if (at === 0) context.moveTo(x * SCALE, y * SCALE)
      else context.lineTo(x * SCALE, y * SCALE)
    }
    context.closePath()
    context.fill()
  }

  /** A rectangle with round corners. */
  panel(
    [x, y, width, height]: readonly [x: number, y: number, width: number, height: number],
    radius: number,
    color: string,
  ): void {
    this.#fill(x + radius, y, width - 2 * radius, height, color)
    this.#fill(x, y + radius, width, height - 2 * radius, color)
    for (const centreX of [x + radius, x + width - radius]) {
      for (const centreY of [y + radius, y + height - radius]) {
        this.disc(centreX, centreY, radius, color)
      }
    }
  }

  /** A plain rectangle, line by line: the library would blend it pixel by pixel. */
  #fill(x: number, y: number, width: number, height: number, color: string): void {
    const bytes = Buffer.from(this.#bitmap.data.buffer)
    const pixel = Uint8Array.of(...rgbOf(color), 255)
    const [left, right] = [Math.round(x * SCALE), Math.round((x + width) * SCALE)]
    const [top, bottom] = [Math.round(y * SCALE), Math.round((y + height) * SCALE)]
    if (right <= left) return
    for (let line = top; line < bottom; line++) {
      const start = line * this.#width * SCALE
      bytes.fill(pixel, (start + left) * 4, (start + right) * 4)
    }
  }

  /** Text on its baseline, piece by piece. */
  text(runs: readonly Run[], x: number, y: number, size: number, color: string): void {
    const context = this.#context
    context.fillStyle = color
    let left = x
    for (const { family, text, width } of runs) {
      context.font = `${size * SCALE}pt ${family}`
      context.fillText(text, left * SCALE, y * SCALE)
      left += width
    }
  }

  /** The picture in its own size, RGB. */
  pixels(): { readonly width: number; readonly height: number; readonly rgb: Buffer } {
    const { data } = this.#bitmap
    const [width, height] = [this.#width, this.#height]
    const rgb = Buffer.alloc(width * height * 3)
    const line = width * SCALE * 4
    let to = 0
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const from = y * SCALE * line + x * SCALE * 4
        for (let part = 0; part < 3; part++) {
          const at = from + part
          const sum =
            (data[at] ?? 0) +
            (data[at + 4] ?? 0) +
            (data[at + line] ?? 0) +
            (data[at + line + 4] ?? 0)
          rgb[to++] = (sum + 2) >> 2
        }
      }
    }
    return { width, height, rgb }
  }
}
