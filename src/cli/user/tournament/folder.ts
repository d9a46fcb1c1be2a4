import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Round } from '../../../contract/rounds.ts'
import type { Tournament } from '../../../contract/tournaments.ts'
import { decodeText } from '../../../formats/file-content.ts'
import { readRoundJson } from '../../../formats/read-pool-json.ts'
import { CliError } from '../../program.ts'
import { fileError } from '../errors.ts'
import { parseJson, readIfThere, writeWhole } from '../files.ts'
import { bytesPrint, count, linesJson } from '../pack-text.ts'
import { plain } from '../screen.ts'
import { connectPools } from '../service.ts'
import { freeName } from '../sync/folder.ts'
import { type CliContext, jsonOption, type UserCommand } from '../user-command.ts'
import { compareRounds, draftOf, type RoundDraft, roundJson, roundPrint } from './round-text.ts'

export const INDEX = 'tournament.json'

export const pullCommand: UserCommand = {
  details: `Write the drafts of a tournament to the folder DIR: a JSON file for each round, which push reads, and
${INDEX} with what is set of the tournament, the order of its rounds, and what push needs to know of this
state. Pull again to get what has changed. Files that you have changed since are kept unless --force is given;
if their rounds have changed, too, the exit status is 3. No file is deleted.`,
  options: [{ name: 'force', about: 'overwrite your own changes' }, jsonOption],
  words: ['SLUG', 'DIR'],
  examples: ['mapcrate tournament pull dG91cm5hbW hlc'],
  async run(context) {
    const { words, options, screen } = context
    const [, folder = ''] = words
    const service = await connectPools(context)
    const slug = service.slug()
    const before = await readIndex(folder, { site: service.site, slug })
    const { data: tournament, etag } = await service.client.getTournament(slug).withResponse()
    insistOnStaff(tournament)
    await mkdir(folder, { recursive: true }).catch((error: unknown) => {
      throw fileError(error, 'written', folder)
    })
    const { files, conflicts, kept } = await writeRounds(folder, tournament, before, context)
    const facts = mergeFacts(before, tournament, options.has('force'))
    const order = orderAfterPull(before, files, options.has('force'))
    await writeIndex(folder, {
      ...facts,
      rounds: order,
      pulled: {
        site: service.site,
        slug,
        etag: etag ?? '',
        facts: facts.pulled,
        rounds: files,
      },
    })
    if (options.has('json')) screen.json({ files: order, kept, conflicts })
    else screen.out(`${folder}: ${count(files.length, 'round')} of ${plain(tournament.name)}\n`)
    for (const name of kept) screen.note(`${plain(name)} has changes that are not pushed; kept`)
    for (const name of conflicts) {
      screen.note(`${plain(name)} and its round have both changed; kept. --force overwrites it.`)
    }
    if (conflicts.length > 0) {
      throw new CliError(`${count(conflicts.length, 'file')} left alone, see above`, 'partial')
    }
  },
}

export function insistOnStaff({ role }: Tournament): void {
  if (role === undefined) throw new CliError('only the staff of a tournament can read its drafts')
}

export const factNames = [
  'name',
  'shortName',
  'description',
  'ruleset',
  'year',
  'rankMin',
  'rankMax',
  'link',
  'visibility',
  'announceRounds',
] as const satisfies readonly (keyof Tournament)[]
export type FactName = (typeof factNames)[number]

type FactValues = { readonly [F in FactName]?: unknown }

/** A file and its round, with the fingerprints of both when they were last equal. */
export type PulledRound = {
  readonly file: string
  readonly id: string
  readonly print: string
  readonly round: string
}

/** The content of `tournament.json`. */
export type Index = FactValues & {
  /** The files in the order of their rounds. */
  readonly rounds: readonly string[]
  readonly pulled: {
    readonly site: string
    readonly slug: string
    readonly etag: string
    readonly facts: FactValues
    readonly rounds: readonly PulledRound[]
  }
}

export const factsOf = (from: FactValues): FactValues =>
  Object.fromEntries(
    factNames.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])),
  )

