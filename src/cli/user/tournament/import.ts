import type { Tournament } from '../../../contract/tournaments.ts'
import { foldCode } from '../../../pool/slots.ts'
import type { RoundPool } from '../../../formats/import/readings.ts'
import { CliError, usageError } from '../../program.ts'
import { insistOnConsent } from '../input.ts'
import { count } from '../pack-text.ts'
import { modsOption } from '../bucket-mods.ts'
import { type FilePool, readOneImport, sheetOption } from '../pool-file.ts'
import { acceptOption, noteHalves, openQuestions, questionJson, refuseOpen } from '../questions.ts'
import { plain, withoutKeys } from '../screen.ts'
import { connectPools } from '../service.ts'
import { type CliContext, jsonOption, type UserCommand, yesOption } from '../user-command.ts'
import { draftOf, type RoundDraft } from './round-text.ts'
import { changesAnything, planRound, saveRounds, type SheetPlan, sheetText } from './save-rounds.ts'

export const importCommand: UserCommand = {
  details: `Read the rounds of a tournament from FILE ("-" is stdin), show what changes, and save it after confirmation.
FILE is a sheet, as .xlsx, .ods, CSV or as cells copied from a spreadsheet, with a column Round or with headings such as
"Quarterfinals"; or a bracket.json, an .osdb with a collection for each round, or one pool in any format that
"mapcrate import" reads, which needs --round.

Rounds in FILE replace the slots of the rounds of the same name, which keep the rest, and others are added after
them; rounds that FILE lacks stay unless --delete is given. Everything is saved in one request, or nothing; only
more than 16 KB is saved round by round. Lines that cannot be read are reported, and the exit status is 3; so it is
where FILE can mean several things: nothing is saved then until --accept chooses.`,
  options: [
    { name: 'round', takes: 'NAME', about: 'name of the round, if FILE names none' },
    sheetOption,
    acceptOption,
    modsOption,
    { name: 'delete', about: 'delete drafts of rounds that are not in FILE' },
    { name: 'dry-run', about: 'show what would be saved' },
    yesOption,
    jsonOption,
  ],
  words: ['SLUG', 'FILE'],
  examples: [
    'mapcrate tournament import dG91cm5hbW pools.csv',
    'pbpaste | mapcrate tournament import dG91cm5hbW - --yes',
    'mapcrate tournament import dG91cm5hbW finals.csv --round Finals --dry-run',
  ],
  async run(context) {
    const { words, options, screen } = context
    const [, file = ''] = words
    const isDry = options.has('dry-run')
    const { pools, refused, questions, notes } = await readRounds(file, context)
    const { client, slug } = await connectPools(context)
    const { data: tournament, etag } = await client.getTournament(slug()).withResponse()
    const plan = planSheet(tournament, etag ?? '', pools, options.has('delete'))
    if (!changesAnything(plan)) screen.note('Nothing is to be changed.')
    else {
      if (!options.has('json')) screen.out(sheetText(plan, context))
      if (!isDry) {
        const question = `Save ${count(pools.length, 'round')}?`
        await insistOnConsent(question, 'nothing was saved', context)
        await saveRounds(client, plan, context)
      }
    }
    if (options.has('json')) {
      const { rounds } = isDry
        ? { rounds: plan.rounds.map(({ after }) => after) }
        : await client.getTournament(slug())
      screen.json({ rounds, refused, questions, notes })
    }
    if (refused.length > 0) {
      throw new CliError(`${count(refused.length, 'line')} could not be read, see above`, 'partial')
    }
  },
}

/** @throws CliError (partial) while a question is open. */
async function readRounds(file: string, context: CliContext) {
  const { options, screen } = context
  const found = await readOneImport(file, context)
  const { pools, notes } = found
  const refused = pools.flatMap((pool) => pool.refused).map(withoutKeys)
  const questions = found.questions.map(questionJson)
  noteHalves(found.questions, context)
  for (const reason of refused) screen.note(plain(reason))
  for (const note of notes) screen.note(plain(note))
  if (options.has('json') && openQuestions(found.questions).length > 0) {
    screen.json({ rounds: [], refused, questions, notes })
  }
  refuseOpen(found.questions, 'tournament import', context)
  const filled = pools.filter(({ round }) => round.slots.length > 0)
  if (filled.length === 0) throw new CliError('there is no slot in it')
  const drafts = namedRounds(filled, options.get('round'))
  return { pools: drafts, refused, questions, notes }
}

function namedRounds(pools: readonly FilePool[], given: string | undefined): RoundPool[] {
  const isNamed = pools.some((pool) => pool.isNamed)
  if (given !== undefined && (pools.length > 1 || pools[0]?.isRound === true)) {
    throw usageError('FILE names its rounds; leave --round out')
  }
  if (given === undefined && pools.some((pool) => !pool.isNamed)) {
    throw usageError(
      isNamed
        ? 'the first lines of FILE belong to no round; put a heading before them'
        : 'FILE names no rounds; give --round NAME, or a column Round',
    )
  }
  return pools.map(({ round }) => ({ ...round, name: given ?? round.name }))
}

function planSheet(
  tournament: Tournament,
  etag: string,
  pools: readonly RoundPool[],
  isWhole: boolean,
): SheetPlan {
  const left = new Map(pools.map((pool) => [foldCode(pool.name.trim()), pool]))
  const kept = tournament.rounds.flatMap((round) => {
    const fold = foldCode(round.name)
    const pool = left.get(fold)
    left.delete(fold)
    if (pool !== undefined) return [planRound(round, withPool(draftOf(round), pool))]
    const isFixed = round.packSlug !== undefined || round.releaseAt !== undefined
    return isWhole && !isFixed ? [] : [planRound(round, draftOf(round))]
  })
  const added = [...left.values()].map((pool) =>
    planRound(null, withPool({ name: pool.name.trim(), slots: [] }, pool)),
  )
  const ids = new Set(kept.map(({ before }) => before?.id))
  const removed = tournament.rounds.filter(({ id }) => !ids.has(id))
  return { tournament, etag, rounds: [...kept, ...added], removed }
}

/** The buckets of a round stay if the pool says nothing of them. */
function withPool(draft: RoundDraft, { slots, buckets }: RoundPool): RoundDraft {
  return { ...draft, slots: [...slots], ...(buckets != null && { buckets: [...buckets] }) }
}
