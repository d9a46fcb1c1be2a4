import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Round } from '../../../contract/rounds.ts'
import type { Tournament } from '../../../contract/tournaments.ts'
import { decodeText } from '../../../formats/file-content.ts'
import { readRoundJson } from '../../../formats/read-pool-json.ts'
import { foldCode } from '../../../pool/slots.ts'
import { CliError } from '../../program.ts'
import { fileError } from '../errors.ts'
import { parseJson, readIfThere, writeWhole } from '../files.ts'
import { count, linesJson } from '../pack-text.ts'
import { plain } from '../screen.ts'
import { connectPools } from '../service.ts'
import { freeName } from '../sync/folder.ts'
import { jsonOption, type UserCommand } from '../user-command.ts'
import { mergeRound, rebaseRound, sidesText } from './merge-rounds.ts'
import { draftedPart, isLimited } from './read-round.ts'
import { compareRounds, draftOf, type RoundDraft, roundJson } from './round-text.ts'

export const INDEX = 'tournament.json'

export const pullCommand: UserCommand = {
  details: `Write the drafts of a tournament to the folder DIR: a JSON file for each round, which push reads, and
${INDEX} with what is set of the tournament, the order of its rounds, and what push needs to know of this
state; who is limited to some rounds gets these alone. Pull again to get what has changed: it is merged with what you
have changed in the files, slot by slot. What has changed on both sides, each in its own way, stays as it is in the file;
it is named, and the exit status is 3. Then change the file, or say push --force for yours or pull --force for the
others'. No file is deleted.`,
  options: [
    { name: 'force', about: 'overwrite your own changes, those that are not in conflict, too' },
    jsonOption,
  ],
  words: ['SLUG', 'DIR'],
  examples: ['mapcrate tournament pull dG91cm5hbW hlc'],
  async run(context) {
    const { words, options, screen } = context
    const [, folder = ''] = words
    const service = await connectPools(context)
    const slug = service.slug()
    const before = await readIndex(folder, { site: service.site, slug })
    const { data, etag } = await service.client.getTournament(slug).withResponse()
    insistOnStaff(data)
    const { own: tournament, others } = draftedPart(data)
    await mkdir(folder, { recursive: true }).catch((error: unknown) => {
      throw fileError(error, 'written', folder)
    })
    const isForced = options.has('force')
    const { files, kept, conflicts } = await writeRounds(folder, tournament, before, isForced)
    const facts = mergeFacts(before, tournament, isForced)
    const order = orderAfterPull(before, files, isForced)
    await writeIndex(folder, {
      ...facts.own,
      rounds: order,
      pulled: { site: service.site, slug, etag: etag ?? '', facts: facts.base, rounds: files },
    })
    const open = [...facts.conflicts, ...conflicts]
    const leftOut = others.map(({ name }) => name)
    if (options.has('json')) screen.json({ files: order, kept, leftOut, conflicts: open })
    else screen.out(`${folder}: ${count(files.length, 'round')} of ${plain(tournament.name)}\n`)
    if (leftOut.length > 0) {
      screen.note(`You are limited to some rounds; left out: ${plain(leftOut.join(', '))}.`)
    }
    for (const name of kept) screen.note(`${plain(name)} has changes that are not pushed; kept`)
    for (const each of open) screen.note(plain(each))
    if (open.length > 0) {
      throw new CliError(`${count(open.length, 'thing')} left alone, see above`, 'partial')
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

/** A file and its round. */
export type PulledRound = {
  readonly file: string
  readonly id: string
  /** What both were when they were last equal, part by part; null or left out if that is not known. */
  readonly draft?: RoundDraft | null
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
  /** Files that have changes of their own. */
  readonly kept: readonly string[]
  /** What has changed on both sides, in words. */
  readonly conflicts: readonly string[]
}

async function writeRounds(
  folder: string,
  tournament: Tournament,
  index: Index | null,
  isForced: boolean,
): Promise<Wrote> {
  const taken = [INDEX, ...(await readdir(folder)), ...(index?.rounds ?? [])]
  const files: PulledRound[] = []
  const [kept, conflicts]: [string[], string[]] = [[], []]
  const news = await newFiles(folder, index)
  for (const round of tournament.rounds) {
    const { id } = round
    const known = index?.pulled.rounds.find((each) => each.id === id) ?? news(round)
    const name = known?.file ?? freeName({ name: round.name, slug: id }, taken)
    taken.push(name)
    const file = join(folder, name)
    const old = known === undefined ? null : await readIfThere(file)
    const write = (draft: RoundDraft) =>
      writeWhole(file, roundJson(draft), { existing: known ? 'replace' : 'refuse' })
    if (old === null || isForced) {
      if (old === null || !isRound(old, round)) await write(round)
      files.push({ file: name, id, draft: draftOf(round) })
      continue
    }
    const own = draftIn(old)
    if (own === null) {
      conflicts.push(`${name} cannot be read, and was kept; --force overwrites it`)
      files.push({ file: name, id, draft: known?.draft ?? null })
      continue
    }
    const base = known?.draft ?? null
    const merged = mergeRound(base, own, round)
    if (compareRounds(own, merged.kept).length > 0) await write(merged.kept)
    conflicts.push(...merged.conflicts.map((words) => `${name}: ${words}`))
    const isAhead = compareRounds(round, merged.kept).length > 0
    if (isAhead && merged.conflicts.length === 0) kept.push(name)
    files.push({ file: name, id, draft: rebaseRound(base, merged.kept, round) })
  }
  const ids = new Set(tournament.rounds.map(({ id }) => id))
  const gone = index?.pulled.rounds.filter(({ id }) => !ids.has(id)) ?? []
  const why = isLimited(tournament) ? REMOVED_OR_NOT_YOURS : 'was removed on the service'
  return { files, kept, conflicts: [...conflicts, ...(await goneTexts(folder, gone, why))] }
}

/** Who is limited to rounds cannot know which. */
export const REMOVED_OR_NOT_YOURS = 'was removed, or you do not draft it any more'

/** Of rounds that are gone, the files with changes of one's own, which stay where they are. */
async function goneTexts(
  folder: string,
  gone: readonly PulledRound[],
  why: string,
): Promise<string[]> {
  const texts: string[] = []
  for (const { file, draft } of gone) {
    const bytes = await readIfThere(join(folder, file), ['ENOENT'])
    const own = bytes && draftIn(bytes)
    if (own && (!draft || compareRounds(draft, own).length > 0)) {
      texts.push(
        `${file}: its round ${why}, and you have changed it; the file is kept, but no longer in ${INDEX}`,
      )
    }
  }
  return texts
}

/** Finds the file that somebody has written for a new round, by the round's name: the service may have one meanwhile. */
async function newFiles(folder: string, index: Index | null) {
  const known = new Set(index?.pulled.rounds.map(({ file }) => file))
  const drafts = new Map<string, string>()
  for (const file of index?.rounds ?? []) {
    const bytes = known.has(file) ? null : await readIfThere(join(folder, file), ['ENOENT'])
    const draft = bytes && draftIn(bytes)
    if (draft) drafts.set(foldCode(draft.name.trim()), file)
  }
  return (round: Round): PulledRound | undefined => {
    const file = drafts.get(foldCode(round.name))
    return file === undefined ? undefined : { file, id: round.id, draft: newBase(round) }
  }
}

/** What a new file and a new round of one name have in common at first. */
export const newBase = ({ name }: Pick<Round, 'name'>): RoundDraft => ({ name, slots: [] })

function draftIn(bytes: Buffer): RoundDraft | null {
  try {
    return readDraft(bytes)
  } catch {
    return null
  }
}

/** Whether a file holds what the round is. */
function isRound(bytes: Buffer, round: Round): boolean {
  const draft = draftIn(bytes)
  return draft !== null && compareRounds(round, draft).length === 0
}

export const readDraft = (bytes: Buffer): RoundDraft => {
  const { slots = [], ...round } = readRoundJson(decodeText(bytes))
  return draftOf({ ...round, slots })
}

type MergedFacts = {
  readonly own: FactValues
  readonly base: FactValues
  /** What has changed on both sides, in words. */
  readonly conflicts: readonly string[]
}

/** Own changes of facts stay, and so does what they were changed from. */
function mergeFacts(index: Index | null, tournament: Tournament, isForced: boolean): MergedFacts {
  const now = factsOf(tournament)
  if (index === null || isForced) return { own: now, base: now, conflicts: [] }
  const { facts } = index.pulled
  const changed = factNames.filter(
    (name) => index[name] !== facts[name] && index[name] !== now[name],
  )
  const withOwn = (from: FactValues) =>
    factsOf({ ...now, ...Object.fromEntries(changed.map((name) => [name, from[name]])) })
  const conflicts = changed.filter((name) => facts[name] !== now[name])
  return {
    own: withOwn(index),
    base: withOwn(facts),
    conflicts: conflicts.map((name) => factConflict(name, index, tournament)),
  }
}

export const factConflict = (name: FactName, own: FactValues, theirs: FactValues): string =>
  `${INDEX}: ${sidesText(name, factText(own[name]), factText(theirs[name]))}`

export const factText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? 'none' : JSON.stringify(value)

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
