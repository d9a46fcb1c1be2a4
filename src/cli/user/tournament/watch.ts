import type { PoolsClient } from '../../../client/pools-client.ts'
import { realTime, sleep } from '../../../client/time.ts'
import { MAX_WAIT_SECONDS } from '../../../contract/bounds.ts'
import type { Round } from '../../../contract/rounds.ts'
import type { Tournament } from '../../../contract/tournaments.ts'
import type { Format } from '../../../formats/format.ts'
import { formats } from '../../../formats/format-table.ts'
import { foldName } from '../../../pool/slots.ts'
import { CliError } from '../../program.ts'
import {
  etagFetch,
  everyOption,
  LiveFile,
  liveOptions,
  otherFormats,
  readSeconds,
  targetOf,
  watch,
} from '../live-file.ts'
import { wordLines } from '../pack-text.ts'
import { plain } from '../screen.ts'
import { connectPools } from '../service.ts'
import { type CliContext, jsonOption, type UserCommand } from '../user-command.ts'
import { NOTHING_PUBLIC, readPublic, readRounds } from './export.ts'
import { compareRounds, draftOf } from './round-text.ts'

export const watchCommand: UserCommand = {
  details: `Follow what everybody may read of a tournament, and print the rounds that are released, changed and withdrawn,
until Ctrl+C; with --json, one line of JSON per round. The service reports each change within two seconds; besides, the
tournament is read every so many SECONDS.

With --as and --out, FILE always holds the released rounds in FORMAT, or the one that --round names, for a program that
reads it live, such as a stream overlay; before it is released, FILE holds none. It is written at once and after each
change, and always as a whole. While the service cannot be reached, and while the tournament is not public, it keeps its
last content, and the command waits; so it may be begun before the first release. A FILE that another program changes is
not overwritten without --force. FORMAT is one of export, but not ${otherFormats.join(', ')}.`,
  options: [
    everyOption,
    { name: 'round', takes: 'NAME', about: 'this round alone' },
    jsonOption,
    ...liveOptions,
  ],
  words: ['SLUG'],
  examples: [
    'mapcrate tournament watch dG91cm5hbW',
    'mapcrate tournament watch dG91cm5hbW --as overlay-stage --round Finals --out beatmaps.json',
  ],
  async run(context) {
    const seconds = readSeconds(context)
    const target = targetOf(context)
    const { client, site, slug } = await connectPools(context, etagFetch(fetch))
    const compose = target && roundsWriter(formats[target.format], site, context)
    const live = target && compose && new LiveFile(target.file, context, compose)
    const read = async (): Promise<Watched> => {
      const found = await readPublic(client, slug())
      if (found === null) throw new CliError(NOTHING_PUBLIC)
      return found
    }
    const gone = `${NOTHING_PUBLIC} just now, or there is none of this slug; waiting for it`
    const nothing: Watched = { name: slug(), rounds: [], updatedAt: '' }
    const untilNew = hearing(client, slug(), context)
    const printChange = printChanges
    await watch({ seconds, untilNew, read, live, gone, nothing, printChange }, context)
  },
}

/** Where many other tournaments change, they are heard of once in so long. */
const PAUSE_MS = 1500

/**
 * Returns a function that resolves when the service reports a change of the tournament, or after so many ms. The first call
 * only finds out where to begin: what has changed before is to be read.
 */
function hearing(client: PoolsClient, slug: string, { signal }: CliContext) {
  let cursor: string | undefined
  return async (ms: number): Promise<void> => {
    const end = realTime.now() + ms
    const isFirst = cursor === undefined
    try {
      for (let left = ms; left > 0; left = end - realTime.now()) {
        const wait = isFirst ? 0 : Math.min(MAX_WAIT_SECONDS, Math.ceil(left / 1000))
        const asked = realTime.now()
        const page = await client.getChanges({
          ...(cursor !== undefined && { after: cursor }),
          wait,
          signal,
        })
        cursor = page.cursor
        if (isFirst || page.changes.some(({ tournament }) => tournament === slug)) return
        // Of others, or of none because the service shuts down.
        if (realTime.now() - asked < PAUSE_MS) await sleep(realTime, PAUSE_MS, signal)
      }
    } catch {
      // A read says what is wrong, and an old service reports nothing.
      cursor = undefined
      await sleep(realTime, Math.max(0, end - realTime.now()), signal)
    }
  }
}

type Watched = Pick<Tournament, 'name' | 'rounds' | 'updatedAt'> &
  Partial<Pick<Tournament, 'shortName' | 'ruleset'>>

/** Those that are watched. */
const watched = ({ rounds }: Watched, { options }: CliContext): readonly Round[] => {
  const name = options.get('round')
  if (name === undefined) return rounds
  return rounds.filter((round) => foldName(round.name) === foldName(name))
}

/** Returns a function that makes the file of the released rounds; it asks the site only for what is new. */
function roundsWriter(format: Format, site: string, context: CliContext) {
  let last = { print: '', content: '' as string | Uint8Array }
  return async (tournament: Watched): Promise<string | Uint8Array> => {
    const rounds = watched(tournament, context)
    const print = JSON.stringify(rounds)
    if (print === last.print) return last.content
    const { shortName, ruleset } = tournament
    const round = context.options.get('round')?.trim()
    const kind = round === undefined ? 'rounds' : 'pack'
    // Of a round alone, before it is released.
    const name = round !== undefined && rounds.length === 0 ? round : tournament.name
    const sheet = {
      kind,
      name,
      shortName,
      ruleset,
      rounds: await readRounds(format, rounds, site, context),
    } as const
    const { content } = await format.write(sheet, { savedAt: context.now() })
    last = { print, content }
    return content
  }
}

function printChanges(before: Watched, after: Watched, context: CliContext): void {
  const { options, screen } = context
  const [was, is] = [watched(before, context), watched(after, context)]
  const say = (
    round: Round,
    kind: string,
    changes: ReturnType<typeof compareRounds> = [],
  ): void => {
    const { id, name, packSlug } = round
    if (options.has('json')) {
      return screen.out(
        `${JSON.stringify({ at: after.updatedAt, id, round: name, kind, packSlug, changes })}\n`,
      )
    }
    screen.out(`${screen.paint.bold(`${plain(name)} ${kind}`)}  ${after.updatedAt}\n`)
    screen.out(wordLines(changes, screen.paint))
  }
  for (const round of is) {
    const old = was.find(({ id }) => id === round.id)
    if (old === undefined) say(round, 'released')
    else {
      const changes = compareRounds(draftOf(old), draftOf(round))
      if (changes.length > 0) say(round, 'changed', changes)
    }
  }
  for (const round of was) if (!is.some(({ id }) => id === round.id)) say(round, 'withdrawn')
}
