import { basename } from 'node:path'
import { AppError } from '../../contract/errors.ts'
import type { ServiceName } from '../../contract/services.ts'
import { fitName } from '../../formats/draft-builder.ts'
import { fault, FormatError } from '../../formats/format-error.ts'
import { type Evidence, isDoubt } from '../../formats/import/evidence.ts'
import {
  countLines,
  type ImportedLine,
  type ImportedPool,
  type ImportOptions,
  type LineCount,
} from '../../formats/import/read-import.ts'
import type { Shape, ShapeId } from '../../formats/import/shapes.ts'
import { type RoundPool, rules } from '../../formats/import/readings.ts'
import { readImportFile } from '../../formats/import/read-import-file.ts'
import type { SentFields } from '../../pool/pack-fields.ts'
import type { PoolDraft } from '../../pool/pool.ts'
import { slotLabel } from '../../pool/slots.ts'
import { CliError } from '../program.ts'
import { insistOnBuckets, readMods } from './bucket-mods.ts'
import { readInput } from './input.ts'
import { ignoredNotes } from './known-fields.ts'
import { lookUpIds } from './look-up.ts'
import {
  acceptsAll,
  answersFor,
  type FileQuestion,
  noteHalves,
  numberQuestions,
  openError,
  openQuestions,
  refuseOpen,
} from './questions.ts'
import { leftOutNotes, leftOutText, refusals, refusedLine, shownRefusals } from './file-text.ts'
import { plain } from './screen.ts'
import type { CliContext } from './user-command.ts'

export type FilePool = {
  readonly draft: PoolDraft
  /** As a round may hold it: with the slots that have no beatmap yet (D-77). */
  readonly round: RoundPool & Pick<ImportedPool, 'unread'>
  /** The labels of these slots, which packs leave out. */
  readonly leftOut: readonly string[]
  /** Whether the file names it. */
  readonly isNamed: boolean
  /** Whether the file names it by a heading or a column, where rounds are named. */
  readonly isRound: boolean
  /** What the file says of the pack besides, and of the round. */
  readonly fields: SentFields
  readonly roundFields: ImportedPool['roundFields']
  /** Whether it is a round as the API has it, which may have no slot. */
  readonly isApiRound: boolean
  /** What cannot be read: the place and the reason. */
  readonly refused: readonly string[]
  /** What a round plans and a pack refuses: the place and the reason. */
  readonly unfit: readonly string[]
  /** Why each slot was read so, in a sentence, by its label. */
  readonly rules: ReadonlyMap<string, string>
}

/** What a file holds. Nothing of it may be saved while a question is open. */
export type FileImport = {
  readonly file: string
  /** With slots, or with something refused; or rounds as the API has them, which may have none. */
  readonly pools: readonly FilePool[]
  /** All that may be the name of a round, also of one without slots; and the texts of lines that could not be read. */
  readonly names: readonly string[]
  readonly unreadLines: readonly string[]
  readonly questions: readonly FileQuestion[]
  readonly notes: readonly string[]
  readonly lines: LineCount
  /** To be looked up. */
  readonly beatmapIds: readonly number[]
  /** Why nothing of it can be read; left out if something can. */
  readonly unread?: unknown
}

type FileOptions = Pick<ImportOptions, 'answers' | 'decided' | 'evidence' | 'mods' | 'sheet'> & {
  /** The buckets of the pack to be replaced, for files that have none. */
  readonly buckets?: PoolDraft['buckets'] | undefined
  /** Whether the questions were not shown: then what their answers leave out is a part that is missing. */
  readonly isAllAccepted?: boolean
}

/** How the files of a call are read. */
type CallOptions = Pick<FileOptions, 'buckets'> & {
  /** The service that beatmaps are looked up by before anything is saved (D-90); left out: they are not. */
  readonly service?: ServiceName
}

/**
 * The one pool, or that of `round`, which must be certain and readable whole: no slot may silently be missing.
 *
 * @throws CliError (partial) that lists the questions if there are any.
 */
export async function readPool(
  bytes: Uint8Array,
  file: string,
  options: FileOptions = {},
): Promise<FilePool> {
  const found = await readFileImport(bytes, file, options)
  const error = openError(found.questions)
  if (error !== null) throw error
  const pool = onlyPool(found)
  // What is written back to the file later would lack them.
  if (pool.leftOut.length > 0) throw new CliError(leftOutText(pool.leftOut))
  return pool
}

