import { basename, dirname, join } from 'node:path'
import type { PoolsClient } from '../../../client/pools-client.ts'
import type { Round } from '../../../contract/rounds.ts'
import type { Tournament } from '../../../contract/tournaments.ts'
import { type Format, mergesRounds } from '../../../formats/format.ts'
import { formats } from '../../../formats/format-table.ts'
import type { RoundPool } from '../../../formats/sheet.ts'
import { slotLabel } from '../../../pool/slots.ts'
import { nearNames } from '../../../pool/near-words.ts'
import { CliError, usageError } from '../../program.ts'
import { hasCode } from '../errors.ts'
import { namesIn, namesText, noteGap } from '../export-file.ts'
import {
  asOption,
  fileOptions,
  formatLines,
  isInPlace,
  readFormat,
  refuseExisting,
  writeOutput,
} from '../export.ts'
import { readWhole } from '../files.ts'
import { lookUp, type PoolDetails } from '../look-up.ts'
import { count, firstOf } from '../pack-text.ts'
import { plain } from '../screen.ts'
import { connectPools } from '../service.ts'
import { type CliContext, noDetailsOption, type UserCommand } from '../user-command.ts'
import { filledPool, insistOnStaff, openSlots, roundNamed } from './round-text.ts'

export const exportCommand: UserCommand = {
  details: `Write all rounds of a tournament, or one of them, to stdout or a file, as everybody may read them: those that
are released, as they were released.

--drafts writes the drafts, for the staff. Then the first line of a text says DRAFT; of JSON and of bytes, which have no
room for that, the name of the file: --out pool.json writes DRAFT-pool.json, and --merge writes a copy of that name.

${formatLines('rounds')}

--merge writes into an existing bracket.json: rounds of the same name are replaced, others are added at the end,
and the rest of the file is unchanged. If it has only a similar name for one of them ("Semi Finals" for "Semifinals"),
nothing is changed: rename one of the two, or use --add. Data of beatmaps are requested from the site; unknown data are left
empty. Tables, posts and JSON have slots without a beatmap, too; other formats leave them out. If anything is left out,
the exit status is 3.`,
  options: [
    asOption,
    { name: 'round', takes: 'NAME', about: 'write this round alone' },
    { name: 'drafts', about: 'write the drafts, marked as such, in place of what is released' },
    ...fileOptions,
    { name: 'add', about: 'with --merge, add rounds even if similar names exist' },
    noDetailsOption,
  ],
  words: ['SLUG'],
  examples: [
    'mapcrate tournament export dG91cm5hbW --as bracket --merge bracket.json',
    'mapcrate tournament export dG91cm5hbW --as osdb --out hlc.osdb',
    'mapcrate tournament export dG91cm5hbW --as wiki --round Finals',
    'mapcrate tournament export dG91cm5hbW --as csv --drafts --out drafts.csv',
  ],
  async run(call) {
    const format = formats[readFormat(call, ['merge'], mergesRounds)]
    const isDraft = call.options.has('drafts')
    const context = isDraft && !hasFirstLine(format) ? withDraftName(call) : call
    const { options, screen } = context
    const file = options.get('merge')
    await refuseExisting(context)
    const { client, site, slug } = await connectPools(context)
    const tournament = await (isDraft ? readDrafts(client, slug()) : readReleased(client, slug()))
    const rounds = roundsOf(tournament, options.get('round'))
    const into = file === undefined ? null : await readWhole(file)
    const { merge } = format
    const before = into && merge ? await namesIn(merge, into, file ?? '') : []
    if (file !== undefined && !options.has('add')) refuseSimilar(rounds, before, file)
    const { name, shortName, ruleset } = tournament
    const written = await format.write(
      { name, shortName, ruleset, rounds: await readRounds(format, rounds, site, context) },
      { savedAt: context.now(), ...(into !== null && { into }) },
    )
    const all = rounds.reduce((sum, round) => sum + filledPool(round).slots.length, 0)
    if (format.isLeftOut && written.incomplete === all) {
      throw new CliError('nothing was written: of none of the beatmaps is anything known')
    }
    const isUnchanged = into !== null && Buffer.from(written.content).equals(into)
    if (isUnchanged && isInPlace(options)) screen.note(`Nothing to change in ${file}.`)
    else {
      const content = isDraft ? marked(written.content, format) : written.content
      await writeOutput(content, format.isText, into, context)
      if (isDraft && !hasFirstLine(format)) screen.note(`DRAFT: this is not what is released.`)
      if (file !== undefined) screen.note(mergedText(rounds, before, options.get('out') ?? file))
    }
    refusePartial(rounds, format, written.incomplete, context)
  },
}

async function readDrafts(client: PoolsClient, slug: string): Promise<Tournament> {
  const tournament = await client.getTournament(slug)
  insistOnStaff(tournament)
  return tournament
}

