import { crc32, deflateSync } from 'node:zlib'
import { type Canvas as Bitmap, createCanvas, type SKRSContext2D } from '@napi-rs/canvas'
import type { Fonts } from './fonts.ts'

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

/** A picture in pixels from its upper left corner. */
export class Canvas {
  readonly #bitmap: Bitmap
  readonly #context: SKRSContext2D
  readonly #fonts: Fonts | null
  #font = ''

  /** @param fonts null where no text is drawn. @param scale pixels of the picture for one of the layout. */
  constructor(width: number, height: number, ground: string, fonts: Fonts | null, scale = 1) {
    this.#bitmap = createCanvas(width * scale, height * scale)
    this.#context = this.#bitmap.getContext('2d', { alpha: false })
    this.#context.scale(scale, scale)
    this.#fonts = fonts
    this.panel([0, 0, width, height], 0, ground)
  }

  disc(x: number, y: number, radius: number, color: string): void {
    this.#fill(color, (context) => context.arc(x, y, radius, 0, Math.PI * 2))
  }

  polygon(corners: readonly Point[], color: string): void {
    this.#fill(color, (context) => {
      for (const [x, y] of corners) context.lineTo(x, y)
    })
  }

  /** A rectangle with round corners. */
  panel([x, y, width, height]: Area, radius: number, color: string): void {
    this.#fill(color, (context) => context.roundRect(x, y, width, height, radius))
  }

  /** The width of a text in one line; 0 if no font has any of its characters. */
  measure(text: string, style: TextStyle): number {
    return this.#width(this.#drawable(text), style)
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
    const width = this.#width(shown, style)
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
    const { width, height } = this.#bitmap
    return encodePng({ width, height, bytes: this.#bitmap.data() })
  }

  #draw(text: string, x: number, y: number, style: TextStyle): void {
    const context = this.#context
    this.#setFont(text, style)
    context.textAlign = 'left'
    context.direction = RIGHT_TO_LEFT.test(/\p{L}/u.exec(text)?.[0] ?? '') ? 'rtl' : 'ltr'
    context.fillStyle = style.color
    context.fillText(text, x, y)
  }

  #drawable(text: string): string {
    return this.#fonts?.drawable(text).replaceAll(/\s+/g, ' ').trim() ?? ''
  }

  #width(text: string, style: TextStyle): number {
    this.#setFont(text, style)
    return this.#context.measureText(text).width
  }

  /** Only where it is another one: the canvas reads the list of families each time. */
  #setFont(text: string, { weight, size }: TextStyle): void {
    const font = `${weight} ${size}px ${this.#fonts?.familiesFor(text)}`
    if (font === this.#font) return
    this.#font = font
    this.#context.font = font
  }

  /** The text as it fits, and its width. */
  #cut(text: string, style: TextStyle, most: number): readonly [string, number] {
    const whole = this.#width(text, style)
    if (whole <= most) return [text, whole]
    const letters = [...graphemes.segment(text)].map(({ segment }) => segment)
    const cutTo = (count: number) => letters.slice(0, count).join('').trimEnd() + '…'
    let [fits, tooMany] = [1, letters.length]
    while (tooMany - fits > 1) {
      const middle = (fits + tooMany) >> 1
      if (this.#width(cutTo(middle), style) <= most) fits = middle
      else tooMany = middle
    }
    const shown = cutTo(fits)
    return [shown, this.#width(shown, style)]
  }

  #fill(color: string, draw: (context: SKRSContext2D) => void): void {
    const context = this.#context
    context.fillStyle = color
    context.beginPath()
    draw(context)
    context.closePath()
    context.fill()
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

/** A picture in memory: 4 bytes for each pixel, row by row. */
type Pixels = { readonly width: number; readonly height: number; readonly bytes: Uint8Array }

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** Filters make flat areas larger, and higher levels take four times as long for a tenth of the size. */
const LEVEL = 3

/**
 * An opaque picture as PNG with 8 bits for each of red, green and blue (RFC 2083). The encoder of the canvas takes
 * three times as long for more bytes: it tries filters for each row, which are made for photographs.
 */
export function encodePng({ width, height, bytes }: Pixels): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rowsOf({ width, height, bytes }), { level: LEVEL, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Each row begins with its filter: none. */
function rowsOf({ width, height, bytes }: Pixels): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 3))
  let [to, from] = [0, 0]
  for (let y = 0; y < height; y++) {
    to += 1
    for (let x = 0; x < width; x++, from += 4) {
      rows[to++] = bytes[from]!
      rows[to++] = bytes[from + 1]!
      rows[to++] = bytes[from + 2]!
    }
  }
  return rows
}

function chunk(name: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(data.length, 0)
  head.write(name, 4, 'latin1')
  const tail = Buffer.alloc(4)
  tail.writeUInt32BE(crc32(data, crc32(head.subarray(4))), 0)
  return Buffer.concat([head, data, tail])
}
