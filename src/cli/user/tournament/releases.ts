import type { Check } from '../../../contract/checks.ts'
import type { Round } from '../../../contract/rounds.ts'
import { readTime } from '../../../contract/times.ts'
import { groupChecks } from '../../../pool/check-words.ts'
import { CliError, usageError } from '../../program.ts'
import { insistOnConsent } from '../input.ts'
import { count } from '../pack-text.ts'
import { type Paint, plain, table } from '../screen.ts'
import { connectPools, type PoolsService } from '../service.ts'
import { type CliContext, jsonOption, type UserCommand, yesOption } from '../user-command.ts'
import { readRound } from './read-round.ts'
import { isScheduled, roundNamed, roundText, stateText } from './round-text.ts'

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
beatmap in every slot, or, with --incomplete, in one: then slots without one are shown as they are planned, and each goes
out by itself once it has a beatmap. TIME is a time with its zone, as 2026-12-01T18:00:00Z or 2026-12-01T19:00+01:00.
For hosts.

First the round is checked. If a slot has no beatmap, nothing is released unless --incomplete is given; if the platform no
longer has a beatmap, unless --despite-checks is given. Other findings are counted, and "mapcrate tournament checks" lists
them.`,
  options: [
    { name: 'at', takes: 'TIME', field: 'at', about: 'when; "now" is the default' },
    { name: 'incomplete', about: 'release slots without a beatmap as they are planned' },
    { name: 'despite-checks', about: 'release it although beatmaps are gone from the platform' },
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
    const at = timeAt(options.get('at') ?? 'now')
    const service = await connectPools(context)
    const { slug, round, etag } = await readRound(service, name)
    await insistOnChecks(service, slug, round, context)
    if (!options.has('yes') && !options.has('json')) {
      screen.out(`${roundText(round, screen.paint)}\n`)
    }
    const question = `Release ${plain(round.name)} ${at === 'now' ? 'now' : `at ${at}`}?`
    await insistOnConsent(question, 'nothing was released', context)
    const released = await service.client.releaseRound(slug, round.id, at, {
      ifMatch: etag,
      ...(options.has('incomplete') && { incomplete: true }),
    })
    if (options.has('json')) return screen.json(released)
    screen.out(`${plain(released.name)}: ${stateText(released)}\n`)
  },
}

/** What is missing or gone stops a release; the rest is named by how much of it there is. */
async function insistOnChecks(
  { client }: PoolsService,
  slug: string,
  round: Round,
  { options, screen }: CliContext,
): Promise<void> {
  const found = await client.getRoundChecks(slug, round.id)
  const open = options.has('incomplete') ? [] : found.filter(isPlanned)
  const gone = found.filter(({ kind }) => kind === 'gone')
  const heavy = found.filter((each) => open.includes(each) || gone.includes(each))
  const others = found.filter((each) => !heavy.includes(each) && !isPlanned(each))
  const counts = groupChecks(others).map(
    ({ heading, checks }) => `${checks.length} ${heading.toLowerCase()}`,
  )
  for (const { message } of heavy) screen.note(plain(message))
  if (counts.length > 0) screen.note(`The checks find: ${counts.join(', ')}.`)
  const isAsked = gone.length > 0 && !options.has('despite-checks')
  // The service releases no open slot without --incomplete, whatever other options are given (D-78).
  const needed = [
    ...(open.length > 0 ? ['--incomplete to release slots without a beatmap as planned'] : []),
    ...(isAsked ? ['--despite-checks to release it although beatmaps are gone'] : []),
  ]
  if (needed.length === 0) return
  throw new CliError(
    `${count(heavy.length, 'finding')}, see above; nothing was released. Say ${needed.join(', and ')}`,
  )
}

const isPlanned = ({ kind }: Check): boolean => kind === 'empty' || kind === 'placeholder'

/** As RFC 3339 has it; seconds may be left out, and spaces are as people put them. */
const TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?\s*(Z|[+-]\d\d:\d\d)$/i

function timeAt(text: string): string {
  if (text === 'now') return text
  const [, day = '', minute = '', second = ':00', zone = ''] = TIME.exec(text) ?? []
  const time = readTime(`${day}T${minute}${second}${zone}`)
  if (time !== null) return new Date(time).toISOString()
  throw usageError(
    `--at "${text}" is no time with a zone; give one as 2026-12-01T18:00:00Z or 2026-12-01T19:00+01:00, or now`,
  )
}

export const withdrawCommand: UserCommand = {
  details: `Withdraw the release of a round: the schedule if there is one; otherwise, after confirmation, the pack, which
is deleted. The draft stays, and the next release makes the pack again, at the same address. For hosts.`,
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
      // Refuses who may not withdraw anything (D-61).
      const same = await service.client.releaseRound(slug, round.id, null, { ifMatch: etag })
      screen.note(`${plain(round.name)} is neither scheduled nor released.`)
      return options.has('json') ? screen.json(same) : undefined
    }
    const what = isScheduled(round) ? `the release ${round.releaseAt}` : `the pack ${packSlug}`
    const question = `Delete ${what} of ${plain(round.name)}?`
    if (!isScheduled(round)) await insistOnConsent(question, 'nothing was withdrawn', context)
    const withdrawn = await service.client.releaseRound(slug, round.id, null, { ifMatch: etag })
    if (options.has('json')) return screen.json(withdrawn)
    screen.out(`withdrew ${what} of ${plain(round.name)}: ${stateText(withdrawn)}\n`)
  },
}
