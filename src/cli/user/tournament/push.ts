import { join } from 'node:path'
import type { TournamentField } from '../../../contract/tournaments.ts'
import { decodeText } from '../../../formats/file-content.ts'
import { slotWords } from '../../../pool/round-fields.ts'
import { foldName, slotLabel } from '../../../pool/slots.ts'
import { CliError } from '../../program.ts'
import { describeError, hasCode } from '../errors.ts'
import { anyOf, fieldsOfRound, refuseUnknown, refuseUnknownIn, wrapped } from '../known-fields.ts'
import { readIfThere } from '../files.ts'
import { insistOnConsent } from '../input.ts'
import { count, wordLines } from '../pack-text.ts'
import { plain } from '../screen.ts'
import { connectPools, type PoolsService } from '../service.ts'
import { type CliContext, jsonOption, type UserCommand, yesOption } from '../user-command.ts'
import { factText, readDraft } from './folder.ts'
import { factNames } from './facts.ts'
import {
  factsOf,
  type Index,
  INDEX,
  type PulledRound,
  readIndex,
  writeIndex,
  goneAfter,
} from './folder-index.ts'
import { rebaseRound } from './merge-rounds.ts'
import { draftedPart } from './read-round.ts'
import { baseOf, isWork, type Push, readPush, type RoundFile, roundOf } from './push-plan.ts'
import {
  changesAnything,
  isChanged,
  isReordered,
  type Left,
  saveRounds,
  type SheetPlan,
} from './save-rounds.ts'

export const pushCommand: UserCommand = {
  details: `Show what you have changed in the folder DIR, which pull has written, and send it to its tournament after
confirmation: rounds, their order, and what is set in ${INDEX}. For a new round, write a file and add its name to
"rounds" in ${INDEX}.

Nothing is overwritten: what was changed on the service since the last pull stays, slot by slot, and pull brings it. What
has changed on both sides, each in its own way, is named and left alone, and all else is sent; the exit status is 3. Then
change the file, or say push --force for yours or pull --force for the others'.`,
  options: [
    { name: 'delete', about: `delete rounds whose files are no longer in ${INDEX}` },
    { name: 'force', about: 'send your own where both sides have changed' },
    { name: 'dry-run', about: 'show what would be sent' },
    yesOption,
    jsonOption,
  ],
  words: ['DIR'],
  examples: ['mapcrate tournament push hlc', 'mapcrate tournament push hlc --dry-run'],
  async run(context) {
    const { words, options, screen } = context
    const [folder = ''] = words
    const found = await readIndex(folder, null)
    if (found === null) {
      throw new CliError(`there is no ${INDEX} in ${folder}; run mapcrate tournament pull first`)
    }
    const { index } = found
    const files = await readFiles(folder, index)
    const service = await connectPools(context)
    if (service.site !== index.pulled.site) {
      throw new CliError(
        `${folder} is of ${index.pulled.site}, and you are logged in to ${service.site}`,
      )
    }
    const push = await readPush(service, index, files, context)
    show(push, context)
    const isDry = options.has('dry-run')
    if (!isWork(push) && push.open.length === 0) screen.note('Nothing is to be sent.')
    let left = push.open
    if (isWork(push) && !isDry) {
      await insistOnConsent('Send this?', 'nothing was sent', context)
      left = await send(service, push, index, files, context)
    }
    if (!isDry) await noteSent(folder, index, files, service)
    if (left.length > 0) {
      throw new CliError(`${count(left.length, 'thing')} left alone, see above`, 'partial')
    }
  },
}

/** All files, or an error that names what cannot be read: nothing is sent of a folder that is not whole. */
async function readFiles(folder: string, index: Index): Promise<readonly RoundFile[]> {
  const files: RoundFile[] = []
  const problems: string[] = []
  const orError = async (name: string, read: () => void | Promise<void>): Promise<void> => {
    try {
      await read()
    } catch (error) {
      problems.push(`${name}: ${describeError(error)}`)
    }
  }
  await orError(INDEX, () => refuseUnknown(index, fieldsOfIndex))
  for (const name of index.rounds) {
    await orError(name, async () => {
      const bytes = await readIfThere(join(folder, name))
      if (bytes === null) throw new CliError(`there is no such file; remove it from ${INDEX}`)
      const draft = readDraft(bytes)
      refuseUnknownIn(decodeText(bytes), wrapped('round', fieldsOfRound))
      files.push({ name, draft })
    })
  }
  const names = files.map(({ draft }) => foldName(draft.name))
  const twice = files.find((_, at) => names.indexOf(names[at] ?? '') !== at)
  if (twice !== undefined) problems.push(`${twice.name}: another file has this name of a round`)
  if (problems.length > 0) throw new CliError(`nothing was sent: ${problems.join('\n')}`)
  return files
}

