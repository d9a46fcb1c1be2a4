import { isolate } from '../../pool/text.ts'
import { type ProgressLine, progressLine } from '../progress-line.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Where a program speaks: what was asked for on stdout, all else on stderr, and never both on one line. */
export class Screen {
  readonly #stdout: NodeJS.WriteStream
  readonly #stderr: NodeJS.WriteStream
  readonly #line: ProgressLine
  #status = ''
  /** For stdout. */
  readonly paint: Paint
  /** For stderr. */
  readonly paintNote: Paint

  constructor(stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream, env: Environment) {
    this.#stdout = stdout
    this.#stderr = stderr
    this.#line = progressLine(stderr)
    this.paint = paintFor(stdout, env)
    this.paintNote = paintFor(stderr, env)
  }

  get isTerminal(): boolean {
    return this.#stdout.isTTY
  }

  /** What was asked for. */
  out(content: string | Uint8Array): void {
    this.#line.end()
    this.#stdout.write(content)
  }

  json(value: unknown): void {
    this.out(`${JSON.stringify(value, null, 2)}\n`)
  }

  /** A line of anything else; a key that got into it, out of a pasted line for example, is not shown. */
  note(text: string): void {
    this.#line.end()
    this.#stderr.write(`${withoutKeys(text)}\n`)
  }

  /** A question; what is typed stands behind it. */
  prompt(text: string): void {
    this.#line.end()
    this.#stderr.write(text)
  }

  /** How far long work has come, for those who watch. */
  status(text: string): void {
    this.#status = `${text}  `
    if (this.#stderr.isTTY) this.#line.show(text)
  }

  /** What work waits for: those who watch see it pass, others read it where it takes long. */
  wait(text: string, isLong: boolean): void {
    if (this.#stderr.isTTY) this.#line.show(this.#status + text)
    else if (isLong) this.note(text)
  }

  /** Long work is over, or makes room. */
  clear(): void {
    this.#status = ''
    this.#line.end()
  }
}

type Painter = (text: string) => string

/** Colours, where they are wanted; the text as it is elsewhere. */
export type Paint = {
  readonly bold: Painter
  readonly dim: Painter
  readonly added: Painter
  readonly removed: Painter
}

const code =
  (on: number, off: number): Painter =>
  (text) =>
    text === '' ? '' : `\u001B[${on}m${text}\u001B[${off}m`

const colored: Paint = {
  bold: code(1, 22),
  dim: code(2, 22),
  added: code(32, 39),
  removed: code(31, 39),
}

const same: Painter = (text) => text
const uncolored: Paint = { bold: same, dim: same, added: same, removed: same }

/** Colours only on a terminal; NO_COLOR and FORCE_COLOR, when set, decide, in this order. */
export const paintFor = (
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): Paint => {
  const { NO_COLOR: no = '', FORCE_COLOR: force = '', TERM: terminal } = env
  if (no !== '') return uncolored
  const isWanted = force === '' ? stream.isTTY === true && terminal !== 'dumb' : force !== '0'
  return isWanted ? colored : uncolored
}

/** What a terminal obeys rather than shows, and directional formatting (D-47). */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/gu

/**
 * Text that others wrote, safe to print: what a terminal would obey is shown as a question mark, and
 * text that runs right to left is isolated from the columns and words around it.
 *
 * @param kept characters that are printed as they are: line breaks, for example.
 */
export const plain = (text: string, kept = ''): string => {
  const safe = text.replaceAll(UNPRINTABLE, (found) => (kept.includes(found) ? found : '\u{FFFD}'))
  // An isolate ends with its line.
  return safe.split('\n').map(isolate).join('\n')
}

/** API keys, whatever an installation lets them begin with (spec 5). */
const API_KEY = /[A-Za-z0-9]+_[A-Za-z0-9_-]{43}/g

/** Text that others may come to read, who would then have the key. */
export const withoutKeys = (text: string): string => text.replaceAll(API_KEY, '…')

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

const CELLS = 20

/** `[#######             ] 7 of 20  Semifinals`. */
export const progressBar = (done: number, all: number, what: string): string => {
  const filled = all === 0 ? CELLS : Math.floor((CELLS * done) / all)
  return `[${'#'.repeat(filled).padEnd(CELLS)}] ${done} of ${all}  ${what}`
}
