import type { CreateOptions } from '../../../client/call.ts'
import type { PoolsClient } from '../../../client/pools-client.ts'
import type { Round } from '../../../contract/rounds.ts'
import { type Ruleset, rulesetNames } from '../../../contract/mods.ts'
import type { Tournament, TournamentSummary } from '../../../contract/tournaments.ts'
import { readTournamentSlug } from '../../arguments.ts'
import { CliError, usageError } from '../../program.ts'
import { createOnce } from '../creation-journal.ts'
import { noteGap } from '../export-file.ts'
import { askLine, insistOnTerminal } from '../input.ts'
import { collect, notePage, pageOptions, readPageNumber } from '../listing.ts'
import { count } from '../pack-text.ts'
import { plain, table } from '../screen.ts'
import { connectPools } from '../service.ts'
import { type CliContext, jsonOption, type UserCommand } from '../user-command.ts'
import { lookUpRounds } from '../look-up.ts'
import {
  discordOption,
  factOptions,
  readDiscord,
  readFacts,
  readNumber,
  rulesetOption,
} from './facts.ts'
import { roundNamed, roundText, tournamentPage } from './round-text.ts'

export const listCommand: UserCommand = {
  details: `List public tournaments, last updated first, 50 per page; with --mine, those that you are on the staff of.
--search, --ruleset, --rank and --year select public ones.`,
  options: [
    { name: 'mine', about: 'list your own tournaments' },
    { name: 'search', takes: 'TEXT', about: 'a part of the name or of the short name' },
    rulesetOption,
    { name: 'rank', takes: 'N', about: 'that a player of this rank may take part in' },
    { name: 'year', takes: 'YEAR', about: 'the year it is played in' },
    ...pageOptions,
    jsonOption,
  ],
  examples: [
    'mapcrate tournament list --mine',
    'mapcrate tournament list --ruleset taiko --rank 4200',
  ],
  async run(context) {
    const { options, screen } = context
    const page = readPageNumber(context)
    const filters = ['search', 'ruleset', 'rank', 'year'].filter((name) => options.has(name))
    if (options.has('mine') && filters.length > 0) {
      throw usageError(`--${filters[0]} is for public tournaments; leave --mine out`)
    }
    readNumber(options.get('rank'), 'rank')
    readNumber(options.get('year'), 'year')
    const { client } = await connectPools(context)
    const found = await readList(client, page, context)
    if (options.has('json')) return screen.json(found)
    if (found.length === 0) return screen.note('There are no tournaments here.')
    const rows = found.map((each) => [
      each.slug,
      each.name,
      rulesetNames[each.ruleset],
      each.year ?? '',
      ranksText(each),
      options.has('mine') ? `${each.role}, ${each.visibility}` : each.updatedAt.slice(0, 10),
    ])
    const last = options.has('mine') ? 'ROLE' : 'UPDATED'
    const heads = ['SLUG', 'NAME', 'RULESET', 'YEAR', 'RANKS', last]
    screen.out(table(heads, rows, screen.paint))
  },
}

async function readList(client: PoolsClient, page: number | null, context: CliContext) {
  const { options } = context
  const [search, ruleset] = [options.get('search'), options.get('ruleset')]
  const filter = {
    ...(search !== undefined && { search }),
    ...(ruleset !== undefined && { ruleset: ruleset as Ruleset }),
    rank: readNumber(options.get('rank'), 'rank'),
    year: readNumber(options.get('year'), 'year'),
  }
  const isMine = options.has('mine')
  if (page === null) {
    return collect(isMine ? client.iterateMyTournaments() : client.iterateTournaments(filter))
  }
  const list = await (isMine
    ? client.listMyTournaments({ page })
    : client.listTournaments({ ...filter, page }))
  notePage(page, list, 'tournament', context)
  return list.tournaments
}

