import type { PoolsClient } from '../../../client/pools-client.ts'
import { NO_SLOT } from '../../../contract/bounds.ts'
import type { Check } from '../../../contract/checks.ts'
import type { Round, SlotContent } from '../../../contract/rounds.ts'
import { findTargets } from '../../../pool/beatmap-links.ts'
import { groupChecks } from '../../../pool/check-words.ts'
import { foldCode, placeOf, slotLabel } from '../../../pool/slots.ts'
import type { Place } from '../../../pool/pool.ts'
import { differenceLine } from '../../../pool/difference-words.ts'
import {
  slotContent,
  type SlotFilling,
  slotWords,
  targetNames,
} from '../../../pool/round-fields.ts'
import { CliError, type CommandOption, usageError } from '../../program.ts'
import { hasCode } from '../errors.ts'
import { insistOnConsent } from '../input.ts'
import { count, wordLines } from '../pack-text.ts'
import { type Paint, plain, table } from '../screen.ts'
import { connectPools, type PoolsService } from '../service.ts'
import { type CliContext, jsonOption, type UserCommand, yesOption } from '../user-command.ts'
import {
  compareRounds,
  draftOf,
  isScheduled,
  type RoundDraft,
  roundNamed,
  roundText,
  stateText,
} from './round-text.ts'

type Target = (typeof targetNames)[number]

const rangesOf = (name: Target): string =>
  name === 'keys' ? '7, 4-7, 4- or -7' : '5.4-6.3, 5.4- or -6.3'

const rangeOption = (name: Target, what: string): CommandOption => ({
  name,
  takes: 'RANGE',
  about: `${what} wanted, as ${rangesOf(name)}`,
})

export const roundCommand: UserCommand = {
  details: `Add a round after the others, change what is set of one, or remove one; its slots stay. An empty value
removes what a round may lack: --bans "". For hosts and poolers. Nothing is changed if somebody else changes
the round at the same time.

Removing a round removes its pack, too, after confirmation.`,
  options: [
    { name: 'new', about: 'add a round of the name ROUND' },
    { name: 'remove', about: 'remove the round' },
    { name: 'name', takes: 'NAME', about: 'another name' },
    { name: 'best-of', takes: 'N', about: 'games of a match at most, odd' },
    { name: 'bans', takes: 'N', about: 'bans of each team, 0 to 5' },
    { name: 'pack-name', takes: 'NAME', about: 'name of the pack that a release makes' },
    rangeOption('stars', 'star rating'),
    rangeOption('length', 'length in seconds'),
    rangeOption('bpm', 'BPM'),
    rangeOption('keys', 'keys in mania'),
    yesOption,
    jsonOption,
  ],
  words: ['SLUG', 'ROUND'],
  examples: [
    'mapcrate tournament round dG91cm5hbW Quarterfinals --new --best-of 11 --bans 2',
    'mapcrate tournament round dG91cm5hbW Quarterfinals --stars 5.4-6.3 --length -300',
    'mapcrate tournament round dG91cm5hbW "Losers Round 2" --remove',
  ],
  async run(context) {
    const { words, options, screen } = context
    const [, word = ''] = words
    const edit = readEdit(context)
    const service = await connectPools(context)
    const { client } = service
    if (options.has('new')) {
      const round = await client.createRound(service.slug(), edit({ name: word, slots: [] }))
      if (options.has('json')) return screen.json(round)
      return screen.out(roundText(round, screen.paint))
    }
    const read = await readRound(service, word)
    if (options.has('remove')) return remove(client, read, context)
    const { slug, round, etag } = read
    const before = draftOf(round)
    const after = edit(before)
    const changes = compareRounds(before, after)
    if (changes.length === 0) return screen.note('Nothing was changed.')
    const saved = await client.replaceRound(slug, round.id, after, { ifMatch: etag })
    if (!options.has('json')) screen.out(wordLines(changes, screen.paint))
    else screen.json(saved)
  },
}

type Edit = (before: RoundDraft) => RoundDraft

