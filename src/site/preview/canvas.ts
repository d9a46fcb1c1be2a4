import { deflateSync } from 'node:zlib'
import {
  type Canvas as Bitmap,
  createCanvas,
  type Image,
  type SKRSContext2D,
} from '@napi-rs/canvas'
import type { Fonts } from './fonts.ts'
import { pngChunk } from './png-chunk.ts'

/** The size is in pixels. */
export type TextStyle = {
  readonly weight: 400 | 600
  readonly size: number
  readonly color: string
}

/** x, y, width, height. */
export type Area = readonly [number, number, number, number]

type Point = readonly [x: number, y: number]

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const words = new Intl.Segmenter(undefined, { granularity: 'word' })

/** Marks that reach far beyond their line. */
const STACKED = /\p{M}{3}/u

/** What is drawn between two heights of the layout. */
type Step = { readonly top: number; readonly bottom: number; readonly draw: () => void }

/** About so many pixels are drawn at a time. */
const BAND_PIXELS = 76_800

/**
 * A picture in pixels from its upper left corner. What is drawn is noted, and painted band by band into the same small
 * bitmap: memory that is new to the process takes longer to get than a picture takes to paint.
 */
export class Canvas {
  readonly #width: number
  readonly #height: number
  readonly #scale: number
  readonly #ground: string
  readonly #band: Bitmap
  readonly #context: SKRSContext2D
  readonly #fonts: Fonts | null
  readonly #steps: Step[] = []
  #font = ''

  /** @param fonts null where no text is drawn. @param scale pixels of the picture for one of the layout. */
  constructor(width: number, height: number, ground: string, fonts: Fonts | null, scale = 1) {
    this.#width = width * scale
    this.#height = height * scale
    this.#scale = scale
    this.#ground = ground
    const rows = Math.min(Math.max(1, Math.floor(BAND_PIXELS / this.#width)), this.#height)
    this.#band = createCanvas(this.#width, rows)
    this.#context = this.#band.getContext('2d', { alpha: false })
    this.#context.imageSmoothingQuality = 'high'
    this.#fonts = fonts
  }

  disc(x: number, y: number, radius: number, color: string): void {
    this.#fill([y - radius, y + radius], color, (path) => path.arc(x, y, radius, 0, 2 * Math.PI))
  }

  polygon(corners: readonly Point[], color: string): void {
    const heights = corners.map(([, y]) => y)
    this.#fill([Math.min(...heights), Math.max(...heights)], color, (context) => {
      for (const [x, y] of corners) context.lineTo(x, y)
    })
  }

  /** A rectangle with round corners. */
  panel([x, y, width, height]: Area, radius: number, color: string): void {
    this.#fill([y, y + height], color, (context) => context.roundRect(x, y, width, height, radius))
  }

  /** A picture as large as it fits, in the middle. */
  image(image: Image, [x, y, width, height]: Area): void {
    const scale = Math.min(width / image.width, height / image.height)
    const [wide, high] = [image.width * scale, image.height * scale]
    const [left, top] = [x + (width - wide) / 2, y + (height - high) / 2]
    const draw = (): void => this.#context.drawImage(image, left, top, wide, high)
    this.#steps.push({ top: y - 1, bottom: y + height + 1, draw })
  }

  /** The width of a text in one line; 0 if no font has any of its characters. */
  measure(text: string, style: TextStyle): number {
    return this.#widthOf(this.#drawable(text), style)
  }

  /**
   * Draws one line of text from its left end on the baseline, whatever its direction, and returns its
   * width. A text wider than `maxWidth` is cut at its own end. Characters that no font has are left out.
   */
  line(text: string, [x, y]: Point, style: TextStyle, maxWidth = Infinity): number {
    const [shown, width] = this.#cut(this.#drawable(text), style, maxWidth)
    this.#draw(shown, x, y, style)
    return width
  }

  /** As `line`, up to its right end. */
  lineTo(text: string, [right, y]: Point, style: TextStyle): number {
    const shown = this.#drawable(text)
    const width = this.#widthOf(shown, style)
    this.#draw(shown, right - width, y, style)
    return width
  }

  /** Breaks text between words into at most `most` lines; the last one contains the rest. */
  breakLines(text: string, style: TextStyle, width: number, most: number): string[] {
    const lines: string[] = []
    for (const word of wordsOf(text)) {
      const last = lines.at(-1)
      const isFull = last !== undefined && this.measure((last + word).trimEnd(), style) > width
      if (last === undefined || (isFull && lines.length < most)) lines.push(word)
      else lines[lines.length - 1] = last + word
    }
    return lines.map((line) => line.trim())
  }

  png(): Buffer {
    return encodePng(this.#width, this.#height, this.#bands())
  }

  *#bands(): Generator<Uint8Array> {
    const { height } = this.#band
    for (let top = 0; top < this.#height; top += height) {
      this.#paint(top, top + height)
      const rows = Math.min(height, this.#height - top)
      yield this.#band.data().subarray(0, rows * this.#width * PIXEL)
    }
  }

  /** Paints what is between these two heights, in pixels. */
  #paint(top: number, bottom: number): void {
    const [context, scale] = [this.#context, this.#scale]
    context.setTransform(1, 0, 0, 1, 0, 0)
    context.fillStyle = this.#ground
    context.fillRect(0, 0, this.#width, bottom - top)
    context.setTransform(scale, 0, 0, scale, 0, -top)
    for (const step of this.#steps) {
      if (step.top * scale < bottom && step.bottom * scale > top) step.draw()
    }
  }

  #draw(text: string, x: number, y: number, style: TextStyle): void {
    const context = this.#context
    const font = this.#fontOf(text, style)
    const direction = RIGHT_TO_LEFT.test(/\p{L}/u.exec(text)?.[0] ?? '') ? 'rtl' : 'ltr'
    const [top, bottom] = [y - style.size * 1.4, y + style.size * 0.8]
    const write = (): void => {
      this.#setFont(font)
      context.textAlign = 'left'
      context.direction = direction
      context.fillStyle = style.color
      context.fillText(text, x, y)
    }
    const draw = STACKED.test(text) ? () => this.#within(top, bottom, write) : write
    this.#steps.push({ top, bottom, draw })
  }

  /** Draws only what is between two heights. */
  #within(top: number, bottom: number, draw: () => void): void {
    const context = this.#context
    context.save()
    context.beginPath()
    context.rect(0, top, this.#width, bottom - top)
    context.clip()
    draw()
    context.restore()
    // The font of before is the current one again.
    this.#font = ''
  }

  #drawable(text: string): string {
    return this.#fonts?.drawable(text).replaceAll(/\s+/g, ' ').trim() ?? ''
  }

  #widthOf(text: string, style: TextStyle): number {
    this.#setFont(this.#fontOf(text, style))
    return this.#context.measureText(text).width
  }

