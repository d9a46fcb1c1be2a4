import type { PacksClient } from '../../client/packs.ts'
import type { Pack } from '../../contract/packs.ts'
import { CliError, usageError } from '../program.ts'
import { describeError, hasCode } from './errors.ts'
import { CreationJournal } from './creation-journal.ts'
import { contentPrint, count, firstOf, type PackToSave, savedLine, slotTable } from './pack-text.ts'
import { slotLabel } from '../../pool/slots.ts'
import { modsOption } from './bucket-mods.ts'
import {
  packInput,
  leftOutNotes,
  nameOption,
  partText,
  sheetOption,
  shownRefusals,
  visibilityOption,
} from './file-text.ts'
import { type FileImport, type FilePool, readFileImports } from './pool-file.ts'
import {
  acceptOption,
  noteHalves,
  noteOpen,
  openQuestions,
  partialOption,
  questionJson,
  refuseOpen,
  unanswered,
} from './questions.ts'
import { plain, progressBar, withoutKeys } from './screen.ts'
import { connect, findPack } from './service.ts'
import { type CliContext, jsonOption, type UserCommand } from './user-command.ts'

type Progress = {
  /** What is left, in the order in which it is saved. */
  readonly left: { readonly file: string; readonly input: PackToSave }[]
  readonly packs: Pack[]
  /** What cannot be read, or what the service refused. */
  readonly refused: { readonly file: string; readonly reason: string }[]
}

export const importCommand: UserCommand = {
  details: `Create a pack for each pool in the files ("-" is stdin). Formats are detected by content: .xlsx, .ods, CSV or
cells copied from one, lists such as "NM1 129891", posts, links, JSON of referee bots and overlays, bracket.json,
.osdb, or text that contains a pack key. Each round or collection in a file becomes a pack, and so
do collections of its buckets together.

Nothing is guessed: where a file can mean several things, its readings are listed, nothing is saved, and the exit
status is 3. Choose readings with --accept, or answer on the terminal. Beatmaps are looked up first, in at most ten
seconds: an id that does not exist, or a beatmap unlike the others, is asked about, too; without a service, a note says
that nothing was looked up. Slots that have no beatmap yet ("TB1 TBA") are left out and named.

Where lines or files cannot be read, the reasons are reported, nothing is saved, and the exit status is 3, or 1 if
nothing at all was read; with --accept-partial, what was read is saved, and the exit status is still 3. To continue an
interrupted import, run the same command again; what it has saved is not saved twice. A finished import that is run
again makes new packs.`,
  options: [
    nameOption,
    visibilityOption,
    sheetOption,
    acceptOption,
    partialOption,
    modsOption,
    { name: 'dry-run', about: 'show what would be saved' },
    { name: 'explain', about: 'with --dry-run, show why each slot is read so' },
    jsonOption,
  ],
  words: ['FILE…'],
  examples: [
    'mapcrate import semifinals.csv',
    'pbpaste | mapcrate import - --name Semifinals',
    'mapcrate import bracket.json --dry-run',
    'mapcrate import pool.txt --accept 1a,2b',
  ],
  async run(context) {
    const { options, screen } = context
    const progress: Progress = { left: [], packs: [], refused: [] }
    const { left, packs, refused } = progress
    const { files, questions, notes, pools } = await readFiles(progress, context)
    const unread = refused.length
    noteHalves(questions, context)
    noteRefused(refused, context)
    for (const note of notes) screen.note(plain(note))
    const inputs = left.map(({ input }) => input)
    if (options.has('name') && inputs.length > 1) {
      throw usageError(`--name can name one pack, and there are ${inputs.length}`)
    }
    const isDry = options.has('dry-run')
    const isPartial = options.has('accept-partial')
    const open = openQuestions(questions)
    const isSaved = isPartial || open.length + unread === 0
    try {
      if (!isDry && isSaved && left.length > 0) await saveAll(progress, context)
    } catch (error) {
      noteLeft(progress, context)
      throw error
    } finally {
      noteRefused(refused.slice(unread), context)
      // Programs get what was saved before a failure, too.
      const done = isDry
        ? { pools: inputs.map((input, at) => withRules(input, pools[at]?.rules)) }
        : { packs, left: left.map(({ input }) => input.name) }
      if (options.has('json'))
        screen.json({
          ...done,
          ...refusalsJson(refused),
          questions: questions.map(questionJson),
          notes,
        })
      else if (isDry) printPlan(inputs, pools, context)
    }
    if (isPartial) noteOpen(questions, context)
    else refuseOpen(questions, 'import', context)
    if (refused.length + open.length === 0) return
    if (inputs.length > 0 && !isSaved) throw new CliError(partText(files, isDry, true), 'partial')
    const verb = refused.length > unread ? 'saved' : 'read'
    const problems = [
      ...(refused.length > 0 ? [`${count(refused.length, 'thing')} could not be ${verb}`] : []),
      ...(open.length > 0 ? [unanswered(open)] : []),
    ]
    const isSome = (isDry ? inputs : packs).length > 0
    throw new CliError(`${problems.join(', ')}, see above`, isSome ? 'partial' : 'failed')
  },
}

