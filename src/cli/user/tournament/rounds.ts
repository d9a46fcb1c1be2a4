import type { PoolsClient } from '../../../client/pools-client.ts'
import type { Round } from '../../../contract/rounds.ts'
import type { Tournament } from '../../../contract/tournaments.ts'
import { targetNames } from '../../../pool/round-fields.ts'
import { CliError, type CommandOption, usageError } from '../../program.ts'
import { insistOnConsent } from '../input.ts'
import { count, wordLines } from '../pack-text.ts'
import { plain } from '../screen.ts'
import { connectPools, type PoolsService } from '../service.ts'
import { type CliContext, jsonOption, type UserCommand, yesOption } from '../user-command.ts'
import { readRound } from './read-round.ts'
import { compareRounds, draftOf, type RoundDraft, roundNamed, roundText } from './round-text.ts'
import { isChanged, planRound, type RoundPlan, saveRounds } from './save-rounds.ts'

type Target = (typeof targetNames)[number]

const rangesOf = (name: Target): string => ranges[name]

const ranges: Readonly<Record<Target, string>> = {
  stars: '5.4-6.3, 5.4- or -6.3',
  length: '90-240, 90- or -240',
  bpm: '120-200, 120- or -200',
  keys: '7, 4-7, 4- or -7',
}

const rangeOption = (name: Target, what: string): CommandOption => ({
  name,
  takes: 'RANGE',
  field: `targets.${name}`,
  about: `${what} wanted, as ${rangesOf(name)}`,
})

export const roundCommand: UserCommand = {
  details: `Add rounds after the others, change what is set of rounds, or remove them; their slots stay. What is given is
set of all rounds that are named, in one request. An empty value, or "-", removes what a round may lack: --bans "". For
hosts and poolers; map pack and showcase for hosts, and of a released round they are shown at once. Nothing is changed of
a round that somebody else changes at the same time.

Removing a round removes its pack, too, after confirmation; "mapcrate tournament restore" brings the draft back.`,
  options: [
    { name: 'new', about: 'add rounds of the names ROUND' },
    { name: 'remove', about: 'remove the rounds' },
    { name: 'name', takes: 'NAME', field: 'name', about: 'another name' },
    { name: 'best-of', takes: 'N', field: 'bestOf', about: 'games of a match at most, odd' },
    { name: 'bans', takes: 'N', field: 'bans', about: 'bans of each team, 0 to 5' },
    {
      name: 'pack-name',
      takes: 'NAME',
      field: 'packName',
      about: 'name of the pack that a release makes',
    },
    rangeOption('stars', 'star rating'),
    rangeOption('length', 'length in seconds'),
    rangeOption('bpm', 'BPM'),
    rangeOption('keys', 'keys in mania'),
    {
      name: 'map-pack',
      takes: 'URL',
      field: 'mapPackUrl',
      about: 'where all maps can be had as one file, https://…',
    },
    {
      name: 'showcase',
      takes: 'URL',
      field: 'showcaseUrl',
      about: 'where the round is presented, https://…',
    },
    yesOption,
    jsonOption,
  ],
  words: ['SLUG', 'ROUND…'],
  fields: { name: 'ROUND' },
  examples: [
    'mapcrate tournament round dG91cm5hbW Quarterfinals --new --best-of 11 --bans 2',
    'mapcrate tournament round dG91cm5hbW Semifinals Finals --stars 5.4-6.3 --length -300',
    'mapcrate tournament round dG91cm5hbW Finals --map-pack https://files.example/finals.zip',
    'mapcrate tournament round dG91cm5hbW "Losers Round 2" --remove',
  ],
  async run(context) {
    const { words, options } = context
    const names = words.slice(1)
    const edit = readEdit(context)
    const service = await connectPools(context)
    if (options.has('remove')) return remove(service, names, context)
    const [name = ''] = names
    if (names.length > 1) return changeSeveral(service, names, edit, context)
    return options.has('new')
      ? add(service, name, edit, context)
      : change(service, name, edit, context)
  },
}

async function add(
  { client, slug }: PoolsService,
  name: string,
  edit: Edit,
  { options, screen }: CliContext,
): Promise<void> {
  const round = await client.createRound(slug(), edit({ name, slots: [] }))
  if (options.has('json')) screen.json(round)
  else screen.out(roundText(round, screen.paint))
}

async function change(
  service: PoolsService,
  name: string,
  edit: Edit,
  { options, screen }: CliContext,
): Promise<void> {
  const { slug, round, etag } = await readRound(service, name)
  const before = draftOf(round)
  const after = edit(before)
  const changes = compareRounds(before, after)
  if (changes.length === 0) {
    screen.note('Nothing was changed.')
    return options.has('json') ? screen.json(round) : undefined
  }
  const saved = await service.client.replaceRound(slug, round.id, after, { ifMatch: etag })
  if (!options.has('json')) screen.out(wordLines(changes, screen.paint))
  else screen.json(saved)
}

async function changeSeveral(
  { client, slug }: PoolsService,
  names: readonly string[],
  edit: Edit,
  context: CliContext,
): Promise<void> {
  const { options, screen } = context
  const { data: tournament, etag } = await client.getTournament(slug()).withResponse()
  const rounds = options.has('new')
    ? [...unchanged(tournament), ...names.map((name) => planRound(null, edit({ name, slots: [] })))]
    : edited(tournament, names, edit)
  const changed = rounds.filter(isChanged)
  if (changed.length === 0) {
    screen.note('Nothing was changed.')
    return options.has('json') ? screen.json(roundsNamed(tournament, names)) : undefined
  }
  const plan = { tournament, etag: etag ?? '', rounds, removed: [] }
  const left = await saveRounds(client, plan, context)
  for (const { text } of left) screen.note(plain(text))
  if (options.has('json')) screen.json(await roundsNow(client, slug(), changed))
  else {
    const isNew = options.has('new')
    const parts = changed.map(({ after, changes }) => {
      const head = `${screen.paint.bold(plain(after.name))}${isNew ? '  new' : ''}\n`
      return head + wordLines(changes, screen.paint)
    })
    screen.out(parts.join('\n'))
  }
  if (left.length > 0) {
    throw new CliError(`${count(left.length, 'round')} left alone, see above`, 'partial')
  }
}

