import { isolate } from '../../pool/text.ts'
import { progressLine } from '../progress-line.ts'
import { widthOf } from '../text-width.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Output: results on stdout, everything else on stderr, and never both on one line. */
export class Screen {
  readonly #stdout: NodeJS.WriteStream
  readonly #stderr: NodeJS.WriteStream
  readonly #line: ReturnType<typeof progressLine>
  #status = ''
  readonly paint: Paint

  constructor(stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream, env: Environment) {
    this.#stdout = stdout
    this.#stderr = stderr
    this.#line = progressLine(stderr)
    this.paint = paintFor(stdout, env)
  }

  get isTerminal(): boolean {
    return this.#stdout.isTTY
  }

  out(content: string | Uint8Array): void {
    this.#line.end()
    this.#stdout.write(content)
  }

  json(value: unknown): void {
    this.out(`${JSON.stringify(value, null, 2)}\n`)
  }

  /** A line that is no result. A key in it, from a pasted line for example, is not shown. */
  note(text: string): void {
    this.prompt(`${withoutKeys(text)}\n`)
  }

  /** A question; the answer is typed after it. */
  prompt(text: string): void {
    this.#line.end()
    this.#stderr.write(text)
  }

  /** The progress of long work, on a terminal. */
  status(text: string): void {
    this.#status = `${text}  `
    if (this.#stderr.isTTY) this.#line.show(text)
  }

  /** What long work waits for: shown on a terminal, elsewhere noted if it takes long. */
  wait(text: string, isLong: boolean): void {
    if (this.#stderr.isTTY) this.#line.show(this.#status + text)
    else if (isLong) this.note(text)
  }

  clear(): void {
    this.#status = ''
    this.#line.end()
  }
}

type Painter = (text: string) => string
export type Paint = Readonly<Record<'bold' | 'dim' | 'added' | 'removed', Painter>>

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

/** Colours on a terminal only, unless NO_COLOR or FORCE_COLOR is set, the former first. */
export function paintFor(stream: { readonly isTTY?: boolean }, env: Environment): Paint {
  const { NO_COLOR: no = '', FORCE_COLOR: force = '', TERM: terminal } = env
  if (no !== '') return uncolored
  const isWanted = force === '' ? stream.isTTY === true && terminal !== 'dumb' : force !== '0'
  return isWanted ? colored : uncolored
}

/** Control characters and directional formatting (D-47). */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/gu

/**
 * Makes text of others safe to print: control characters other than `kept` are replaced, and text that
 * runs right to left is isolated from the columns and words next to it.
 */
export function plain(text: string, kept = ''): string {
  const safe = text.replaceAll(UNPRINTABLE, (found) => (kept.includes(found) ? found : '\u{FFFD}'))
  // An isolate ends with its line.
  return safe.split('\n').map(isolate).join('\n')
}

/** API keys, whatever prefix an installation gives them (spec 5). */
const API_KEY = /[A-Za-z0-9]+_[A-Za-z0-9_-]{43}/g

export const withoutKeys = (text: string): string => text.replaceAll(API_KEY, '…')

/** A table with two spaces between its columns; numbers are aligned to the right. */
export function table(
  heads: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  { dim }: Paint,
): string {
  const cells = [heads, ...rows.map((row) => row.map((cell) => plain(String(cell))))]
  const columns = heads.map((_, at) => ({
    width: Math.max(...cells.map((row) => widthOf(row[at] ?? ''))),
    isNumber: rows.every((row) => typeof row[at] === 'number'),
  }))
  const lines = cells.map((row) => {
    const padded = columns.map(({ width, isNumber }, at) => {
      const text = row[at] ?? ''
      const space = ' '.repeat(width - widthOf(text))
      return isNumber ? space + text : text + space
    })
    return padded.join('  ').trimEnd()
  })
  return lines.map((line, at) => `${at === 0 ? dim(line) : line}\n`).join('')
}

const CELLS = 20

/** `[#######             ] 7 of 20  Semifinals`. */
export function progressBar(done: number, all: number, what: string): string {
  const filled = Math.floor((CELLS * done) / all)
  return `[${'#'.repeat(filled).padEnd(CELLS)}] ${done} of ${all}  ${what}`
}
