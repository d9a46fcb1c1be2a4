import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Round } from '../../../contract/rounds.ts'
import type { Tournament } from '../../../contract/tournaments.ts'
import { decodeText } from '../../../formats/file-content.ts'
import { readRoundJson } from '../../../formats/read-pool-json.ts'
import { foldCode } from '../../../pool/buckets.ts'
import { CliError } from '../../program.ts'
import { describeError, fileError, hasCode } from '../errors.ts'
import { parseJson, readIfThere, writeWhole } from '../files.ts'
import { confirm } from '../input.ts'
import { bytesPrint, count, linesJson, wordLines } from '../pack-text.ts'
import { plain } from '../screen.ts'
import { connectPools, type PoolsService } from '../service.ts'
import { freeName } from '../sync/folder.ts'
import { type CliContext, jsonOption, type UserCommand, yesOption } from '../user-command.ts'
import { compareRounds, draftOf, type RoundDraft, roundJson, roundPrint } from './round-text.ts'
import {
  changesAnything,
  isReordered,
  planRound,
  type RoundPlan,
  saveRounds,
  type SheetPlan,
  sheetText,
} from './save-rounds.ts'

const INDEX = 'tournament.json'

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

function insistOnStaff({ role }: Tournament): void {
  if (role === undefined) throw new CliError('only the staff of a tournament can read its drafts')
}

type Facts = Pick<
  Tournament,
  | 'name'
  | 'shortName'
  | 'description'
  | 'ruleset'
  | 'year'
  | 'rankMin'
  | 'rankMax'
  | 'link'
  | 'visibility'
  | 'announceRounds'
>

const factNames = [
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
] as const satisfies readonly (keyof Facts)[]

type FactValues = { readonly [F in keyof Facts]?: unknown }

/** A file and its round, with the fingerprints of both when they were last equal. */
type PulledRound = {
  readonly file: string
  readonly id: string
  readonly print: string
  readonly round: string
}

/** The content of `tournament.json`. */
type Index = FactValues & {
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

const factsOf = (from: FactValues): FactValues =>
  Object.fromEntries(
    factNames.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])),
  )

