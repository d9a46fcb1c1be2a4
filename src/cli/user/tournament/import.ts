import { NO_SLOT } from '../../../contract/bounds.ts'
import type { Bucket } from '../../../contract/pools.ts'
import type { Tournament } from '../../../contract/tournaments.ts'
import {
  type FieldDifference,
  fieldDifferences,
  isFieldTakenAtFirst,
  isTakenAtFirst,
  maySetField,
  sheetChanges,
  type SheetDifference,
  sheetDifferences,
  takenFields,
} from '../../../pool/sheet-merge.ts'
import { foldName, isCustom, isDefaultTable, placeKey, wholeTable } from '../../../pool/slots.ts'
import type { RoundPool } from '../../../formats/import/readings.ts'
import { CliError, usageError } from '../../program.ts'
import { insistOnConsent } from '../input.ts'
import { count } from '../pack-text.ts'
import { modsOption } from '../bucket-mods.ts'
import { partText, sheetOption, shownRefusals } from '../file-text.ts'
import { type FileImport, type FilePool, readOneImport } from '../pool-file.ts'
import {
  acceptOption,
  noteHalves,
  noteOpen,
  openQuestions,
  partialOption,
  questionJson,
  refuseOpen,
  unanswered,
} from '../questions.ts'
import { plain, withoutKeys } from '../screen.ts'
import { connectPools } from '../service.ts'
import { type CliContext, jsonOption, type UserCommand, yesOption } from '../user-command.ts'
import { ADDS_NONE, draftedPart, isLimited } from './read-round.ts'
import { differencesText, type ImportedRound, type ImportPlan, isShown } from './import-text.ts'
import { draftOf, type RoundDraft } from './round-text.ts'
import { changesAnything, isChanged, planRound, saveRounds } from './save-rounds.ts'

export const importCommand: UserCommand = {
  details: `Read the rounds of a tournament from FILE ("-" is stdin), show what differs from the drafts, and save it after
confirmation. FILE is a sheet, as .xlsx, .ods, CSV or as cells copied from a spreadsheet, with a column Round or with
headings such as "Quarterfinals"; or a bracket.json, an .osdb with a collection for each round, or one pool in any format
that "mapcrate import" reads, which needs --round.

FILE is merged with the rounds of the same name: its slots are added and changed, and what it leaves out stays, unless
--remove-missing or --delete is given; what is in FILE and could not be read stays even then. Where a row has no beatmap
and the draft has one, the beatmap stays. Other rounds are added after those that are there. A round in which somebody
changes the same slots meanwhile is left as it is, and the exit status is 3.

In JSON of "mapcrate tournament export", a round has all that is drafted of it: best-of and targets, for example. Links to
its map pack and its showcase, also those in articles of the wiki, are set where the round has none, and replace others
with --replace-links; for hosts alone, who may set them.

Beatmaps are looked up first, as "mapcrate import" does. Where FILE can mean several things, nothing is saved until
--accept chooses; where lines cannot be read, nothing is saved without --accept-partial. The exit status is 3 then, too.`,
  options: [
    { name: 'round', takes: 'NAME', about: 'name of the round, if FILE names none' },
    sheetOption,
    acceptOption,
    partialOption,
    modsOption,
    { name: 'remove-missing', about: 'remove slots that FILE leaves out of its rounds' },
    { name: 'replace-links', about: 'take links of FILE in place of those that rounds have' },
    { name: 'delete', about: 'delete drafts of rounds that are not in FILE' },
    { name: 'dry-run', about: 'show what differs' },
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
    const { found, pools, refused, refusals, questions, notes } = await readRounds(file, context)
    const open = openQuestions(found.questions)
    const isPart = !options.has('accept-partial') && refused.length > 0
    const part = new CliError(partText([found], isDry), 'partial')
    if (isPart && !isDry) {
      if (options.has('json')) screen.json({ rounds: [], ...refusals, questions, notes })
      throw part
    }
    const { client, slug } = await connectPools(context)
    const { data, etag } = await client.getTournament(slug()).withResponse()
    const { own: tournament } = draftedPart(data)
    const names = new Set(tournament.rounds.map(({ name }) => foldName(name)))
    const isOpen = ({ name }: SheetRound) => !isLimited(tournament) || names.has(foldName(name))
    const closed = pools.filter((pool) => !isOpen(pool)).map(({ name }) => `${name}: ${ADDS_NONE}`)
    const plan = planSheet(
      tournament,
      etag ?? '',
      { ...found, pools: pools.filter(isOpen) },
      options,
    )
    const isChange = changesAnything(plan)
    if (!options.has('json')) screen.out(differencesText(plan, context))
    if (!isChange) screen.note('Nothing is to be changed.')
    let left: readonly string[] = closed
    if (isChange && !isDry) {
      const changed = plan.rounds.filter(isChanged).length + plan.removed.length
      const question = `Save ${count(changed, 'round')}?`
      await insistOnConsent(question, 'nothing was saved', context)
      left = [...closed, ...(await saveRounds(client, plan, context)).map(({ text }) => text)]
    }
    if (options.has('json')) {
      const { rounds } =
        isDry || !isChange
          ? { rounds: plan.rounds.map(({ after }) => after) }
          : await client.getTournament(slug())
      const differences = plan.rounds.flatMap(({ after, found, fields }) =>
        [...found.filter(isShown), ...fields].map((each) => ({ round: after.name, ...each })),
      )
      screen.json({ rounds, differences, left, ...refusals, questions, notes })
    }
    for (const each of left) screen.note(plain(each))
    const problems = [
      ...(left.length > 0 ? [`${count(left.length, 'thing')} left alone`] : []),
      ...(refused.length > 0 ? [`${count(found.lines.refused, 'line')} could not be read`] : []),
      ...(open.length > 0 ? [unanswered(open)] : []),
    ]
    if (isPart) throw part
    if (problems.length > 0) throw new CliError(`${problems.join(', ')}, see above`, 'partial')
  },
}

