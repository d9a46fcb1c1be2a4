import { join } from 'node:path'
import type { Round } from '../../../contract/rounds.ts'
import type { Tournament } from '../../../contract/tournaments.ts'
import { foldCode } from '../../../pool/slots.ts'
import { CliError } from '../../program.ts'
import { describeError, hasCode } from '../errors.ts'
import { readIfThere } from '../files.ts'
import { insistOnConsent } from '../input.ts'
import { bytesPrint, count, wordLines } from '../pack-text.ts'
import { plain } from '../screen.ts'
import { connectPools, type PoolsService } from '../service.ts'
import { type CliContext, jsonOption, type UserCommand, yesOption } from '../user-command.ts'
import {
  factNames,
  type FactName,
  factsOf,
  type Index,
  INDEX,
  insistOnStaff,
  type PulledRound,
  readDraft,
  readIndex,
  writeIndex,
} from './folder.ts'
import { compareRounds, draftOf, type RoundDraft, roundPrint } from './round-text.ts'
import {
  changesAnything,
  isReordered,
  planRound,
  type RoundPlan,
  saveRounds,
  type SheetPlan,
  sheetText,
} from './save-rounds.ts'

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
      await insistOnConsent('Send this?', 'nothing was sent', context)
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
  const isSame = (name: FactName) => index[name] === tournament[name]
  const base = (name: FactName) => (isSame(name) ? tournament[name] : index.pulled.facts[name])
  const facts = factsOf(Object.fromEntries(factNames.map((name) => [name, base(name)])))
  await writeIndex(folder, {
    ...index,
    pulled: { ...index.pulled, etag: etag ?? '', facts, rounds: [...rounds, ...unlisted] },
  })
}
