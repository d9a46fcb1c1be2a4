import { createHash } from 'node:crypto'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { MapcrateError } from '../../client/errors.ts'
import type { PacksClient } from '../../client/packs.ts'
import { newIdempotencyKey } from '../../client/request.ts'
import type { Pack } from '../../contract/packs.ts'
import { CliError } from '../program.ts'
import { readInput } from './input.ts'
import { count, packPrint, savedLine, slotTable } from './pack-text.ts'
import {
  nameOption,
  packInput,
  type PackToSave,
  readPools,
  visibilityOption,
  type PackOptions,
  packOptionsOf,
} from './pool-file.ts'
import { plain, progressBar, withoutKeys } from './screen.ts'
import { connect, credentialsFile } from './service.ts'
import { describeError } from './errors.ts'
import { type Call, jsonOption, type CliContext, type UserCommand } from './user-command.ts'
import { writeWhole } from './write-file.ts'

/** A pack to save, and the file that it comes from. */
type Input = { readonly file: string; readonly input: PackToSave }

/** A pack that a file makes; without `input` when nothing of it can be saved. */
type Planned = {
  readonly file: string
  readonly input?: PackToSave
  readonly refused: readonly string[]
}

const planFile = async (
  file: string,
  wishes: PackOptions,
  around: CliContext,
): Promise<Planned[]> => {
  try {
    const pools = await readPools(await readInput(file, around), file)
    return pools.map((pool) => planPool(file, pool, wishes))
  } catch (error) {
    around.signal.throwIfAborted()
    return [{ file, refused: [describeError(error)] }]
  }
}

const planPool = (
  file: string,
  pool: Awaited<ReturnType<typeof readPools>>[number],
  wishes: PackOptions,
): Planned => {
  try {
    return { file, input: packInput(pool, wishes), refused: pool.refused }
  } catch (error) {
    // Of a pool without a slot, why each was refused says more than that there is none.
    return { file, refused: pool.refused.length > 0 ? pool.refused : [describeError(error)] }
  }
}

const tellRefused = ({ file, refused }: Planned, { screen }: CliContext): void => {
  for (const reason of refused) screen.note(`${plain(file)}: ${plain(reason)}`)
}

const reasonsOf = ({ file, refused }: Planned) =>
  refused.map((reason) => ({ file, reason: withoutKeys(reason) }))

const showPlan = (inputs: readonly PackToSave[], { screen }: CliContext): void => {
  for (const input of inputs) {
    screen.out(`${screen.paint.bold(plain(input.name))}  ${input.visibility}\n`)
    screen.out(`${slotTable(input, screen.paint)}\n`)
  }
}

/** What has become of the packs of an import so far. */
type Progress = {
  readonly packs: Pack[]
  /** Those that the service refused, with the reason. */
  readonly refused: Planned[]
  /** In the order in which they are saved. */
  readonly left: Input[]
}

/** Saves one after the other. What an import that was interrupted has saved is not saved again. */
const saveAll = async (
  { packs, refused, left }: Progress,
  call: Call,
  around: CliContext,
): Promise<void> => {
  const { screen } = around
  const { client, site, account } = await connect(around)
  const journal = new ImportJournal(around, account)
  const all = left.length
  for (let [next] = left; next !== undefined; [next] = left) {
    const { file, input } = next
    if (all > 1) screen.status(progressBar(all - left.length, all, plain(input.name)))
    try {
      const { pack, isNew } = await saveOnce(client, journal, input)
      packs.push(pack)
      const note = isNew ? '' : 'saved before: '
      if (!call.has('json')) screen.out(note + savedLine(site, pack))
    } catch (error) {
      // What is wrong with one pack says nothing about the others.
      if (!(error instanceof MapcrateError) || error.code !== 'bad_request') throw error
      refused.push({ file, refused: [`${plain(input.name)}: ${describeError(error)}`] })
    }
    left.shift()
  }
  screen.clear()
  await journal.forget()
}

const saveOnce = async (
  client: PacksClient,
  journal: ImportJournal,
  input: PackToSave,
): Promise<{ readonly pack: Pack; readonly isNew: boolean }> => {
  const { file, entry } = await journal.begin(input)
  const saved = entry.slug === null ? null : await findPack(client, entry.slug)
  if (saved !== null) return { pack: saved, isNew: false }
  // The pack that was saved is gone again: repeating its creation would only describe it.
  const fresh = entry.slug === null ? entry : await journal.renew(file)
  const pack = await client.createPack(input, { idempotencyKey: fresh.idempotencyKey })
  await journal.saved(file, fresh, pack.slug)
  return { pack, isNew: true }
}

const findPack = async (client: PacksClient, slug: string): Promise<Pack | null> => {
  try {
    return await client.getPack(slug)
  } catch (error) {
    if (error instanceof MapcrateError && error.code === 'not_found') return null
    throw error
  }
}

const MOST_NAMES = 10

/** What is left after an import was interrupted, and how to go on. */
const tellLeft = ({ packs, left }: Progress, { screen }: CliContext): void => {
  screen.clear()
  const names = left.slice(0, MOST_NAMES).map(({ input }) => plain(input.name))
  const more = left.length - names.length
  const list = names.join(', ') + (more > 0 ? ` and ${more} more` : '')
  screen.note(
    `Saved ${packs.length} of ${count(packs.length + left.length, 'pack')}; left: ${list}. Run the same command again to go on; what is saved is not saved twice.`,
  )
}