function readEdit({ options }: CliContext): Edit {
  const [isNew, isRemoved] = [options.has('new'), options.has('remove')]
  const given = [...options.keys()].filter(
    (name) => !['new', 'remove', 'yes', 'json'].includes(name),
  )
  if (isNew && isRemoved) throw usageError('give --new or --remove, not both')
  if (isRemoved && given[0] !== undefined) throw usageError(`--${given[0]} is not for --remove`)
  if (!isNew && !isRemoved && given.length === 0) {
    throw usageError('nothing is to be changed; give an option, as --best-of 11')
  }
  const packName = options.get('pack-name')
  const fields = Object.entries({
    name: options.get('name'),
    bestOf: readWhole(options.get('best-of'), 'best-of'),
    bans: readWhole(options.get('bans'), 'bans'),
    packName: packName === '' ? null : packName,
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

/** undefined: not given; null: to be removed. */
function readWhole(text: string | undefined, option: string): number | null | undefined {
  if (text === undefined) return undefined
  if (text === '') return null
  if (/^\d{1,2}$/.test(text)) return Number(text)
  throw usageError(`--${option} "${text}" is no whole number`)
}

const RANGE = /^(\d+(?:\.\d+)?)?\s*[-–]\s*(\d+(?:\.\d+)?)?$/

function readRange(text: string, option: Target) {
  if (text === '') return null
  const typed = text.trim()
  const isNumber = option === 'keys' && /^\d+$/.test(typed)
  const [, min, max] = isNumber ? ['', typed, typed] : (RANGE.exec(typed) ?? [])
  if (min === undefined && max === undefined) {
    throw usageError(`--${option} "${text}" is no range; give ${rangesOf(option)}`)
  }
  return {
    ...(min !== undefined && { min: Number(min) }),
    ...(max !== undefined && { max: Number(max) }),
  }
}

async function remove(
  client: PoolsClient,
  { slug, round, etag }: Awaited<ReturnType<typeof readRound>>,
  context: CliContext,
): Promise<void> {
  const pack = round.packSlug === undefined ? '' : ` and its pack ${round.packSlug}`
  const what = `${plain(round.name)} (${count(round.slots.length, 'slot')})${pack}`
  await insistOnConsent(`Remove ${what} for good?`, 'nothing was removed', context)
  await client.deleteRound(slug, round.id, { ifMatch: etag })
  context.screen.out(`removed ${what}\n`)
}

/** A round by name or id, with the ETag of what was read. */
async function readRound({ client, slug }: PoolsService, word: string) {
  const id = roundNamed(await client.getTournament(slug()), word).id
  const { data: round, etag } = await client.getRound(slug(), id).withResponse()
  return { slug: slug(), round, etag: etag ?? '' }
}

export const slotCommand: UserCommand = {
  details: `Change a slot of a round: to a beatmap, by id or link, to a placeholder such as "custom map, due Sunday", or
to nothing ("-"), or to no slot ("none"), which removes it. A slot that is not there is added. The slot is only changed
if it still holds what was read, or what --was says; otherwise nothing is changed, and what it holds now is printed.
For hosts and poolers.`,
  options: [
    {
      name: 'was',
      takes: 'CONTENT',
      about: 'what the slot must hold: a beatmap, a text, -, or none',
    },
    jsonOption,
  ],
  words: ['SLUG', 'ROUND', 'SLOT', 'CONTENT'],
  examples: [
    'mapcrate tournament slot dG91cm5hbW Quarterfinals NM3 129891',
    'mapcrate tournament slot dG91cm5hbW Quarterfinals TB "custom map, due Sunday"',
    'mapcrate tournament slot dG91cm5hbW Quarterfinals NM3 - --was 129891',
    'mapcrate tournament slot dG91cm5hbW Quarterfinals FM4 none',
  ],
  async run(context) {
    const { words, options, screen } = context
    const [, name = '', label = '', content = ''] = words
    const to = readContent(content)
    const was = options.get('was')
    const { client, slug } = await connectPools(context)
    const round = roundNamed(await client.getTournament(slug()), name)
    const { mod, index, filling } = slotAt(round, label)
    const from = was === undefined ? slotContent(filling) : readContent(was)
    const change = { mod, index, from, to }
    try {
      const saved = await client.changeSlots(slug(), round.id, [change])
      if (options.has('json')) return screen.json(saved)
    } catch (error) {
      if (!hasCode(error, 'conflict') || error.slots === null) throw error
      const [now] = error.slots
      const label = slotLabel({ mod, index })
      const state = now === undefined ? 'is not there' : `now holds ${slotWords(now)}`
      throw new CliError(`${label} ${state}; nothing was changed`)
    }
    const { removed, added } = screen.paint
    const line = differenceLine({
      what: plain(slotLabel({ mod, index })),
      from: removed(plain(contentWords(from))),
      to: added(plain(contentWords(to))),
    })
    screen.out(`${line}\n`)
  },
}

const contentWords = (content: SlotContent): string =>
  content === NO_SLOT ? 'no slot' : slotWords(content ?? {})

function readContent(text: string): SlotContent {
  const trimmed = text.trim()
  if (trimmed === '-') return null
  if (trimmed === NO_SLOT) return NO_SLOT
  if (trimmed === '') throw usageError('CONTENT is empty; give a beatmap, a text, - or none')
  if (/^\d{1,10}$/.test(trimmed)) return { beatmapId: Number(trimmed) }
  const [target] = findTargets(trimmed)
  if (target === undefined) return { placeholder: trimmed }
  if (target.beatmapId !== null) return { beatmapId: target.beatmapId }
  throw usageError(`${trimmed} leads to a set; give the link of one of its beatmaps`)
}

const LABEL = /^(?:\p{L}|\p{N})*\p{L}(?:\p{L}|\p{N})*(?: \d{1,2})?$|^\d{1,2}$/u

/** The place of this label, in any case, and what is there; undefined: no slot. */
function slotAt({ slots }: Round, label: string): Place & { filling: SlotFilling | undefined } {
  const fold = foldCode(label.trim())
  const found = slots.find((slot) => foldCode(slotLabel(slot)) === fold)
  if (found !== undefined) return { mod: found.mod, index: found.index, filling: found }
  const place = placeOf(fold)
  if (LABEL.test(label.trim()) && place.index > 0) return { ...place, filling: undefined }
  throw usageError(`"${label}" is no slot; give one as NM3, TB, or "RC1 2"`)
}

export const checksCommand: UserCommand = {
  details: `Check the drafts of a tournament, or of one round: slots without a beatmap; beatmaps that are gone, there
twice, outside the targets of their round with the mods of their slots, of another ruleset, not ranked, or too many of
one mapper; and beatmaps that were pooled before, which is no fault. First comes how many there are of each kind, then
each kind, what weighs most first. For the staff. The exit status is 0, whether something is found or not.`,
  options: [jsonOption],
  words: ['SLUG', '[ROUND]'],
  examples: [
    'mapcrate tournament checks dG91cm5hbW',
    "mapcrate tournament checks dG91cm5hbW Finals --json | jq 'length'",
  ],
  async run(context) {
    const { words, options, screen } = context
    const [, name] = words
    const { client, slug } = await connectPools(context)
    const found =
      name === undefined
        ? await client.getTournamentChecks(slug())
        : await client.getRoundChecks(
            slug(),
            roundNamed(await client.getTournament(slug()), name).id,
          )
    if (options.has('json')) return screen.json(found)
    if (found.length === 0) return screen.note('Nothing was found.')
    screen.out(checksText(found, screen.paint))
  },
}

function checksText(found: readonly Check[], paint: Paint): string {
  const groups = groupChecks(found)
  const lines = groups.map(({ heading, checks }) => [checks.length, heading])
  const lists = groups.map(({ heading, checks }) => {
    const rows = checks.map(({ round, message }) => [round.name, message])
    return `\n${paint.bold(heading)}\n${table(['ROUND', 'FINDING'], rows, paint)}`
  })
  return [table(['', count(found.length, 'finding')], lines, paint), ...lists].join('')
}

export const releaseCommand: UserCommand = {
  details: `Release a round as a public pack, now or at a time; a round that has a pack replaces it. The round needs a
beatmap in every slot. TIME is a time with its zone, as 2026-12-01T18:00:00Z or 2026-12-01T19:00+01:00.
For hosts.`,
  options: [
    { name: 'at', takes: 'TIME', about: 'when; "now" is the default' },
    yesOption,
    jsonOption,
  ],
  words: ['SLUG', 'ROUND'],
  examples: [
    'mapcrate tournament release dG91cm5hbW Qualifiers',
    'mapcrate tournament release dG91cm5hbW Quarterfinals --at 2026-12-01T18:00:00Z',
  ],
  async run(context) {
    const { words, options, screen } = context
    const [, name = ''] = words
    const at = readTime(options.get('at') ?? 'now')
    const service = await connectPools(context)
    const { slug, round, etag } = await readRound(service, name)
    if (!options.has('yes') && !options.has('json')) {
      screen.out(`${roundText(round, screen.paint)}\n`)
    }
    const question = `Release ${plain(round.name)} ${at === 'now' ? 'now' : `at ${at}`}?`
    await insistOnConsent(question, 'nothing was released', context)
    const released = await service.client.releaseRound(slug, round.id, at, { ifMatch: etag })
    if (options.has('json')) return screen.json(released)
    screen.out(`${plain(released.name)}: ${stateText(released)}\n`)
  },
}

const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?\s*(?:Z|[+-]\d\d:\d\d)$/i

function readTime(text: string): string {
  if (text === 'now') return text
  const time = TIME.test(text) ? Date.parse(text.replace(' ', 'T').replace(/\s/, '')) : NaN
  if (!Number.isNaN(time)) return new Date(time).toISOString()
  throw usageError(
    `--at "${text}" is no time with a zone; give one as 2026-12-01T18:00:00Z or 2026-12-01T19:00+01:00, or now`,
  )
}

export const withdrawCommand: UserCommand = {
  details: `Withdraw the release of a round: the schedule if there is one; otherwise, after confirmation, the pack, which
is deleted. The draft stays, and the next release makes a new pack. For hosts.`,
  options: [yesOption, jsonOption],
  words: ['SLUG', 'ROUND'],
  examples: ['mapcrate tournament withdraw dG91cm5hbW Quarterfinals'],
  async run(context) {
    const { words, options, screen } = context
    const [, name = ''] = words
    const service = await connectPools(context)
    const { slug, round, etag } = await readRound(service, name)
    const { packSlug } = round
    if (!isScheduled(round) && packSlug === undefined) {
      return screen.note(`${plain(round.name)} is neither scheduled nor released.`)
    }
    const what = isScheduled(round) ? `the release ${round.releaseAt}` : `the pack ${packSlug}`
    const question = `Delete ${what} of ${plain(round.name)}?`
    if (!isScheduled(round)) await insistOnConsent(question, 'nothing was withdrawn', context)
    const withdrawn = await service.client.releaseRound(slug, round.id, null, { ifMatch: etag })
    if (options.has('json')) return screen.json(withdrawn)
    screen.out(`withdrew ${what} of ${plain(round.name)}: ${stateText(withdrawn)}\n`)
  },
}
