import type { FilePlace } from './format-error.ts'

const LINE_BREAK = /\r\n|\n|\r/g

/** Line and column, counted from 1, of an offset into a text; columns count UTF-16 units. */
export function placeInText(text: string, offset: number): FilePlace {
  const hasMark = text.startsWith('\ufeff')
  let line = 1
  let start = hasMark ? 1 : 0
  for (const { index, 0: found } of text.matchAll(LINE_BREAK)) {
    if (index + found.length > offset) break
    line += 1
    start = index + found.length
  }
  return { line, column: Math.max(1, offset - start + 1) }
}