const fieldsOfIndex = anyOf([...factNames, 'rounds', 'pulled'])

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
  const text = (value: unknown) => (value === undefined ? null : factText(value))
  const facts = [...patch].map(([what, { from, to }]) => ({ what, from: text(from), to: text(to) }))
  const parts = [wordLines(facts, screen.paint), sheetText(plan, context)]
  screen.out(parts.filter((part) => part !== '').join('\n'))
  for (const each of news) screen.note(`${plain(each)} was changed on the service; pull to get it.`)
  for (const each of open) screen.note(plain(each))
}

/** The plan for people: new rounds with their slots, changes of others, and the order. */
function sheetText(plan: SheetPlan, { screen }: CliContext): string {
  const { bold, added, removed } = screen.paint
  const parts = plan.rounds.filter(isChanged).map(({ before, after, changes }) => {
    const head = `${bold(plain(after.name))}${before === null ? '  new' : ''}\n`
    if (before !== null) return head + wordLines(changes, screen.paint)
    const slots = after.slots.map(
      (slot) => `${plain(slotLabel(slot))} → ${added(plain(slotWords(slot)))}\n`,
    )
    return head + slots.join('')
  })
  const gone = plan.removed.map(({ name }) => `${bold(plain(name))}  ${removed('removed')}\n`)
  const names = plan.rounds.map(({ after }) => plain(after.name)).join(', ')
  const order = isReordered(plan) ? [`Order of rounds: ${names}\n`] : []
  return [...parts, ...gone, ...order].join('\n')
}

const MAX_ATTEMPTS = 3

/**
 * Sends a plan. What somebody else changes at the same moment is merged, and what is left is sent again.
 *
 * @returns what is left alone.
 */
async function send(
  service: PoolsService,
  push: Push,
  index: Index,
  files: readonly RoundFile[],
  context: CliContext,
): Promise<readonly string[]> {
  const { screen } = context
  let next = push
  for (let attempt = 1; ; attempt += 1) {
    const refused = await sendOnce(service, next, context)
    const seen = new Set(next.open)
    if (refused.length === 0) break
    const again = await readPush(service, index, files, context)
    const news = again.open.filter((each) => !seen.has(each))
    for (const each of news) screen.note(plain(each))
    if (!isWork(again)) return again.open
    const isOver = attempt === MAX_ATTEMPTS || refused.some(({ isStale }) => !isStale)
    if (isOver) {
      const texts = refused.map(({ text }) => text)
      for (const each of texts) screen.note(plain(each))
      return [...again.open, ...texts]
    }
    next = again
  }
  screen.note('Sent.')
  return next.open
}

/** Returns what was refused. */
async function sendOnce(
  { client }: PoolsService,
  { plan, patch }: Push,
  context: CliContext,
): Promise<Left[]> {
  const { slug } = plan.tournament
  if (patch.size === 0) return saveRounds(client, plan, context)
  const body = Object.fromEntries([...patch].map(([name, { to }]) => [name, to ?? null]))
  try {
    const change = client.updateTournament(slug, body, { ifMatch: plan.etag })
    const { etag } = await change.withResponse()
    if (changesAnything(plan)) context.screen.note(`Sent: ${[...patch.keys()].join(', ')}.`)
    return saveRounds(client, { ...plan, etag: etag ?? '' }, context)
  } catch (error) {
    if (!hasCode(error, 'precondition_failed')) throw error
    return [
      { text: `${INDEX}: the tournament was changed by somebody else meanwhile`, isStale: true },
    ]
  }
}

/** Stores what is equal on both sides now. */
async function noteSent(
  folder: string,
  index: Index,
  files: readonly RoundFile[],
  { client }: PoolsService,
): Promise<void> {
  const { data, etag } = await client.getTournament(index.pulled.slug).withResponse()
  const { own: tournament } = draftedPart(data)
  const byFile = new Map(index.pulled.rounds.map((each) => [each.file, each]))
  const rounds = files.flatMap(({ name, draft }): PulledRound[] => {
    const known = byFile.get(name)
    const round = roundOf(draft, known, index, tournament)
    if (round === undefined) return known ? [known] : []
    return [{ file: name, id: round.id, draft: rebaseRound(baseOf(known, round), draft, round) }]
  })
  const ids = new Set(tournament.rounds.map(({ id }) => id))
  const listed = new Set(files.map(({ name }) => name))
  const unlisted = index.pulled.rounds.filter(({ file, id }) => !listed.has(file) && ids.has(id))
  const isSame = (name: TournamentField) => index[name] === tournament[name]
  const base = (name: TournamentField) =>
    isSame(name) ? tournament[name] : index.pulled.facts[name]
  const facts = factsOf(Object.fromEntries(factNames.map((name) => [name, base(name)])))
  const pulled = {
    ...index.pulled,
    etag: etag ?? '',
    facts,
    rounds: [...rounds, ...unlisted],
    gone: goneAfter(index, [...rounds, ...unlisted]),
  }
  // Its owner may have written into it since it was read, and another call may have pulled, which knows more.
  const now = await readIndex(folder, null)
  if (JSON.stringify(now?.index.pulled) !== JSON.stringify(index.pulled)) return
  await writeIndex(folder, { ...now!.index, pulled }, now)
}
