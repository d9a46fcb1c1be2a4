import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Round } from '../../../contract/rounds.ts'
import type { Tournament, TournamentField } from '../../../contract/tournaments.ts'
import { decodeText } from '../../../formats/file-content.ts'
import { readRoundJson } from '../../../formats/read-pool-json.ts'
import { foldName } from '../../../pool/slots.ts'
import { CliError } from '../../program.ts'
import { fileError } from '../errors.ts'
import { freeName, makeFolder, readIfThere, writeWhole } from '../files.ts'
import { count } from '../pack-text.ts'
import { plain } from '../screen.ts'
import { connectPools } from '../service.ts'
import { jsonOption, type UserCommand } from '../user-command.ts'
import { factNames } from './facts.ts'
import {
  type FactValues,
  factsOf,
  goneAfter,
  INDEX,
  type Index,
  type PulledRound,
  readIndex,
  writeIndex,
} from './folder-index.ts'
import { mergeRound, rebaseRound, sidesText } from './merge-rounds.ts'
import { draftedPart, isLimited } from './read-round.ts'
import { compareRounds, draftOf, insistOnStaff, type RoundDraft, roundJson } from './round-text.ts'

export const pullCommand: UserCommand = {
  details: `Write the drafts of a tournament to the folder DIR: a JSON file for each round, which push reads, and
${INDEX} with what is set of the tournament, the order of its rounds, and what push needs to know of this
state; who is limited to some rounds gets these alone. Pull again to get what has changed: it is merged with what you
have changed in the files, slot by slot. What has changed on both sides, each in its own way, stays as it is in the file;
it is named, and the exit status is 3. Then change the file, or say push --force for yours or pull --force for the
others'. No file is deleted: that of a round that was removed is the round's again when it is restored.`,
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
    const found = await readIndex(folder, { site: service.site, slug })
    const before = found?.index ?? null
    const { data, etag } = await service.client.getTournament(slug).withResponse()
    insistOnStaff(data)
    const { own: tournament, others } = draftedPart(data)
    await makeFolder(folder).catch((error: unknown) => {
      throw fileError(error, 'written', folder)
    })
    const isForced = options.has('force')
    const { files, kept, conflicts } = await writeRounds(folder, tournament, before, isForced)
    const facts = mergeFacts(before, tournament, isForced)
    const order = orderAfterPull(before, files, isForced)
    const pulled = {
      site: service.site,
      slug,
      etag: etag ?? '',
      facts: facts.base,
      rounds: files,
      gone: goneAfter(before, files),
    }
    await writeIndex(folder, { ...facts.own, rounds: order, pulled }, found)
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
  const { rounds: pulled = [], gone = [] } = index?.pulled ?? {}
  for (const round of tournament.rounds) {
    const { id } = round
    const known = [...pulled, ...gone].find((each) => each.id === id) ?? news(round)
    const name = known?.file ?? freeName({ name: round.name, slug: id }, taken)
    taken.push(name)
    const file = join(folder, name)
    const old = known === undefined ? null : await readIfThere(file)
    const write = (draft: RoundDraft) =>
      writeWhole(file, roundJson(draft), { existing: old ?? 'refuse' })
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
  const removed = pulled.filter(({ id }) => !ids.has(id))
  const why = isLimited(tournament) ? REMOVED_OR_NOT_YOURS : 'was removed on the service'
  return { files, kept, conflicts: [...conflicts, ...(await goneTexts(folder, removed, why))] }
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
    if (draft) drafts.set(foldName(draft.name), file)
  }
  return (round: Round): PulledRound | undefined => {
    const file = drafts.get(foldName(round.name))
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

export const factConflict = (name: TournamentField, own: FactValues, theirs: FactValues): string =>
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