export const importCommand: UserCommand = {
  name: 'import',
  details: `Saves a new pack for each pool in the files (- is stdin). A file may be a spreadsheet saved as CSV
or copied out of it, lines such as "NM1 129891", links, a bracket.json, an .osdb, the API's JSON, or any
text with a pack key in it: what it is, is seen by its content. Each round of a bracket.json and each
collection of an .osdb is a pack of its own.

What cannot be understood is reported by its line, with the reason; all else is saved, and the exit code
is 3. An import that was interrupted says what it has saved and what is left; run again, it goes on there
and saves nothing twice.`,
  options: [
    nameOption,
    visibilityOption,
    { name: 'dry-run', about: 'show what would be saved, and save nothing' },
    jsonOption,
  ],
  words: ['FILE…'],
  example: 'import semifinals.csv',
  moreExamples: [
    'pbpaste | mapcrate import - --name Semifinals',
    'mapcrate import bracket.json --dry-run',
  ],
  async run(call, around) {
    const { screen } = around
    const wishes = packOptionsOf(call)
    const plans: Planned[] = []
    for (const file of call.words) plans.push(...(await planFile(file, wishes, around)))
    for (const plan of plans) tellRefused(plan, around)
    const left = plans.flatMap(({ file, input }) => (input === undefined ? [] : [{ file, input }]))
    const inputs = left.map(({ input }) => input)
    if (wishes.name !== undefined && inputs.length > 1) {
      throw new CliError(`--name can name one pack, and there are ${inputs.length}`, 'misuse')
    }
    const isDry = call.has('dry-run')
    const progress: Progress = { packs: [], refused: [], left: isDry ? [] : left }
    const refused = (): ReturnType<typeof reasonsOf> =>
      [...plans, ...progress.refused].flatMap(reasonsOf)
    try {
      if (progress.left.length > 0) await saveAll(progress, call, around)
    } catch (error) {
      tellLeft(progress, around)
      throw error
    } finally {
      for (const refusal of progress.refused) tellRefused(refusal, around)
      // What was saved before something failed is reported to programs, too.
      const { packs } = progress
      const done = isDry ? { pools: inputs } : { packs, left: left.map(({ input }) => input.name) }
      if (call.has('json')) screen.json({ ...done, refused: refused() })
      else if (isDry) showPlan(inputs, around)
    }
    if (refused().length === 0) return
    const verb = progress.refused.length > 0 ? 'saved' : 'read'
    const message = `${count(refused().length, 'thing')} could not be ${verb}, see above`
    const isInPart = (isDry ? inputs : progress.packs).length > 0
    throw isInPart ? new CliError(message, 'in part') : new CliError(message)
  },
}

/** One pack of an import. */
type JournalEntry = {
  /** Names the creation, so that sending it again makes no second pack. */
  readonly idempotencyKey: string
  /** The pack, once it is known to be saved. */
  readonly slug: string | null
  /** When it was first sent, milliseconds since 1970. */
  readonly at: number
}

const HOUR_MS = 3_600_000
/** The service knows the name of a creation for a day. */
const SENT_KEPT_MS = 23 * HOUR_MS
const SAVED_KEPT_MS = 7 * 24 * HOUR_MS

/**
 * What an import has saved, on disk until all of it is saved, so that an import that was interrupted
 * saves nothing twice when it is run again. Where it cannot be written, imports work without it.
 */
class ImportJournal {
  readonly #folder: string
  readonly #account: string
  readonly #now: () => number
  /** How often each pool was met: two that are equal are two packs. */
  readonly #met = new Map<string, number>()
  readonly #files = new Set<string>()

  /** @param account as `Service` has it. */
  constructor(around: CliContext, account: string) {
    this.#folder = join(dirname(credentialsFile(around)), 'imports')
    this.#account = account
    this.#now = around.now
  }

  /** The entry of a pool: the one of an import that was interrupted, or a new one, which is kept at once. */
  async begin(input: PackToSave): Promise<{ readonly file: string; readonly entry: JournalEntry }> {
    const print = packPrint(input)
    const nth = this.#met.get(print) ?? 0
    this.#met.set(print, nth + 1)
    const name = createHash('sha256').update(JSON.stringify([this.#account, print, nth]))
    const file = join(this.#folder, `${name.digest('hex').slice(0, 32)}.json`)
    this.#files.add(file)
    return { file, entry: (await this.#read(file)) ?? (await this.renew(file)) }
  }

  /** A new entry in place of another. */
  async renew(file: string): Promise<JournalEntry> {
    const entry = { idempotencyKey: newIdempotencyKey(), slug: null, at: this.#now() }
    await this.#write(file, entry)
    return entry
  }

  /** Notes that the pack is saved. */
  saved(file: string, entry: JournalEntry, slug: string): Promise<void> {
    return this.#write(file, { ...entry, slug })
  }

  /** The import is done: running it again makes new packs. */
  async forget(): Promise<void> {
    for (const file of this.#files) await rm(file, { force: true }).catch(() => {})
  }

  async #read(file: string): Promise<JournalEntry | null> {
    try {
      const entry = JSON.parse(await readFile(file, 'utf8')) as JournalEntry
      const kept = entry.slug === null ? SENT_KEPT_MS : SAVED_KEPT_MS
      return this.#now() - entry.at < kept ? entry : null
    } catch {
      return null
    }
  }

  async #write(file: string, entry: JournalEntry): Promise<void> {
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      await writeWhole(file, `${JSON.stringify(entry)}\n`, { onlyMode: 0o600 })
    } catch {
      // Importing goes before being able to go on with an import.
    }
  }
}
