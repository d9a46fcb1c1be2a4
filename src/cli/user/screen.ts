import { type ProgressLine, progressLine } from '../progress-line.ts'
import { type Paint, paintFor } from './paint.ts'
import { withoutKeys } from './plain.ts'

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