export const showCommand: UserCommand = {
  details: `Show a tournament: what is set of it and its rounds in order, for the staff as they are drafted, for others
as they were released; with --round, one of them. SLUG may also be the address of its page. Titles and stars, with the mods
of the slot as far as everybody may know these, are requested from the site; --json leaves them out.`,
  options: [
    { name: 'round', takes: 'NAME', about: 'show this round alone' },
    { name: 'no-details', about: 'do not request titles and stars' },
    jsonOption,
  ],
  words: ['SLUG'],
  examples: [
    'mapcrate tournament show dG91cm5hbW',
    'mapcrate tournament show dG91cm5hbW --round Finals --json',
  ],
  async run(context) {
    const { options, screen } = context
    const { client, site, slug } = await connectPools(context)
    const tournament = await client.getTournament(slug())
    const name = options.get('round')
    if (name !== undefined) {
      const round = roundNamed(tournament, name)
      if (options.has('json')) return screen.json(round)
      return printRounds(site, [round], '', context)
    }
    if (options.has('json')) return screen.json(tournament)
    screen.out(tournamentText(tournament, site, context))
    await printRounds(site, tournament.rounds, '\n', context)
    for (const { name: next, releaseAt } of tournament.upcoming ?? []) {
      const when = releaseAt === undefined ? 'to come' : `to be released ${releaseAt}`
      screen.out(`\n${screen.paint.bold(plain(next))}  ${when}\n`)
    }
  },
}

async function printRounds(
  site: string,
  rounds: readonly Round[],
  before: string,
  context: CliContext,
): Promise<void> {
  const { options, screen } = context
  const { known, gap } = options.has('no-details')
    ? { known: [], gap: null }
    : await lookUpRounds(site, rounds, context)
  for (const [at, round] of rounds.entries()) {
    screen.out(before + roundText(round, screen.paint, known[at]))
  }
  if (gap !== null) noteGap(gap, context)
}

function tournamentText(tournament: Tournament, site: string, { screen }: CliContext): string {
  const { name, shortName, ruleset, year, visibility, announceRounds, role } = tournament
  const { bold, dim } = screen.paint
  const ranks = ranksText(tournament)
  const facts = [
    shortName,
    rulesetNames[ruleset],
    year,
    ranks === '' ? undefined : `ranks ${ranks}`,
    role === undefined ? undefined : `you are a ${role}`,
  ].filter((fact) => fact !== undefined)
  const lines = [
    `${bold(plain(name))}  ${visibility}${announceRounds ? ', rounds to come are announced' : ''}`,
    plain(facts.join(', ')),
    plain(tournament.description ?? '', '\n'),
    plain(tournament.link ?? ''),
    tournament.hiddenAt === undefined
      ? ''
      : 'A moderator has hidden it: only its staff can see it.',
    discordText(tournament),
    dim(tournamentPage(site, tournament)),
  ]
  return `${lines.filter((line) => line !== '').join('\n')}\n`
}

/** For hosts; empty where it has no channel. */
function discordText({ discord, discordOff }: Tournament): string {
  if (discordOff === 'gone') {
    return 'Nothing is announced on Discord: it says that the webhook was deleted. Set another address.'
  }
  if (discordOff === 'failing') {
    return 'Nothing is announced on Discord: it could not be reached for three days. Set the address again.'
  }
  return discord === true ? 'Releases are announced on Discord.' : ''
}

function ranksText({ rankMin, rankMax }: TournamentSummary): string {
  if (rankMin === undefined && rankMax === undefined) return ''
  return `${rankMin ?? 1}–${rankMax ?? ''}`
}