/** As `readPool`, of a file of the call, with its `--accept`, `--mods`, `--sheet` and `--round`. */
export async function readChosenPool(
  file: string,
  command: string,
  context: CliContext,
  how: CallOptions = {},
): Promise<FilePool> {
  const found = await readOneImport(file, context, how)
  noteHalves(found.questions, context)
  for (const note of found.notes) context.screen.note(plain(note))
  refuseOpen(found.questions, command, context)
  const pool = onlyPool(found, context.options.get('round'))
  if (pool.draft.slots.length === 0) throw new CliError('there is no beatmap in it')
  for (const note of leftOutNotes(pool)) context.screen.note(plain(note))
  return pool
}

/** As `readFileImports`, of one file, which must be readable. */
export async function readOneImport(
  file: string,
  context: CliContext,
  how: CallOptions = {},
): Promise<FileImport> {
  const { files, gap } = await readFileImports([file], context, how)
  const [found] = files as [FileImport]
  if (found.unread !== undefined) throw found.unread
  return gap === null ? found : { ...found, notes: [...found.notes, gap] }
}

function onlyPool({ pools: all }: FileImport, round?: string): FilePool {
  const pools = all.filter(isFilled)
  const names = pools.map(({ draft }) => draft.name).join(', ')
  const meant = round === undefined ? pools : pools.filter(({ draft }) => draft.name === round)
  const [pool, more] = meant
  if (pool === undefined) {
    throw new CliError(
      round === undefined
        ? 'there is no beatmap in it'
        : `there is no round "${round}"; there are: ${names}`,
    )
  }
  if (more !== undefined) {
    throw new CliError(
      round === undefined
        ? `it holds ${pools.length} pools (${names}); say which one by --round`
        : `it holds several rounds named "${round}"; rename one of them`,
    )
  }
  const refused = [...pool.refused, ...pool.unfit]
  if (refused.length === 0) return pool
  const first = shownRefusals(refused, (each) => each)
  const reasons = [...first.shown, ...first.more]
  const message = `nothing was saved: ${reasons.join('\n')}`
  throw new AppError('bad_request:invalid_field', message, null, { problems: [] })
}

/**
 * The files of a call in their order, with its `--accept`, `--mods` and `--sheet`. A terminal is asked what is not certain.
 *
 * @returns also why some of their beatmaps were not looked up, in a sentence; null if all were.
 * @throws CliError (usage) for a reading that is not offered, and for mods of a bucket that no pool has.
 */
export async function readFileImports(
  files: readonly string[],
  context: CliContext,
  { service, buckets }: CallOptions = {},
): Promise<{ readonly files: FileImport[]; readonly gap: string | null }> {
  const { options: given } = context
  const isAllAccepted = acceptsAll(given.get('accept'))
  const options = {
    mods: readMods(given.get('mods')),
    sheet: given.get('sheet'),
    buckets,
    isAllAccepted,
  }
  const first: ReadFile[] = []
  for (const file of files) {
    let bytes: Uint8Array = new Uint8Array()
    const found = await orUnread(file, context, async () => {
      bytes = await readInput(file, context)
      return readFileImport(bytes, file, options)
    })
    first.push({ bytes, found })
  }
  const ids = new Set(first.flatMap(({ found }) => found.beatmapIds))
  const { evidence, gap } =
    service === undefined ? notLookedUp : await lookUpIds(service, [...ids], context)
  const read: ReadFile[] = []
  for (const { bytes, found } of first) {
    const isKnown = found.beatmapIds.some((id) => evidence.has(id))
    const again = () => readFileImport(bytes, found.file, { ...options, evidence })
    read.push({ bytes, found: isKnown ? await orUnread(found.file, context, again) : found })
  }
  const numbered = numberQuestions(read.map(({ found }) => found.questions))
  const answers = await answersFor(numbered, context)
  const answered: FileImport[] = []
  for (const [at, { bytes, found }] of read.entries()) {
    const own = { ...options, evidence, answers: answers[at]! }
    const again = () => readFileImport(bytes, found.file, own)
    const all = found.questions.length === 0 ? found : await orUnread(found.file, context, again)
    answered.push({ ...all, questions: withIds(all, numbered[at]!) })
  }
  const isOpen = answered.some(({ questions }) => openQuestions(questions).length > 0)
  if (!isOpen)
    insistOnBuckets(
      options.mods,
      answered.flatMap(({ pools }) => pools),
    )
  return { files: answered, gap }
}

type ReadFile = { readonly bytes: Uint8Array; readonly found: FileImport }

const notLookedUp = { evidence: new Map() as Evidence, gap: null }

async function orUnread(
  file: string,
  { signal }: CliContext,
  read: () => Promise<FileImport>,
): Promise<FileImport> {
  try {
    return await read()
  } catch (unread) {
    signal.throwIfAborted()
    const nothing = { names: [], unreadLines: [], lines: countLines([]), beatmapIds: [] }
    return { file, pools: [], questions: [], notes: [], ...nothing, unread }
  }
}

