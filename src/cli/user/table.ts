import type { Paint } from './paint.ts'
import { plain } from './plain.ts'

/** Letters that take two columns on a terminal: East Asian ones, and pictures. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\uFF01-\uFF60]|\p{Emoji_Presentation}/u
const marks = /^[\p{M}\p{Cf}]+$/u
const segments = new Intl.Segmenter()

/** Columns that a text takes on a terminal. */
const widthOf = (text: string): number => {
  let width = 0
  for (const { segment } of segments.segment(text)) {
    if (!marks.test(segment)) width += WIDE.test(segment) ? 2 : 1
  }
  return width
}

/** A table for people, two spaces between its columns; numbers stand to the right. */
export const table = (
  heads: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  { dim }: Paint,
): string => {
  const cells = [heads, ...rows.map((row) => row.map((cell) => plain(String(cell))))]
  const widths = heads.map((_, at) => Math.max(...cells.map((row) => widthOf(row[at] ?? ''))))
  const isNumber = heads.map((_, at) => rows.every((row) => typeof row[at] === 'number'))
  const lines = cells.map((row) => {
    const padded = heads.map((_, at) => {
      const text = row[at] ?? ''
      const space = ' '.repeat((widths[at] ?? 0) - widthOf(text))
      return isNumber[at] === true ? space + text : text + space
    })
    return padded.join('  ').trimEnd()
  })
  const [head = '', ...body] = lines
  return [dim(head), ...body].map((line) => `${line}\n`).join('')
}
