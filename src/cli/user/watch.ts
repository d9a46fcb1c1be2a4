import { readFile, stat } from 'node:fs/promises'
import type { PacksClient } from '../../client/packs.ts'
import { realTime, sleep } from '../../client/time.ts'
import type { Pack } from '../../contract/packs.ts'
import { type FormatId, formatIds, formats } from '../../formats/format-table.ts'
import type { RoundPool, SlotDetails } from '../../formats/sheet.ts'
import { comparePacks } from '../../pool/comparison.ts'
import { slotMods } from '../../pool/slots.ts'
import { CliError, usageError } from '../program.ts'
import { systemCode } from '../system-error.ts'
import { describeError, fileError, hasCode } from './errors.ts'
import { isLookedUp, noteGap, sourceOf, writePack } from './export-file.ts'
import { fileExists, writeWhole } from './files.ts'
import { lookUp } from './look-up.ts'
import { differenceLines, poolOf, statsLine } from './pack-text.ts'
import { plain } from './screen.ts'
import { connect } from './service.ts'
import { type CliContext, jsonOption, type UserCommand } from './user-command.ts'

/** The formats of files that can be kept current: the texts. Collections would lose what is not known just now. */
const liveFormats = formatIds.filter((id) => !formats[id].isLeftOut)
const otherFormats = formatIds.filter((id) => formats[id].isLeftOut)

const [DEFAULT_SECONDS, MIN_SECONDS, MAX_SECONDS] = [30, 5, 3600]

export const watchCommand: UserCommand = {
  details: `Check a pack periodically and print its changes until Ctrl+C; with --json, one line of JSON per change.
Each check counts as a request.

With --as and --out, FILE always holds the pack in FORMAT, for a program that reads it live, such as a stream
overlay. It is written at once and after each change, and always as a whole. While the service cannot be reached,
and when the pack is deleted, it keeps its last content. A FILE that another program changes is not overwritten
without --force. FORMAT is one of export, but not ${otherFormats.join(', ')}.`,
  options: [
    {
      name: 'every',
      takes: 'SECONDS',
      about: `interval, ${MIN_SECONDS} to ${MAX_SECONDS} (default: ${DEFAULT_SECONDS})`,
    },
    jsonOption,
    {
      name: 'as',
      takes: 'FORMAT',
      choices: liveFormats,
      about: 'with --out, the format of FILE',
    },
    { name: 'out', takes: 'FILE', about: 'with --as, keep FILE up to date' },
    { name: 'force', about: 'overwrite FILE, whatever it holds' },
    { name: 'no-details', about: 'do not request data of beatmaps' },
  ],
  words: ['SLUG'],
  examples: [
    'mapcrate watch q7Jm2_xT0a',
    'mapcrate watch q7Jm2_xT0a --every 10 --json >> changes.jsonl',
    'mapcrate watch q7Jm2_xT0a --as overlay --out overlay.json',
  ],
  async run(context) {
    const { options, screen, signal } = context
    const seconds = readSeconds(options.get('every') ?? String(DEFAULT_SECONDS))
    const target = targetOf(context)
    const { client, site, slug } = await connect(context, etagFetch(fetch))
    const live = target === null ? null : new LiveFile(target, site, context)
    try {
      let before = await client.getPack(slug())
      await live?.begin(before)
      screen.note(`Watching ${plain(before.name)}; press Ctrl+C to stop.`)
      for (;;) {
        await sleep(realTime, seconds * 1000, signal)
        const after = await readIfPossible(client, slug(), context)
        await live?.keep(after)
        if (after === null) continue
        printChange(before, after, context)
        before = after
      }
    } catch (error) {
      // Ctrl+C is the regular end.
      if (!signal.aborted) throw error
    }
  },
}

function readSeconds(text: string): number {
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (seconds >= MIN_SECONDS && seconds <= MAX_SECONDS) return seconds
  throw usageError(`--every "${text}" must be from ${MIN_SECONDS} to ${MAX_SECONDS} seconds`)
}

type Target = { readonly format: FormatId; readonly file: string }