/** null if there is none; throws if it is damaged, or of another tournament. */
async function readIndex(
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

function writeIndex(folder: string, index: Index): Promise<void> {
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

const readDraft = (bytes: Buffer): RoundDraft => {
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

export const pushCommand: UserCommand = {
  details: `Show what differs between the folder DIR, which pull has written, and its tournament, and send what you have
changed after confirmation: rounds, their order, and what is set in ${INDEX}. For a new round, write a file
and add its name to "rounds" in ${INDEX}.

Nothing is overwritten: what was changed on the service since the last pull is reported, and if you have changed
it, too, it is left alone and the exit status is 3. Pull to get the other's changes. Rounds go in one request,
all or none; only more than 16 KB go round by round. If it fails in between, it says what was sent.`,
  options: [
    { name: 'delete', about: `delete rounds whose files are no longer in ${INDEX}` },
    { name: 'dry-run', about: 'show what would be sent' },
    yesOption,
    jsonOption,
  ],
  words: ['DIR'],
  examples: ['mapcrate tournament push hlc', 'mapcrate tournament push hlc --dry-run'],
  async run(context) {
    const { words, options, screen } = context
    const [folder = ''] = words
    const index = await readIndex(folder, null)
    if (index === null) {
      throw new CliError(`there is no ${INDEX} in ${folder}; run mapcrate tournament pull first`)
    }
    const files = await readFiles(folder, index)
    const service = await connectPools(context)
    if (service.site !== index.pulled.site) {
      throw new CliError(
        `${folder} is of ${index.pulled.site}, and you are logged in to ${service.site}`,
      )
    }
    const { slug } = index.pulled
    const { data: tournament, etag } = await service.client.getTournament(slug).withResponse()
    insistOnStaff(tournament)
    const push = planPush(index, files, tournament, etag ?? '', options.has('delete'))
    show(push, context)
    const isWork = push.patch.size > 0 || changesAnything(push.plan)
    if (!isWork && push.open.length === 0) screen.note('Nothing is to be sent.')
    if (isWork && !options.has('dry-run')) {
      if (!options.has('yes') && !(await confirm('Send this?', context))) {
        throw new CliError('nothing was sent')
      }
      await send(service, push, context)
    }
    if (!options.has('dry-run')) await noteSent(folder, index, files, service)
    if (push.open.length > 0) {
      throw new CliError(`${count(push.open.length, 'thing')} left alone, see above`, 'partial')
    }
  },
}

type RoundFile = { readonly name: string; readonly bytes: Buffer; readonly draft: RoundDraft }

/** All files, or an error that names what cannot be read: nothing is sent of a folder that is not whole. */
async function readFiles(folder: string, { rounds }: Index): Promise<readonly RoundFile[]> {
  const files: RoundFile[] = []
  const problems: string[] = []
  for (const name of rounds) {
    try {
      const bytes = await readIfThere(join(folder, name))
      if (bytes === null) throw new CliError(`there is no such file; remove it from ${INDEX}`)
      files.push({ name, bytes, draft: readDraft(bytes) })
    } catch (error) {
      problems.push(`${name}: ${describeError(error)}`)
    }
  }
  const names = files.map(({ draft }) => foldCode(draft.name.trim()))
  const twice = files.find((_, at) => names.indexOf(names[at] ?? '') !== at)
  if (twice !== undefined) problems.push(`${twice.name}: another file has this name of a round`)
  if (problems.length > 0) throw new CliError(`nothing was sent: ${problems.join('\n')}`)
  return files
}

type Push = {
  readonly plan: SheetPlan
  readonly patch: ReadonlyMap<string, { readonly from: unknown; readonly to: unknown }>
  /** What the user has to decide. */
  readonly open: readonly string[]
  /** What was changed on the service alone. */
  readonly news: readonly string[]
}

function planPush(
  index: Index,
  files: readonly RoundFile[],
  tournament: Tournament,
  etag: string,
  deletes: boolean,
): Push {
  const [open, news]: [string[], string[]] = [[], []]
  const left = new Map(tournament.rounds.map((round) => [round.id, round]))
  const pulledAs = new Map(index.pulled.rounds.map((each) => [each.file, each]))
  const local = files.flatMap(({ name, bytes, draft }): RoundPlan[] => {
    const known = pulledAs.get(name)
    const round = known && left.get(known.id)
    if (known !== undefined && round === undefined) {
      open.push(`${name}: its round was removed on the service; take it out of ${INDEX}`)
      return []
    }
    if (known === undefined || round === undefined) {
      const fold = foldCode(draft.name.trim())
      const namesake = tournament.rounds.find((each) => foldCode(each.name) === fold)
      if (namesake === undefined) return [planRound(null, draft)]
      open.push(`${name}: there is a round ${namesake.name} already; pull first`)
      return []
    }
    left.delete(round.id)
    const own = planRound(round, draft)
    const isOwn = bytesPrint(bytes) !== known.print && own.changes.length > 0
    const isTheirs = roundPrint(round) !== known.round
    if (isOwn && !isTheirs) return [own]
    if (isOwn) open.push(`${name}: it and its round have both changed; pull first, or undo yours`)
    else if (isTheirs && own.changes.length > 0) news.push(name)
    return [planRound(round, draftOf(round))]
  })
  const known = new Map(index.pulled.rounds.map((each) => [each.id, each]))
  const removed: Round[] = []
  for (const round of left.values()) {
    const pulled = known.get(round.id)
    if (pulled === undefined) news.push(round.name)
    else if (!deletes)
      open.push(`${pulled.file}: it is not in ${INDEX}; --delete removes its round`)
    else if (roundPrint(round) !== pulled.round) {
      open.push(`${pulled.file}: its round has changed; pull before you delete it`)
    } else removed.push(round)
  }
  const gone = new Set(removed)
  const others = [...left.values()].filter((round) => !gone.has(round))
  const rounds = arrange(index, tournament, local, others)
  return {
    plan: { tournament, etag, rounds, removed },
    patch: planPatch(index, tournament, open),
    open,
    news,
  }
}

/** The rounds in the order of the folder if that was changed; otherwise in the order of the service. */
function arrange(
  { rounds: order, pulled }: Index,
  tournament: Tournament,
  local: readonly RoundPlan[],
  others: readonly Round[],
): RoundPlan[] {
  const rest = others.map((round) => planRound(round, draftOf(round)))
  const known = pulled.rounds.map(({ file }) => file)
  const kept = known.filter((name) => order.includes(name))
  if (order.slice(0, kept.length).join('\n') !== kept.join('\n')) return [...local, ...rest]
  const rankOf = ({ before }: RoundPlan): number => {
    const at = tournament.rounds.findIndex(({ id }) => id === before?.id)
    return at < 0 ? tournament.rounds.length : at
  }
  return [...local, ...rest].toSorted((a, b) => rankOf(a) - rankOf(b))
}

function planPatch(index: Index, tournament: Tournament, open: string[]): Push['patch'] {
  const patch = new Map<string, { readonly from: unknown; readonly to: unknown }>()
  for (const name of factNames) {
    const [own, base, theirs] = [index[name], index.pulled.facts[name], tournament[name]]
    if (own === base || own === theirs) continue
    if (base !== theirs) open.push(`${INDEX}: ${name} was changed on the service, too; pull first`)
    else patch.set(name, { from: theirs, to: own })
  }
  return patch
}

function show({ plan, patch, open, news }: Push, context: CliContext): void {
  const { options, screen } = context
  if (options.has('json')) {
    const rounds = plan.rounds.filter(
      ({ before, changes }) => before === null || changes.length > 0,
    )
    return screen.json({
      tournament: Object.fromEntries([...patch].map(([name, { to }]) => [name, to ?? null])),
      rounds: rounds.map(({ after, changes }) => ({ name: after.name, changes })),
      removed: plan.removed.map(({ name }) => name),
      reordered: isReordered(plan),
      conflicts: open,
      news,
    })
  }
  const text = (value: unknown) =>
    value === undefined || typeof value === 'string' ? (value ?? null) : JSON.stringify(value)
  const facts = [...patch].map(([what, { from, to }]) => ({ what, from: text(from), to: text(to) }))
  const parts = [wordLines(facts, screen.paint), sheetText(plan, context)]
  screen.out(parts.filter((part) => part !== '').join('\n'))
  for (const each of news) screen.note(`${plain(each)} was changed on the service; pull to get it.`)
  for (const each of open) screen.note(plain(each))
}

async function send(
  { client }: PoolsService,
  { plan, patch }: Push,
  context: CliContext,
): Promise<void> {
  const { slug } = plan.tournament
  let etag = plan.etag
  if (patch.size > 0) {
    const body = Object.fromEntries([...patch].map(([name, { to }]) => [name, to ?? null]))
    const change = client.updateTournament(slug, body, { ifMatch: etag })
    const answer = await change.withResponse().catch((error: unknown) => {
      if (!hasCode(error, 'precondition_failed')) throw error
      throw new CliError(
        'the tournament was changed by somebody else at the same moment, so nothing was sent; push again',
      )
    })
    etag = answer.etag ?? etag
    if (changesAnything(plan)) context.screen.note(`Sent: ${[...patch.keys()].join(', ')}.`)
  }
  await saveRounds(client, { ...plan, etag }, context)
  context.screen.note('Sent.')
}

/** Stores what is equal on both sides now. */
async function noteSent(
  folder: string,
  index: Index,
  files: readonly RoundFile[],
  { client }: PoolsService,
): Promise<void> {
  const { data: tournament, etag } = await client.getTournament(index.pulled.slug).withResponse()
  const byFile = new Map(index.pulled.rounds.map((each) => [each.file, each]))
  const rounds = files.flatMap(({ name, bytes, draft }): PulledRound[] => {
    const known = byFile.get(name)
    const round = tournament.rounds.find((each) =>
      known === undefined ? each.name === draft.name.trim() : each.id === known.id,
    )
    if (round === undefined || compareRounds(round, draft).length > 0) return known ? [known] : []
    return [{ file: name, id: round.id, print: bytesPrint(bytes), round: roundPrint(round) }]
  })
  const ids = new Set(tournament.rounds.map(({ id }) => id))
  const listed = new Set(files.map(({ name }) => name))
  const unlisted = index.pulled.rounds.filter(({ file, id }) => !listed.has(file) && ids.has(id))
  const isSame = (name: keyof Facts) => index[name] === tournament[name]
  const base = (name: keyof Facts) => (isSame(name) ? tournament[name] : index.pulled.facts[name])
  const facts = factsOf(Object.fromEntries(factNames.map((name) => [name, base(name)])))
  await writeIndex(folder, {
    ...index,
    pulled: { ...index.pulled, etag: etag ?? '', facts, rounds: [...rounds, ...unlisted] },
  })
}
