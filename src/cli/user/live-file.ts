import { realTime, sleep } from '../../client/time.ts'
import { type FormatId, formatIds, formats } from '../../formats/format-table.ts'
import { CliError, type CommandOption, usageError } from '../program.ts'
import { describeError, hasCode } from './errors.ts'
import { fileExists, readIfThere, writeWhole } from './files.ts'
import { plain } from './screen.ts'
import { type CliContext, noDetailsOption } from './user-command.ts'

/** The formats of files that can be kept current: the texts. Collections would lose what is not known just now. */
const liveFormats = formatIds.filter((id) => !formats[id].isLeftOut)
export const otherFormats: readonly FormatId[] = formatIds.filter((id) => formats[id].isLeftOut)

const [DEFAULT_SECONDS, MIN_SECONDS, MAX_SECONDS] = [30, 5, 3600]

export const everyOption: CommandOption = {
  name: 'every',
  takes: 'SECONDS',
  about: `interval, ${MIN_SECONDS} to ${MAX_SECONDS} (default: ${DEFAULT_SECONDS})`,
}

export const liveOptions: readonly CommandOption[] = [
  { name: 'as', takes: 'FORMAT', choices: liveFormats, about: 'with --out, the format of FILE' },
  { name: 'out', takes: 'FILE', about: 'with --as, keep FILE up to date' },
  { name: 'force', about: 'overwrite FILE, whatever it holds' },
  noDetailsOption,
]

/** Seconds between two checks. Throws a CliError (usage). */
export function readSeconds({ options }: CliContext): number {
  const text = options.get('every') ?? String(DEFAULT_SECONDS)
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (seconds >= MIN_SECONDS && seconds <= MAX_SECONDS) return seconds
  throw usageError(`--every "${text}" must be from ${MIN_SECONDS} to ${MAX_SECONDS} seconds`)
}

type Target = { readonly format: FormatId; readonly file: string }

/** What is to be kept up to date; null if nothing is. Throws a CliError (usage). */
export function targetOf({ options }: CliContext): Target | null {
  const [as, file] = [options.get('as'), options.get('out')]
  if (as === undefined && file === undefined) {
    const lonely = ['force', 'no-details'].find((option) => options.has(option))
    if (lonely !== undefined) throw usageError(`--${lonely} is for --as and --out`)
    return null
  }
  const format = liveFormats.find((id) => id === as)
  if (format === undefined) throw usageError(`--as is missing; give ${liveFormats.join(', ')}`)
  if (file === undefined) throw usageError('--out FILE is missing')
  if (file === '-') throw usageError('--out must be a file; it is replaced at each change')
  return { format, file }
}

/** The last is what a proxy says while the service restarts. */
const transient = [
  'unreachable',
  'timed_out',
  'internal_error',
  'rate_limited',
  'unexpected_answer',
] as const

/** A `fetch` that sends the ETag of the last response, and returns that again on 304. */
export function etagFetch(fetchWith: typeof fetch): typeof fetch {
  const cache = new Map<string, { readonly etag: string; readonly text: string }>()
  return async (target, init) => {
    const url = target instanceof Request ? target.url : String(target)
    const cached = cache.get(url)
    const headers = new Headers(init?.headers)
    if (cached !== undefined) headers.set('if-none-match', cached.etag)
    const response = await fetchWith(target, { ...init, headers })
    if (response.status === 304 && cached !== undefined) {
      return new Response(cached.text, { status: 200, headers: response.headers })
    }
    const etag = response.headers.get('etag')
    if (response.status !== 200 || etag === null) return response
    const text = await response.text()
    cache.set(url, { etag, text })
    return new Response(text, { status: 200, headers: response.headers })
  }
}

/**
 * A file that holds something in a format, while other programs read it. It is only replaced as a whole, and only
 * while it holds what was written to it last; with --force, whatever it holds.
 */
export class LiveFile<T> {
  readonly #file: string
  readonly #compose: (shown: T) => Promise<string | Uint8Array>
  readonly #context: CliContext
  #content = Buffer.alloc(0)
  /** The content of the file when it was last as wanted; null before. */
  #written: Buffer | null = null
  #trouble: string | null = null
  #isLater = false

  constructor(
    file: string,
    context: CliContext,
    compose: (shown: T) => Promise<string | Uint8Array>,
  ) {
    this.#file = file
    this.#context = context
    this.#compose = compose
  }

