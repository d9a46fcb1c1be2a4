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

  /** @param fonts null where no text is drawn. */
  constructor(width: number, height: number, ground: string, fonts: Fonts | null) {
    this.#bitmap = createCanvas(width, height)
    this.#context = this.#bitmap.getContext('2d', { alpha: false })
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
    const shown = this.#cut(this.#drawable(text), style, maxWidth)
    const context = this.#context
    const width = this.#width(shown, style)
    context.textAlign = 'left'
    context.direction = RIGHT_TO_LEFT.test(/\p{L}/u.exec(shown)?.[0] ?? '') ? 'rtl' : 'ltr'
    context.fillStyle = style.color
    context.fillText(shown, x, y)
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
    return this.#bitmap.toBuffer('image/png')
  }

  #drawable(text: string): string {
    return this.#fonts?.drawable(text).replaceAll(/\s+/g, ' ').trim() ?? ''
  }

  #width(text: string, { weight, size }: TextStyle): number {
    this.#context.font = `${weight} ${size}px ${this.#fonts?.familiesFor(text)}`
    return this.#context.measureText(text).width
  }

  #cut(text: string, style: TextStyle, width: number): string {
    if (this.#width(text, style) <= width) return text
    const letters = [...graphemes.segment(text)].map(({ segment }) => segment)
    const cutTo = (count: number) => letters.slice(0, count).join('').trimEnd() + '…'
    let [fits, tooMany] = [1, letters.length]
    while (tooMany - fits > 1) {
      const middle = (fits + tooMany) >> 1
      if (this.#width(cutTo(middle), style) <= width) fits = middle
      else tooMany = middle
    }
    return cutTo(fits)
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
