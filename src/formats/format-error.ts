import { joinEnglish, type Message, type Say, sayOf, worded } from '../pool/message.ts'
import { type FormatWords, formatWords } from './format-words.ts'

/** Where in a file: `line` and `column` counted from 1, `offset` in bytes from 0. */
export type FilePlace =
  | { readonly line: number; readonly column: number }
  | { readonly offset: number }

export type FormatMessage = Message<FormatWords>

/** What is wrong with a file, to be read after its place: `expected a comma or }`. */
export const fault: Say<FormatWords> = sayOf<FormatWords>()

/** The one error that reading or editing a file throws. Its message names the place, if any, and the remedy (D-14). */
export class FormatError extends Error {
  /** The message as data, with the place. */
  readonly problem: FormatMessage
  readonly place: FilePlace | null

  constructor(what: FormatMessage, place: FilePlace | null = null) {
    const problem = place === null ? what : placed(what, place)
    super(worded(problem, { words: formatWords, join: joinEnglish }))
    this.name = 'FormatError'
    this.problem = problem
    this.place = place
  }
}

function placed(what: FormatMessage, place: FilePlace): FormatMessage {
  const problem = { message: what }
  return 'offset' in place
    ? fault('atByte', { problem, offset: place.offset })
    : fault('atLine', { problem, ...place })
}

/** Line and column, counted from 1, of an offset into a text; columns count UTF-16 units. */
export function placeInText(text: string, offset: number): FilePlace {
  let line = 1
  let start = text.startsWith('\ufeff') ? 1 : 0
  for (const { index, 0: found } of text.matchAll(/\r\n|\n|\r/g)) {
    if (index + found.length > offset) break
    line += 1
    start = index + found.length
  }
  return { line, column: Math.max(1, offset - start + 1) }
}