  /** Writes the file at once. Throws if there is one with other content, or if it cannot be written. */
  async begin(shown: T): Promise<void> {
    this.#content = Buffer.from(await this.#compose(shown))
    await this.#write()
  }

  /** As `begin`, of what is not there yet: a file that is there is left until there is something. */
  async beginLater(nothing: T): Promise<void> {
    if ((await readIfThere(this.#file)) === null) await this.begin(nothing)
    else this.#isLater = true
  }

  /**
   * Makes the file what there is to be shown now, or without that, what it was at last: also where it was deleted, or
   * could not be written before. What prevents that is noted once.
   */
  async keep(shown: T | null): Promise<void> {
    if (shown === null && this.#isLater) return
    this.#isLater = false
    try {
      if (shown !== null) this.#content = Buffer.from(await this.#compose(shown))
      await this.#write()
      this.#trouble = null
    } catch (error) {
      if (!hasFailed(error)) throw error
      if (error.message !== this.#trouble) this.#context.screen.note(error.message)
      this.#trouble = error.message
    }
  }

  async #write(): Promise<void> {
    const before = await readIfThere(this.#file)
    if (before === null || !before.equals(this.#content)) {
      await writeWhole(this.#file, this.#content, { existing: this.#replaceable(before) })
      this.#context.screen.note(`Wrote ${this.#file}`)
    }
    this.#written = this.#content
  }

  #replaceable(before: Buffer | null): 'refuse' | Buffer {
    if (before === null) return 'refuse'
    if (this.#context.options.has('force') || this.#written?.equals(before)) return before
    if (this.#written === null) throw fileExists(this.#file)
    throw new CliError(
      `${this.#file} was changed by another program and is left as it is; delete it to have it written again`,
    )
  }
}

type Watch<T> = {
  readonly seconds: number
  /** Resolves when there may be something new, after so many ms at the latest; left out: after that time. */
  readonly untilNew?: (ms: number) => Promise<void>
  readonly read: () => Promise<T>
  readonly live: LiveFile<T> | null
  /** What to say when it cannot be found any more. */
  readonly gone: string
  /** What it is before it can be found first, where it may be found later; left out: it is waited for no longer. */
  readonly nothing?: T
  readonly printChange: (before: T, after: T, context: CliContext) => void
}

/**
 * Reads until Ctrl+C, prints what changed, and keeps the file up to date. A transient failure is noted; any other one
 * is thrown.
 */
export async function watch<T extends { readonly name: string }>(
  { seconds, untilNew, read, live, gone, nothing, printChange }: Watch<T>,
  context: CliContext,
): Promise<void> {
  const { screen, signal, options } = context
  const wait = untilNew ?? ((ms: number) => sleep(realTime, ms, signal))
  let isMissing = false
  const find = async (): Promise<T | null> => {
    try {
      const found = await read()
      isMissing = false
      return found
    } catch (error) {
      if (nothing === undefined || !isGone(error)) throw error
      const file = options.get('out')
      if (!isMissing) screen.note(file === undefined ? gone : `${gone}; ${file} stays as it is`)
      isMissing = true
      return null
    }
  }
  try {
    const first = nothing === undefined ? await read() : await find()
    let before = first ?? nothing!
    await (first === null ? live?.beginLater(before) : live?.begin(before))
    context.endUnread()
    screen.note(`Watching ${plain(before.name)}; press Ctrl+C to stop.`)
    for (;;) {
      await wait(seconds * 1000)
      const after = await readAgain(find, gone, context)
      await live?.keep(after)
      if (after === null) continue
      printChange(before, after, context)
      before = after
    }
  } catch (error) {
    // Ctrl+C is the regular end.
    if (!signal.aborted) throw error
  }
}

/** An interruption is a CliError, too, and says nothing of what is watched. */
const hasFailed = (error: unknown): error is CliError =>
  error instanceof CliError && error.kind === 'failed'

const isGone = (error: unknown): boolean => hasFailed(error) || hasCode(error, 'not_found')

/** null after a transient failure, which is noted. */
async function readAgain<T>(
  read: () => Promise<T | null>,
  gone: string,
  { screen, options }: CliContext,
): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (isGone(error)) {
      const file = options.get('out')
      throw new CliError(file === undefined ? gone : `${gone}; ${file} was left as it was`)
    }
    if (!hasCode(error, ...transient)) throw error
    screen.note(describeError(error))
    return null
  }
}