/** @throws CliError (partial) while a question is open, unless a part is wanted. */
async function readRounds(file: string, context: CliContext) {
  const { options, screen } = context
  const found = await readOneImport(file, context, { service: 'pools' })
  const { pools, notes } = found
  const refused = pools.flatMap((pool) => pool.refused).map(withoutKeys)
  const questions = found.questions.map(questionJson)
  noteHalves(found.questions, context)
  const { shown, more } = shownRefusals(refused, (each) => each)
  for (const reason of [...shown, ...more]) screen.note(plain(reason))
  for (const note of notes) screen.note(plain(note))
  const refusals = { refused: shown, ...(more.length > 0 && { refusedCount: refused.length }) }
  const isPartial = options.has('accept-partial')
  if (options.has('json') && !isPartial && openQuestions(found.questions).length > 0) {
    screen.json({ rounds: [], ...refusals, questions, notes })
  }
  if (isPartial) noteOpen(found.questions, context)
  else refuseOpen(found.questions, 'tournament import', context)
  const filled = pools.filter(({ round, isApiRound }) => round.slots.length > 0 || isApiRound)
  if (filled.length === 0) throw new CliError('there is no slot in it')
  const drafts = namedRounds(filled, options.get('round'))
  return { found, pools: drafts, refused, refusals, questions, notes }
}

/** A round of the sheet, with its fields. */
type SheetRound = FilePool['round'] & Pick<FilePool, 'roundFields'>

function namedRounds(pools: readonly FilePool[], given: string | undefined): SheetRound[] {
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
  const names = pools.map(({ round }) => foldName(round.name))
  const again = pools.find((_, at) => names.indexOf(names[at]!) !== at)
  if (again !== undefined) {
    // Only one of them could be saved.
    const name = again.round.name.trim()
    throw usageError(
      `FILE has two rounds called "${name}", in any case; name one of them differently`,
    )
  }
  return pools.map(({ round, roundFields }) => ({
    ...round,
    roundFields,
    name: given ?? round.name,
  }))
}