/** Reads all files. What cannot be read is added to `refused`. */
async function readFiles(progress: Progress, context: CliContext) {
  const { files, gap } = await readFileImports(context.words, context, { service: 'packs' })
  const pools = files.flatMap((found) => planFile(found, progress, context))
  const notes = files.flatMap((found) =>
    [...found.notes, ...found.pools.flatMap(leftOutNotes)].map((note) => `${found.file}: ${note}`),
  )
  return {
    questions: files.flatMap((found) => found.questions),
    notes: [...notes, ...(gap === null ? [] : [gap])].map(withoutKeys),
    pools,
    files,
  }
}

function planFile(
  { file, pools, unread }: FileImport,
  progress: Progress,
  { options }: CliContext,
): FilePool[] {
  if (unread !== undefined) refuse(file, describeError(unread), progress)
  const isPlanned = pools.every(
    ({ draft, refused, unfit }) => draft.slots.length + refused.length + unfit.length === 0,
  )
  if (isPlanned && pools.length > 0) refuse(file, 'there is no beatmap in it', progress)
  return pools.filter((pool) => {
    const { length } = progress.left
    try {
      progress.left.push({ file, input: packInput(pool, options) })
    } catch (error) {
      // Why each slot was refused says more than that the pool has none.
      if (pool.draft.slots.length > 0) refuse(file, describeError(error), progress)
    }
    for (const reason of [...pool.refused, ...pool.unfit]) refuse(file, reason, progress)
    return progress.left.length > length
  })
}

function withRules(input: PackToSave, rules: FilePool['rules'] = new Map()) {
  return {
    ...input,
    slots: input.slots.map((slot) => ({ ...slot, rule: rules.get(slotLabel(slot)) })),
  }
}

function refuse(file: string, reason: string, { refused }: Progress): void {
  refused.push({ file, reason: withoutKeys(reason) })
}

/** Programs get as many of a kind as people, and how many there are. */
function refusalsJson(refused: Progress['refused']) {
  const { shown, more } = shownRefusals(refused, ({ reason }) => reason)
  return { refused: shown, ...(more.length > 0 && { refusedCount: refused.length }) }
}

function noteRefused(refused: Progress['refused'], { screen }: CliContext): void {
  const { shown, more } = shownRefusals(refused, ({ reason }) => reason)
  for (const { file, reason } of shown) {
    const isNamed = reason.startsWith(`${file} `)
    screen.note(`${isNamed ? '' : `${plain(file)}: `}${plain(reason, '\n')}`)
  }
  for (const each of more) screen.note(plain(each))
}

function printPlan(
  inputs: readonly PackToSave[],
  pools: readonly FilePool[],
  { screen, options }: CliContext,
): void {
  for (const [at, input] of inputs.entries()) {
    screen.out(`${screen.paint.bold(plain(input.name))}  ${input.visibility}\n`)
    screen.out(`${slotTable(input, screen.paint)}\n`)
    if (!options.has('explain')) continue
    const labels = new Map<string, string[]>()
    for (const [label, rule] of pools[at]?.rules ?? []) {
      labels.set(rule, [...(labels.get(rule) ?? []), plain(label)])
    }
    for (const [rule, slots] of labels) screen.out(`${slots.join(', ')}: ${rule}\n`)
  }
}

function noteLeft({ packs, left }: Progress, { screen }: CliContext): void {
  screen.clear()
  const names = firstOf(left.map(({ input }) => plain(input.name)))
  screen.note(
    `Saved ${packs.length} of ${count(packs.length + left.length, 'pack')}; left: ${names}. Run the same command again to go on; what is saved is not saved twice.`,
  )
}

/** Saves one pack after the other, except those that an interrupted import has saved. */
async function saveAll(progress: Progress, context: CliContext): Promise<void> {
  const { packs, left } = progress
  const { options, screen } = context
  const { client, site, account } = await connect(context)
  const journal = new CreationJournal(context, account)
  const all = left.length
  for (let [next] = left; next !== undefined; [next] = left) {
    const { file, input } = next
    if (all > 1) screen.status(progressBar(all - left.length, all, plain(input.name)))
    try {
      const { pack, isNew } = await saveOnce(client, journal, input)
      packs.push(pack)
      const note = isNew ? '' : 'saved before: '
      if (!options.has('json')) screen.out(note + savedLine(site, pack))
    } catch (error) {
      // The others may still be valid.
      if (!hasCode(error, 'bad_request')) throw error
      refuse(file, `${plain(input.name)}: ${describeError(error)}`, progress)
    }
    left.shift()
  }
  screen.clear()
  await journal.delete()
}

async function saveOnce(client: PacksClient, journal: CreationJournal, input: PackToSave) {
  const file = journal.fileOf(contentPrint(input))
  let entry = (await journal.read(file)) ?? (await journal.begin(file))
  if (entry.slug !== null) {
    const saved = await findPack(client, entry.slug)
    if (saved !== null) return { pack: saved, isNew: false }
    // It was deleted since: with the same idempotency key it would not be created again.
    entry = await journal.begin(file)
  }
  const pack = await client.createPack(input, { idempotencyKey: entry.idempotencyKey })
  await journal.write(file, { ...entry, slug: pack.slug })
  return { pack, isNew: true }
}