export const newCommand: UserCommand = {
  details: `Make a tournament, of which you are the host, and print its slug: without rounds, or with --from, begun as a
tournament that you are on the staff of. It is private unless --visibility says otherwise. If the connection fails, run
the same command again: it makes no second tournament.`,
  options: [
    ...factOptions,
    { name: 'from', takes: 'SLUG', about: 'begin as this tournament is set up' },
    jsonOption,
  ],
  words: ['NAME'],
  fields: { name: 'NAME' },
  examples: [
    'mapcrate tournament new "Harbour Lights Cup" --short-name HLC --rank-min 1000 --rank-max 9999',
    'mapcrate tournament new "Harbour Lights Cup 2" --from dG91cm5hbW',
  ],
  async run(context) {
    const { words, options, screen } = context
    const [name = ''] = words
    const facts = Object.entries(readFacts(context)).filter(([, value]) => value !== null)
    const model = options.get('from')
    const from = model === undefined ? null : readTournamentSlug(model)
    const { client, site, account } = await connectPools(context)
    const input = { ...Object.fromEntries(facts), name, ...(from !== null && { from }) }
    const create = (how: CreateOptions) => client.createTournament(input, how).withResponse()
    const answer = await createOnce(`${account} tournament new`, input, context, create)
    const { data: made, ignoredFields } = answer
    if (options.has('json')) screen.json(made)
    else {
      const page = tournamentPage(site, made)
      screen.out(`${made.slug}  ${plain(made.name)}, ${made.visibility}: ${page}\n`)
    }
    if (ignoredFields.includes('from')) {
      throw new CliError('it was made without rounds: the service does not know --from', 'partial')
    }
  },
}

export const setCommand: UserCommand = {
  details: `Change what is set of a tournament; what is not given stays. An empty value removes what a tournament may
lack: --link "". For hosts.
--discord reads the address of a webhook of Discord, where releases are announced, from a file or stdin: anyone who knows
it can post there, and arguments are kept in the history of a shell. It is never shown; --discord "" removes it.`,
  options: [
    { name: 'name', takes: 'TEXT', field: 'name', about: 'name of the tournament' },
    ...factOptions,
    discordOption,
    jsonOption,
  ],
  words: ['SLUG'],
  examples: [
    'mapcrate tournament set dG91cm5hbW --visibility public --announce on',
    'mapcrate tournament set dG91cm5hbW --rank-min 1000 --rank-max 9999 --link ""',
    'mapcrate tournament set dG91cm5hbW --discord webhook.txt',
  ],
  async run(context) {
    const { options, screen } = context
    const name = options.get('name')
    const patch = {
      ...readFacts(context),
      ...(name !== undefined && { name }),
      ...(await readDiscord(context)),
    }
    if (Object.keys(patch).length === 0) {
      throw usageError('nothing is to be changed; give an option, as --visibility public')
    }
    const { client, site, slug } = await connectPools(context)
    const { data: changed, ignoredFields } = await client
      .updateTournament(slug(), patch)
      .withResponse()
    if (options.has('json')) screen.json(changed)
    else screen.out(tournamentText(changed, site, context))
    if (ignoredFields.includes('discordUrl')) {
      throw new CliError('the service does not know --discord: no address was set', 'partial')
    }
  },
}

export const deleteCommand: UserCommand = {
  details: `Delete a tournament permanently, with its drafts and with the packs of its released rounds. It asks for the
name of the tournament; --yes gives it.`,
  options: [{ name: 'yes', takes: 'NAME', about: 'the name of the tournament, do not ask for it' }],
  words: ['SLUG'],
  examples: [
    'mapcrate tournament delete dG91cm5hbW',
    'mapcrate tournament delete dG91cm5hbW --yes "Harbour Lights Cup"',
  ],
  async run(context) {
    const { options, screen } = context
    const { client, slug } = await connectPools(context)
    const { data: tournament, etag } = await client.getTournament(slug()).withResponse()
    const { name, rounds } = tournament
    const packs = rounds.filter(({ packSlug }) => packSlug !== undefined).length
    const what = `${plain(name)} (${count(rounds.length, 'round')}, ${count(packs, 'pack')})`
    if (!options.has('yes')) {
      insistOnTerminal(context, '--yes NAME')
      screen.note(`This deletes ${what} for good.`)
    }
    const given = options.get('yes') ?? (await askLine('Name of the tournament: ', context))
    if (given.trim() !== name) throw new CliError('that is not its name; nothing was deleted')
    await client.deleteTournament(tournament.slug, { ifMatch: etag ?? undefined })
    screen.out(`deleted ${tournament.slug}, ${what}\n`)
  },
}