function targetOf({ options }: CliContext): Target | null {
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

/** null after a transient failure, which is noted. */
async function readIfPossible(client: PacksClient, slug: string, { options, screen }: CliContext) {
  try {
    return await client.getPack(slug)
  } catch (error) {
    if (hasCode(error, 'not_found')) throw new CliError(goneText(options))
    if (!hasCode(error, ...transient)) throw error
    screen.note(describeError(error))
    return null
  }
}

function goneText(options: CliContext['options']): string {
  const file = options.get('out')
  const gone = 'the pack is gone, or hidden from you'
  return file === undefined ? gone : `${gone}; ${file} was left as it was`
}

function printChange(before: Pack, after: Pack, { options, screen }: CliContext): void {
  const changes = comparePacks(before, after)
  const stats = statsLine(after)
  const isStatsNew = stats !== statsLine(before)
  if (changes.length === 0 && !isStatsNew) return
  if (options.has('json')) {
    const change = { updatedAt: after.updatedAt, changes, stats: after.stats ?? null }
    return screen.out(`${JSON.stringify(change)}\n`)
  }
  if (changes.length > 0) screen.out(`${screen.paint.bold(after.updatedAt)}\n`)
  screen.out(differenceLines(changes, screen.paint, before.slots))
  if (isStatsNew && stats !== '') screen.out(`${stats}\n`)
}

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
 * A file that holds a pack in a format, while other programs read it. It is only replaced as a whole, and only
 * while it holds what was written to it last; with --force, whatever it holds.
 */
class LiveFile {
  readonly #target: Target
  readonly #site: string
  readonly #context: CliContext
  #content = Buffer.alloc(0)
  /** The content of the file when it was last as wanted; null before. */
  #written: Buffer | null = null
  /** What was looked up last, and what is known by it. */
  #looked = ''
  #known = new Map<string, SlotDetails>()
  #gap: string | null = null
  #trouble: string | null = null

  constructor(target: Target, site: string, context: CliContext) {
    this.#target = target
    this.#site = site
    this.#context = context
  }

  /** Writes the file at once. Throws if there is one with other content, or if it cannot be written. */
  async begin(pack: Pack): Promise<void> {
    await this.#compose(pack)
    await this.#write()
  }

  /**
   * Makes the file what the pack is now, or without one, what it was at last: also where it was deleted, or could
   * not be written before. What prevents that is noted once.
   */
  async keep(pack: Pack | null): Promise<void> {
    try {
      if (pack !== null) await this.#compose(pack)
      await this.#write()
      this.#trouble = null
    } catch (error) {
      if (!(error instanceof CliError)) throw error
      if (error.message !== this.#trouble) this.#context.screen.note(error.message)
      this.#trouble = error.message
    }
  }

  async #compose(pack: Pack): Promise<void> {
    const source = await this.#source(pack)
    const { content } = await writePack(formats[this.#target.format], source, this.#context)
    this.#content = Buffer.from(content)
  }

  async #source(pack: Pack): Promise<RoundPool> {
    const context = this.#context
    if (!isLookedUp(formats[this.#target.format], pack, context)) {
      return sourceOf(pack, new Map(), context)
    }
    const plays = slotMods(poolOf(pack)).map(
      ({ beatmapId, forced }) => `${beatmapId} ${forced.join('')}`,
    )
    const asked = JSON.stringify([plays.toSorted(), pack.stats ?? null])
    if (asked !== this.#looked || this.#gap !== null) {
      const { bySlot, gap } = await lookUp(this.#site, pack, context)
      // What is known already stays known while the site does not answer.
      for (const [at, details] of bySlot) this.#known.set(plays[at]!, details)
      if (gap !== null && gap !== this.#gap) noteGap(gap, context)
      this.#gap = gap
      this.#looked = asked
    }
    const found = plays.flatMap((play, at) => {
      const details = this.#known.get(play)
      return details === undefined ? [] : [{ at, play, details }]
    })
    this.#known = new Map(found.map(({ play, details }) => [play, details]))
    return sourceOf(pack, new Map(found.map(({ at, details }) => [at, details])), context)
  }

  async #write(): Promise<void> {
    const before = await readRegular(this.#target.file)
    if (before === null || !before.equals(this.#content)) {
      await writeWhole(this.#target.file, this.#content, { existing: this.#replaceable(before) })
      this.#context.screen.note(`Wrote ${this.#target.file}`)
    }
    this.#written = this.#content
  }

  #replaceable(before: Buffer | null): 'refuse' | Buffer {
    if (before === null) return 'refuse'
    if (this.#context.options.has('force') || this.#written?.equals(before)) return before
    if (this.#written === null) throw fileExists(this.#target.file)
    throw new CliError(
      `${this.#target.file} was changed by another program and is left as it is; delete it to have it written again`,
    )
  }
}

/** null if there is no file. */
async function readRegular(file: string): Promise<Buffer | null> {
  try {
    if ((await stat(file)).isFile()) return await readFile(file)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null
    throw fileError(error, 'read', file)
  }
  throw new CliError(`${file} is no ordinary file; give the name of one`)
}