type Sheet = Pick<FileImport, 'names' | 'unreadLines'> & { readonly pools: readonly SheetRound[] }

function planSheet(
  tournament: Tournament,
  etag: string,
  sheet: Sheet,
  options: CliContext['options'],
): ImportPlan {
  const isNamed = namedIn(sheet)
  const unread: string[] = []
  const isFieldTaken = (each: FieldDifference): boolean =>
    maySetField(each, tournament.role === 'host') &&
    (isFieldTakenAtFirst(each) || options.has('replace-links'))
  const isTaken = (each: SheetDifference): boolean =>
    isTakenAtFirst(each) || (each.kind === 'missing' && options.has('remove-missing'))
  const left = new Map(sheet.pools.map((pool) => [foldName(pool.name), pool]))
  const kept = tournament.rounds.flatMap((round): ImportedRound[] => {
    const fold = foldName(round.name)
    const pool = left.get(fold)
    left.delete(fold)
    if (pool !== undefined) {
      const found = sheetDifferences(round, pool)
      const fields = fieldDifferences(round, pool.roundFields)
      const after = {
        ...withSheet(round, found.filter(isTaken), pool),
        ...takenFields(fields.filter(isFieldTaken)),
      }
      return [{ ...planRound(round, after), found, sheet: pool.slots, fields }]
    }
    const isFixed = round.packSlug !== undefined || round.releaseAt !== undefined
    if (options.has('delete') && !isFixed) {
      if (!isNamed(round.name)) return []
      unread.push(round.name)
    }
    return [{ ...planRound(round, draftOf(round)), found: [], sheet: [], fields: [] }]
  })
  const added = [...left.values()].map((pool): ImportedRound => {
    const { buckets, slots } = pool
    const fields = fieldDifferences({}, pool.roundFields)
    const draft = {
      name: pool.name.trim(),
      slots: [...slots],
      ...(buckets && { buckets: [...buckets] }),
      ...takenFields(fields.filter(isFieldTaken)),
    }
    const found = sheetDifferences({ slots: [] }, pool)
    return { ...planRound(null, draft), found, sheet: slots, fields }
  })
  const ids = new Set(kept.map(({ before }) => before?.id))
  const removed = tournament.rounds.filter(({ id }) => !ids.has(id))
  return { tournament, etag, rounds: [...kept, ...added], removed, unread }
}

/** Whether a name is that of a round of the sheet, or is in a line that could not be read. */
function namedIn({ names, unreadLines }: Sheet): (name: string) => boolean {
  const words = (text: string): string =>
    ` ${(foldName(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [foldName(text)]).join(' ')} `
  const [known, lines] = [new Set(names.map(words)), unreadLines.map(words)]
  return (name) => known.has(words(name)) || lines.some((line) => line.includes(words(name)))
}

/** The draft with the differences that are taken, and with the buckets of the sheet. */
function withSheet(
  round: RoundDraft,
  taken: readonly SheetDifference[],
  sheet: RoundPool,
): RoundDraft {
  const slots = new Map(round.slots.map((slot) => [placeKey(slot), slot]))
  for (const { mod, index, to } of sheetChanges(taken)) {
    if (to === NO_SLOT) slots.delete(placeKey({ mod, index }))
    else slots.set(placeKey({ mod, index }), { mod, index, ...to })
  }
  const merged = { ...draftOf(round), slots: [...slots.values()] }
  const buckets = mergedBuckets(merged, sheet)
  return isDefaultTable(buckets) ? merged : { ...merged, buckets }
}

/** The buckets of a draft stay. The sheet adds some, and mods, where it has them; what it says of colours is made up. */
function mergedBuckets(draft: RoundDraft, sheet: RoundPool): Bucket[] {
  const known = new Map((sheet.buckets ?? []).map((bucket) => [bucket.code, bucket]))
  return wholeTable(draft).map((bucket) => {
    const other = known.get(bucket.code)
    const mods = other !== undefined && isCustom(other) ? other.mods : undefined
    return isCustom(bucket) && mods !== undefined ? { ...bucket, mods } : bucket
  })
}