/** What an answer has left empty is no longer read, but the numbers of the other questions stay. */
function withIds({ questions }: FileImport, numbered: readonly FileQuestion[]): FileQuestion[] {
  const ids = new Map(numbered.map(({ ownId, id }) => [ownId, id]))
  return questions.map((question) => ({ ...question, id: ids.get(question.ownId) ?? question.id }))
}

/**
 * The pools of a file of any format: its rounds, tabs or collections.
 *
 * @throws FormatError if nothing of it can be read.
 */
export async function readFileImport(
  bytes: Uint8Array,
  file: string,
  { buckets, isAllAccepted = false, ...options }: FileOptions = {},
): Promise<FileImport> {
  const into = { name: '', slots: [], ...(buckets !== undefined && { buckets }) }
  const onGround = await readImportFile(bytes, file, { ...options, into })
  // A pack key brings its own buckets.
  const hasKey = onGround.pools.some(({ packKey }) => packKey !== null)
  const read = hasKey ? await readImportFile(bytes, file, options) : onGround
  const lines = [...read.pools.flatMap((pool) => pool.lines), ...read.others]
  const sources = new Map(
    lines.toReversed().flatMap(({ text, ...line }) => {
      const { question } = 'question' in line ? line : {}
      return question === undefined ? [] : [[question, text] as const]
    }),
  )
  const pools = read.pools.map((pool, at) =>
    filePool(pool, at === 0 ? read.others : [], { shape: read.shape, file, isAllAccepted }),
  )
  const reasons = pools.length > 0 ? [] : refusals(read.others)
  const filled = pools.filter((pool) => isFilled(pool) || pool.isApiRound)
  const questions = read.questions.map((question) => ({
    ...question,
    file,
    ownId: question.id,
    source: sources.get(question.id) ?? '',
  }))
  if (filled.length === 0 && openQuestions(questions).length === 0) {
    throw new FormatError(
      fault('noBeatmapInIt', { reasons: reasons.map((reason) => `\n${reason}`).join('') }),
    )
  }
  const { names, beatmapIds } = read
  const notes = [...read.notes, ...(read.shape.id === 'json' ? ignoredNotes(bytes) : [])]
  const unreadLines = lines.flatMap(({ outcome, text }) =>
    outcome === 'refused' || outcome === 'asked' ? [text] : [],
  )
  return {
    file,
    pools: filled,
    names,
    unreadLines,
    questions,
    notes,
    lines: countLines(lines),
    beatmapIds,
  }
}

const isFilled = ({ round, refused }: FilePool): boolean => round.slots.length + refused.length > 0

function filePool(
  { draft, round, unread, name, packKey, lines, fields, roundFields, isApiRound }: ImportedPool,
  others: readonly ImportedLine[],
  {
    shape,
    file,
    isAllAccepted,
  }: { readonly shape: Shape; readonly file: string; readonly isAllAccepted: boolean },
): FilePool {
  const slots = lines.flatMap((line) => (line.outcome === 'slot' ? [line] : []))
  const planned = lines.flatMap((line) => {
    if (line.outcome !== 'planned') return []
    const isLost = isAllAccepted && line.question !== undefined && isDoubt(line.question)
    return [isLost ? { ...line, refusal: line.refusal ?? DOUBTED } : line]
  })
  return {
    draft: { ...draft, name: draft.name || nameOf(file) },
    round: { ...round, name: round.name || nameOf(file), unread },
    leftOut: planned.flatMap((line) => (line.refusal === undefined ? [slotLabel(line)] : [])),
    isNamed: name !== null || packKey !== null,
    isRound: name !== null && !fileShapes.includes(shape.id),
    fields,
    roundFields,
    isApiRound,
    refused: refusals([...lines, ...others]),
    unfit: planned.flatMap(({ refusal, ...line }) =>
      refusal === undefined ? [] : [refusedLine({ ...line, reason: refusal })],
    ),
    rules: new Map(slots.map((slot) => [slotLabel(slot), rules[slot.rule]])),
  }
}

const DOUBTED =
  '--accept all leaves its beatmap out, as it is doubted. Say by name what is to become of it, such as --accept unknown=a.'

/** Those in which a pool has a name of its own, which is not always that of a round. */
const fileShapes: readonly ShapeId[] = ['json', 'yaml', 'toml', 'bracket', 'collection']

function nameOf(file: string): string {
  return file === '-' ? 'Pool' : fitName(basename(file).replace(/(?<=.)\.[^.]*$/, ''), 'Pool')
}