  #fontOf(text: string, { weight, size }: TextStyle): string {
    return `${weight} ${size}px ${this.#fonts?.familiesFor(text)}`
  }

  /** Only where it is another one: the canvas reads the list of families each time. */
  #setFont(font: string): void {
    if (font === this.#font) return
    this.#font = font
    this.#context.font = font
  }

  /** The text as it fits, and its width. */
  #cut(text: string, style: TextStyle, most: number): readonly [string, number] {
    const whole = this.#widthOf(text, style)
    if (whole <= most) return [text, whole]
    const letters = [...graphemes.segment(text)].map(({ segment }) => segment)
    const cutTo = (count: number) => letters.slice(0, count).join('').trimEnd() + '…'
    let [fits, tooMany] = [1, letters.length]
    while (tooMany - fits > 1) {
      const middle = (fits + tooMany) >> 1
      if (this.#widthOf(cutTo(middle), style) <= most) fits = middle
      else tooMany = middle
    }
    const shown = cutTo(fits)
    return [shown, this.#widthOf(shown, style)]
  }

  #fill(
    [top, bottom]: readonly [top: number, bottom: number],
    color: string,
    outline: (context: SKRSContext2D) => void,
  ): void {
    const context = this.#context
    const draw = (): void => {
      context.fillStyle = color
      context.beginPath()
      outline(context)
      context.closePath()
      context.fill()
    }
    // Edges that are not whole pixels are blended with what is next to them.
    this.#steps.push({ top: top - 1, bottom: bottom + 1, draw })
  }
}

/** Each word with what follows it up to the next one, in scripts without spaces, too. */
function wordsOf(text: string): string[] {
  const parts: string[] = []
  for (const { segment, isWordLike } of words.segment(text)) {
    const last = parts.at(-1)
    const isNew = last === undefined || (isWordLike === true && /[\s\p{L}\p{N}]$/u.test(last))
    if (isNew) parts.push(segment)
    else parts[parts.length - 1] = last + segment
  }
  return parts
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** Filters make flat areas larger, and higher levels take four times as long for a tenth of the size. */
const LEVEL = 3
const PIXEL = 4
/** More is not kept for the next picture: about a table of 45 slots. */
const MOST_KEPT = 16 * 1_024 * 1_024
let kept = Buffer.alloc(0)

/**
 * A picture as PNG with 8 bits for each of red, green, blue and alpha (RFC 2083), as the canvas has them. The encoder of
 * the canvas takes three times as long for more bytes: it tries filters for each row, which are made for photographs.
 *
 * @param parts 4 bytes for each pixel, row by row; each part has whole rows.
 */
export function encodePng(width: number, height: number, parts: Iterable<Uint8Array>): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 6, 0, 0, 0], 8)
  const rows = joinRows(width * PIXEL, height, parts)
  return Buffer.concat([
    SIGNATURE,
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows, { level: LEVEL, memLevel: 9 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** Each row begins with its filter: none. */
function joinRows(length: number, height: number, parts: Iterable<Uint8Array>): Buffer {
  const rows = space(height * (1 + length))
  let at = 0
  for (const part of parts) {
    for (let from = 0; from < part.length; from += length) {
      rows[at] = 0
      rows.set(part.subarray(from, from + length), at + 1)
      at += 1 + length
    }
  }
  return rows
}

/** The same memory for each picture, as far as it is large enough: new one costs more than what is done with it. */
function space(size: number): Buffer {
  if (size > MOST_KEPT) return Buffer.allocUnsafeSlow(size)
  if (kept.length < size) kept = Buffer.allocUnsafeSlow(size)
  return kept.subarray(0, size)
}