async function readReleased(client: PoolsClient, slug: string): Promise<Tournament> {
  const found = await readPublic(client, slug)
  if (found !== null) return found
  throw new CliError(`${NOTHING_PUBLIC}; --drafts writes its drafts`)
}

export const NOTHING_PUBLIC = 'nothing of this tournament is public'

/** What everybody reads (D-84), who is on the staff or not; null: the caller alone reads of the tournament. */
export async function readPublic(client: PoolsClient, slug: string): Promise<Tournament | null> {
  try {
    return await client.getTournament(slug, { as: 'public' })
  } catch (error) {
    if (!hasCode(error, 'not_found')) throw error
    // Throws the same for strangers.
    await client.getTournament(slug)
    return null
  }
}

/** Whether a text of this format may begin with a line that says DRAFT. */
const hasFirstLine = ({ isText, ending }: Format): boolean => isText && !ending.endsWith('.json')

function marked(content: string | Uint8Array, format: Format): string | Uint8Array {
  if (typeof content !== 'string' || !hasFirstLine(format)) return content
  return `DRAFT: not released\n\n${content}`
}

const DRAFT = 'DRAFT-'

/** The call with a name for its file that says DRAFT; a file that is merged into stays as it is. */
function withDraftName(call: CliContext): CliContext {
  const out = call.options.get('out') ?? call.options.get('merge')
  if (out === undefined || out === '-' || basename(out).startsWith(DRAFT)) return call
  const file = join(dirname(out), `${DRAFT}${basename(out)}`)
  return { ...call, options: new Map([...call.options, ['out', file]]) }
}

/** A round that the file has by a slightly different name would be there twice. */
function refuseSimilar(rounds: readonly Round[], names: readonly string[], file: string): void {
  const own = new Set(rounds.map(nameOf))
  const others = names.filter((name) => !own.has(name))
  for (const name of own) {
    const [near] = names.includes(name) ? [] : nearNames(name, others)
    if (near === undefined) continue
    throw usageError(
      `${file} has no round "${plain(name)}", but "${plain(near)}"; rename one of them, or say --add for a new round (there are: ${namesText(names)})`,
    )
  }
}

function mergedText(rounds: readonly Round[], names: readonly string[], file: string): string {
  const isThere = (name: string): boolean => names.includes(name)
  const all = rounds.map(nameOf)
  const replaced = namesText(all.filter(isThere))
  const added = namesText(all.filter((name) => !isThere(name)))
  const parts = [
    ...(replaced === '' ? [] : [`replaced ${replaced}`]),
    ...(added === '' ? [] : [`added ${added}`]),
  ]
  return `Rounds in ${file}: ${parts.join('; ')}`
}

const nameOf = ({ name }: Round): string => name.trim()

function roundsOf(tournament: Tournament, name: string | undefined): readonly Round[] {
  if (name !== undefined) return [roundNamed(tournament, name)]
  if (tournament.rounds.length > 0) return tournament.rounds
  throw new CliError(
    tournament.role === undefined
      ? 'no round is released; --drafts writes the drafts, for the staff'
      : 'the tournament has no rounds',
  )
}

/** Asks the site for what is known of the beatmaps, until it does not answer. */
export async function readRounds(
  { needs }: Format,
  rounds: readonly Round[],
  site: string,
  context: CliContext,
) {
  const mayAsk = needs !== 'nothing' && !context.options.has('no-details')
  const read: RoundPool[] = []
  let gap: string | null = null
  for (const round of rounds) {
    const { name, bestOf, bans, packSlug } = round
    const pool = filledPool(round)
    const isAsked: boolean = mayAsk && pool.slots.length > 0 && gap === null
    const found: PoolDetails | null = isAsked
      ? await lookUp(site, { ...pool, slug: packSlug }, context)
      : null
    gap = found?.gap ?? gap
    read.push({ name, pool, details: found?.bySlot ?? new Map(), bestOf, bans, saved: round })
  }
  if (gap !== null) noteGap(gap, context)
  return read
}

function refusePartial(
  rounds: readonly Round[],
  { isLeftOut, keepsPlanned = false }: Format,
  incomplete: number,
  { screen }: CliContext,
): void {
  const planned = keepsPlanned ? [] : rounds
  const open = planned.flatMap((round) =>
    openSlots(round).map((slot) => `${plain(round.name)} ${slotLabel(slot)}`),
  )
  const unknown = isLeftOut ? incomplete : 0
  if (open.length > 0) screen.note(`Without a beatmap, and left out: ${firstOf(open)}.`)
  if (unknown > 0)
    screen.note(`Left out, as nothing is known of them: ${count(unknown, 'beatmap')}.`)
  const all = open.length + unknown
  if (all > 0) throw new CliError(`${count(all, 'slot')} left out, see above`, 'partial')
}