const unchanged = ({ rounds }: Tournament): RoundPlan[] =>
  rounds.map((round) => planRound(round, draftOf(round)))

function edited(tournament: Tournament, names: readonly string[], edit: Edit): RoundPlan[] {
  const named = new Set(roundsNamed(tournament, names))
  return tournament.rounds.map((round) => {
    const draft = draftOf(round)
    return planRound(round, named.has(round) ? edit(draft) : draft)
  })
}

/** Each once, as they are named. */
const roundsNamed = (tournament: Tournament, names: readonly string[]) => [
  ...new Set(names.map((name) => roundNamed(tournament, name))),
]

async function roundsNow(client: PoolsClient, slug: string, changed: readonly RoundPlan[]) {
  const names = new Set(changed.map(({ after }) => after.name))
  return (await client.getTournament(slug)).rounds.filter(({ name }) => names.has(name))
}

type Edit = (before: RoundDraft) => RoundDraft

function readEdit({ words, options }: CliContext): Edit {
  const [isNew, isRemoved] = [options.has('new'), options.has('remove')]
  const given = [...options.keys()].filter(
    (name) => !['new', 'remove', 'yes', 'json'].includes(name),
  )
  if (isNew && isRemoved) throw usageError('give --new or --remove, not both')
  if (isRemoved && given[0] !== undefined) throw usageError(`--${given[0]} is not for --remove`)
  if (!isNew && !isRemoved && given.length === 0) {
    throw usageError('nothing is to be changed; give an option, as --best-of 11')
  }
  if (options.has('name') && words.length > 2) throw usageError('--name is for one round')
  const fields = Object.entries({
    name: options.get('name'),
    bestOf: readWhole(options.get('best-of'), 'best-of'),
    bans: readWhole(options.get('bans'), 'bans'),
    packName: orNone(options.get('pack-name')),
    mapPackUrl: orNone(options.get('map-pack')),
    showcaseUrl: orNone(options.get('showcase')),
  }).filter(([, value]) => value !== undefined)
  const ranges = targetNames.flatMap((field) => {
    const text = options.get(field)
    if (text === undefined) return []
    return [[field, readRange(text, field)] as const]
  })
  return (before) => {
    const wanted = { ...before.targets, ...Object.fromEntries(ranges) }
    const targets = Object.fromEntries(Object.entries(wanted).filter(([, range]) => range !== null))
    const next = {
      ...before,
      ...Object.fromEntries(fields),
      targets: Object.keys(targets).length === 0 ? null : targets,
    }
    const kept = Object.entries(next).filter(([, value]) => value !== null)
    return Object.fromEntries(kept) as RoundDraft
  }
}

const isNone = (text: string): boolean => text === '' || text === '-'

/** undefined: not given; null: to be removed. */
const orNone = (text: string | undefined): string | null | undefined =>
  text !== undefined && isNone(text) ? null : text

/** As `orNone`. */
function readWhole(text: string | undefined, option: string): number | null | undefined {
  if (text === undefined) return undefined
  if (isNone(text)) return null
  if (/^\d{1,2}$/.test(text)) return Number(text)
  throw usageError(`--${option} "${text}" is no whole number`)
}

const RANGE = /^(\d+(?:\.\d+)?)?\s*[-–]\s*(\d+(?:\.\d+)?)?$/

function readRange(text: string, option: Target) {
  if (isNone(text)) return null
  const typed = text.trim()
  const isNumber = option === 'keys' && /^\d+$/.test(typed)
  const [, min, max] = isNumber ? ['', typed, typed] : (RANGE.exec(typed) ?? [])
  if (min === undefined && max === undefined) {
    throw usageError(`--${option} "${text}" is no range; give ${rangesOf(option)}`)
  }
  if (min !== undefined && max !== undefined && Number(min) > Number(max)) {
    throw usageError(`--${option} "${text}" ends before it begins; give ${rangesOf(option)}`)
  }
  return {
    ...(min !== undefined && { min: Number(min) }),
    ...(max !== undefined && { max: Number(max) }),
  }
}

async function remove(
  service: PoolsService,
  names: readonly string[],
  context: CliContext,
): Promise<void> {
  const { client, slug } = service
  const tournament = await client.getTournament(slug())
  const read: Awaited<ReturnType<typeof readRound>>[] = []
  for (const { id } of roundsNamed(tournament, names))
    read.push(await readRound(service, id, tournament))
  const what = read.map(({ round }) => {
    const pack = round.packSlug === undefined ? '' : ` and its pack ${round.packSlug}`
    return `${plain(round.name)} (${count(round.slots.length, 'slot')})${pack}`
  })
  const isJson = context.options.has('json')
  await insistOnConsent(`Remove ${what.join(', ')}?`, 'nothing was removed', context)
  const removed: Round[] = []
  try {
    for (const [at, { round, etag }] of read.entries()) {
      await client.deleteRound(slug(), round.id, { ifMatch: etag })
      removed.push(round)
      if (!isJson) context.screen.out(`removed ${what[at]}\n`)
    }
  } finally {
    // Programs get what was removed before a failure, too.
    if (isJson) context.screen.json(removed)
  }
}