/** null if there is none; throws if it is damaged, or of another tournament. */
export async function readIndex(
  folder: string,
  place: { readonly site: string; readonly slug: string } | null,
): Promise<Index | null> {
  const file = join(folder, INDEX)
  const bytes = await readIfThere(file, ['ENOENT'])
  if (bytes === null) return null
  const index = parseJson(bytes) as Partial<Index> | null
  const { rounds, pulled } = index ?? {}
  const isNames = Array.isArray(rounds) && rounds.every((name) => typeof name === 'string')
  if (!isNames || !Array.isArray(pulled?.rounds) || typeof pulled.facts !== 'object') {
    throw new CliError(
      `${file} is damaged: it must be JSON with "rounds", a list of files, and "pulled" as it was written; pull into another folder`,
    )
  }
  if (place !== null && (pulled.slug !== place.slug || pulled.site !== place.site)) {
    throw new CliError(
      `${folder} holds another tournament (${pulled.slug} of ${pulled.site}); give another folder`,
    )
  }
  return index as Index
}

export function writeIndex(folder: string, index: Index): Promise<void> {
  const { rounds, pulled } = index
  const content = linesJson({ ...factsOf(index), rounds, pulled })
  return writeWhole(join(folder, INDEX), content)
}

type Wrote = {
  readonly files: readonly PulledRound[]
  /** Files that have own changes. */
  readonly kept: readonly string[]
  /** Those of them whose rounds have changed, too. */
  readonly conflicts: readonly string[]
}

async function writeRounds(
  folder: string,
  tournament: Tournament,
  index: Index | null,
  { options }: CliContext,
): Promise<Wrote> {
  const taken = [INDEX, ...(await readdir(folder)), ...(index?.rounds ?? [])]
  const files: PulledRound[] = []
  const [kept, conflicts]: [string[], string[]] = [[], []]
  for (const round of tournament.rounds) {
    const { id } = round
    const known = index?.pulled.rounds.find((each) => each.id === id)
    const name = known?.file ?? freeName({ name: round.name, slug: id }, taken)
    taken.push(name)
    const [file, print] = [join(folder, name), roundPrint(round)]
    const old = known && (await readIfThere(file))
    const isOwn = old && bytesPrint(old) !== known.print && !isRound(old, round)
    if (isOwn && !options.has('force')) {
      const isNew = known.round !== print
      ;(isNew ? conflicts : kept).push(name)
      files.push(known)
      continue
    }
    const content = Buffer.from(roundJson(round))
    if (!old || !isRound(old, round)) {
      await writeWhole(file, content, { existing: known ? 'replace' : 'refuse' })
      files.push({ file: name, id, print: bytesPrint(content), round: print })
    } else files.push({ file: name, id, print: bytesPrint(old), round: print })
  }
  return { files, kept, conflicts }
}

/** Whether a file holds what the round is. */
function isRound(bytes: Buffer, round: Round): boolean {
  try {
    return compareRounds(round, readDraft(bytes)).length === 0
  } catch {
    return false
  }
}

export const readDraft = (bytes: Buffer): RoundDraft => {
  const { slots = [], ...round } = readRoundJson(decodeText(bytes))
  return draftOf({ ...round, slots })
}

/** Own changes of facts stay, and so does what they were changed from. */
function mergeFacts(index: Index | null, tournament: Tournament, isForced: boolean) {
  const now = factsOf(tournament)
  if (index === null || isForced) return { ...now, pulled: now }
  const own = factNames.filter((name) => index[name] !== index.pulled.facts[name])
  const merged = { ...now, ...Object.fromEntries(own.map((name) => [name, index[name]])) }
  const base = {
    ...now,
    ...Object.fromEntries(own.map((name) => [name, index.pulled.facts[name]])),
  }
  return { ...factsOf(merged), pulled: factsOf(base) }
}

/** The order of the service, unless the folder has an order of its own; new files are kept. */
function orderAfterPull(index: Index | null, files: readonly PulledRound[], isForced: boolean) {
  const order = files.map(({ file }) => file)
  if (index === null || isForced) return order
  const { rounds, pulled } = index
  const known = pulled.rounds.map(({ file }) => file)
  const isOwn = rounds.join('\n') !== known.join('\n')
  if (!isOwn) return order
  const left = rounds.filter((name) => order.includes(name) || !known.includes(name))
  return [...left, ...order.filter((name) => !known.includes(name) && !left.includes(name))]
}
