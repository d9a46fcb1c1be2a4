import type { PacksClient } from '../../client/packs.ts'
import { realTime, sleep } from '../../client/time.ts'
import type { Pack } from '../../contract/packs.ts'
import { comparePacks } from '../../pool/comparison.ts'
import { CliError, usageError } from '../program.ts'
import { describeError, hasCode } from './errors.ts'
import { differenceLines, statsLine } from './pack-text.ts'
import { plain } from './screen.ts'
import { connect } from './service.ts'
import { type CliContext, jsonOption, type UserCommand } from './user-command.ts'

const [DEFAULT_SECONDS, MIN_SECONDS, MAX_SECONDS] = [30, 5, 3600]

export const watchCommand: UserCommand = {
  details: `Check a pack periodically and print its changes until Ctrl+C; with --json, one line of JSON per change.
Each check counts as a request.`,
  options: [
    {
      name: 'every',
      takes: 'SECONDS',
      about: `interval, ${MIN_SECONDS} to ${MAX_SECONDS} (default: ${DEFAULT_SECONDS})`,
    },
    jsonOption,
  ],
  words: ['SLUG'],
  examples: [
    'mapcrate watch q7Jm2_xT0a',
    'mapcrate watch q7Jm2_xT0a --every 10 --json >> changes.jsonl',
  ],
  async run(context) {
    const { options, screen, signal } = context
    const seconds = readSeconds(options.get('every') ?? String(DEFAULT_SECONDS))
    const { client, slug } = await connect(context, etagFetch(fetch))
    let before = await client.getPack(slug())
    screen.note(`Watching ${plain(before.name)}; press Ctrl+C to stop.`)
    try {
      for (;;) {
        await sleep(realTime, seconds * 1000, signal)
        const after = await readIfPossible(client, slug(), context)
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

/** The last is what a proxy says while the service restarts. */
const transient = [
  'unreachable',
  'timed_out',
  'internal_error',
  'rate_limited',
  'unexpected_answer',
] as const

/** null after a transient failure, which is noted. */
async function readIfPossible(client: PacksClient, slug: string, { screen }: CliContext) {
  try {
    return await client.getPack(slug)
  } catch (error) {
    if (hasCode(error, 'not_found')) throw new CliError('the pack is gone, or hidden from you')
    if (!hasCode(error, ...transient)) throw error
    screen.note(describeError(error))
    return null
  }
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
