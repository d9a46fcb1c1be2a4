import { MapcrateError } from '../../client/errors.ts'
import type { PacksClient } from '../../client/packs.ts'
import { realTime, sleep } from '../../client/time.ts'
import type { Pack } from '../../contract/packs.ts'
import { CliError } from '../program.ts'
import { contentOf, differenceLines, differences, statsLine } from './pack-text.ts'
import { plain } from './screen.ts'
import { connect } from './service.ts'
import { describeError } from './errors.ts'
import { type Call, jsonOption, type CliContext, type UserCommand } from './user-command.ts'

const USUAL_SECONDS = 30
const [LEAST_SECONDS, MOST_SECONDS] = [5, 3600]

const secondsOf = (call: Call): number => {
  const text = call.value('every') ?? String(USUAL_SECONDS)
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (seconds >= LEAST_SECONDS && seconds <= MOST_SECONDS) return seconds
  throw new CliError(
    `--every "${text}" must be from ${LEAST_SECONDS} to ${MOST_SECONDS} seconds`,
    'misuse',
  )
}

/** Prints how a pack has changed; nothing when it has not. */
const tell = (before: Pack, after: Pack, isJson: boolean, { screen }: CliContext): void => {
  const found = differences(contentOf(before), contentOf(after))
  const stats = statsLine(after)
  const isStatsNew = stats !== statsLine(before)
  if (found.length === 0 && !isStatsNew) return
  if (isJson) {
    return screen.out(
      `${JSON.stringify({ updatedAt: after.updatedAt, changes: found, stats: after.stats ?? null })}\n`,
    )
  }
  if (found.length > 0) screen.out(`${screen.paint.bold(after.updatedAt)}\n`)
  screen.out(differenceLines(found, screen.paint))
  if (isStatsNew && stats !== '') screen.out(`${stats}\n`)
}

/** What passes by itself: it is told, and looked again later. */
const passing: ReadonlySet<string> = new Set(['unreachable', 'timed_out', 'internal_error'])

/** The pack as it is now; null when that cannot be known for now. */
const look = async (
  client: PacksClient,
  slug: string,
  { screen }: CliContext,
): Promise<Pack | null> => {
  try {
    return await client.getPack(slug)
  } catch (error) {
    if (!(error instanceof MapcrateError)) throw error
    if (error.code === 'not_found') throw new CliError('the pack is gone, or hidden from you')
    if (!passing.has(error.code)) throw error
    screen.note(describeError(error))
    return null
  }
}

export const watchCommand: UserCommand = {
  name: 'watch',
  details: `Looks at a pack every ${USUAL_SECONDS} seconds and prints what has changed, until Ctrl+C. With --json a line
of JSON for each change. What has not changed is not sent again, but each look counts as a request.`,
  options: [
    {
      name: 'every',
      takes: 'SECONDS',
      about: `how often to look: ${LEAST_SECONDS} to ${MOST_SECONDS}`,
    },
    jsonOption,
  ],
  words: ['SLUG'],
  example: 'watch q7Jm2_xT0a',
  moreExamples: ['mapcrate watch q7Jm2_xT0a --every 10 --json >> changes.jsonl'],
  async run(call, around) {
    const { screen, signal } = around
    const seconds = secondsOf(call)
    const { client, slugOf } = await connect(around, etagFetch(fetch))
    const [word = ''] = call.words
    const slug = slugOf(word)
    let before = await client.getPack(slug)
    screen.note(`Watching ${plain(before.name)}; press Ctrl+C to stop.`)
    try {
      for (;;) {
        await sleep(realTime, seconds * 1000, signal)
        const after = await look(client, slug, around)
        if (after === null) continue
        tell(before, after, call.has('json'), around)
        before = after
      }
    } catch (error) {
      // This is how watching ends.
      if (!signal.aborted) throw error
    }
  },
}

/**
 * A `fetch` that asks again only for what has changed: what it was answered before it sends the tag
 * of, and hands out again where the service answers 304.
 */
export const etagFetch = (through: typeof fetch): typeof fetch => {
  const seen = new Map<string, { readonly tag: string; readonly text: string }>()
  return async (target, init) => {
    const url = target instanceof Request ? target.url : String(target)
    const known = seen.get(url)
    const headers = new Headers(init?.headers)
    if (known !== undefined) headers.set('if-none-match', known.tag)
    const response = await through(target, { ...init, headers })
    if (response.status === 304 && known !== undefined) {
      return new Response(known.text, { status: 200, headers: response.headers })
    }
    const tag = response.headers.get('etag')
    if (response.status !== 200 || tag === null) return response
    const text = await response.text()
    seen.set(url, { tag, text })
    return new Response(text, { status: 200, headers: response.headers })
  }
}
