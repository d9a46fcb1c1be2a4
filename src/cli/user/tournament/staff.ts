import type { PoolsClient } from '../../../client/pools-client.ts'
import { GAME_ID_PATTERN, MAX_SAFE_INTEGER } from '../../../contract/bounds.ts'
import type { StaffRole } from '../../../contract/tournaments.ts'
import { foldName } from '../../../pool/slots.ts'
import { usageError } from '../../program.ts'
import { table } from '../screen.ts'
import { connectPools } from '../service.ts'
import { jsonOption, type UserCommand } from '../user-command.ts'
import { roundNamed } from './round-text.ts'

// Not that of the contract: its schemas are no part of the package.
const roles: readonly StaffRole[] = ['host', 'pooler', 'tester', 'referee']

export const staffCommand: UserCommand = {
  details: `List the staff of a tournament; with GAME-ID and ROLE, add a player who has an account here, or change the
role of a member; with --remove, remove one, or leave yourself. --rounds limits a role to some rounds: for all others
they are strangers. Without it, a member keeps the limit they have, and who is new has none; --all-rounds removes a
limit. Invitation links for others are made on the site.

  host     may do everything
  pooler   drafts
  tester   sees drafts, proposes, votes and remarks
  referee  sees drafts`,
  options: [
    { name: 'rounds', takes: 'ROUNDS', about: 'names or ids of rounds, with commas between them' },
    { name: 'all-rounds', about: 'the role is for all rounds, later ones too' },
    { name: 'remove', about: 'remove GAME-ID from the staff' },
    jsonOption,
  ],
  words: ['SLUG', '[GAME-ID]', '[ROLE]'],
  examples: [
    'mapcrate tournament staff dG91cm5hbW',
    'mapcrate tournament staff dG91cm5hbW 1000007 pooler',
    'mapcrate tournament staff dG91cm5hbW 1000007 referee --rounds "Semifinals,Finals"',
    'mapcrate tournament staff dG91cm5hbW 1000007 referee --all-rounds',
    'mapcrate tournament staff dG91cm5hbW 1000007 --remove',
  ],
  async run(context) {
    const { words, options, screen } = context
    const [, id, role] = words
    const gameId = id === undefined ? null : readGameId(id)
    const isRemoved = options.has('remove')
    if (isRemoved && gameId === null) throw usageError('GAME-ID is missing')
    if (isRemoved && role !== undefined) throw usageError('give ROLE or --remove, not both')
    if (gameId !== null && !isRemoved && role === undefined) {
      throw usageError(`ROLE is missing; give ${roles.join(', ')}, or --remove`)
    }
    const wanted = roles.find((each) => each === role)
    if (role !== undefined && wanted === undefined) {
      throw usageError(`ROLE "${role}" is not known; give ${roles.join(', ')}`)
    }
    const limit = options.get('rounds')
    const isOfAll = options.has('all-rounds')
    if (limit !== undefined && wanted === undefined) throw usageError('--rounds is for a ROLE')
    if (isOfAll && wanted === undefined) throw usageError('--all-rounds is for a ROLE')
    if (isOfAll && limit !== undefined) throw usageError('give --rounds or --all-rounds, not both')
    const { client, slug } = await connectPools(context)
    if (gameId !== null && wanted !== undefined) {
      const isKept = !isOfAll && wanted !== 'host'
      const kept = isKept ? await limitOf(client, slug(), gameId) : undefined
      const rounds = limit === undefined ? kept : await roundIds(client, slug(), limit)
      await client.setRole(slug(), gameId, wanted, { rounds })
    } else if (gameId !== null) {
      await client.removeMember(slug(), gameId)
      // Who has left cannot list the others.
      if (options.has('json')) return screen.json({ removed: gameId })
      return screen.out(`removed player ${gameId} from the staff\n`)
    }
    const staff = await client.listStaff(slug())
    if (options.has('json')) return screen.json(staff)
    const isLimited = staff.some(({ rounds }) => rounds !== undefined)
    const names = isLimited ? await roundNames(client, slug()) : new Map<string, string>()
    const rows = staff.map(({ role: theirs, username, gameId: player, rounds }) => {
      const limits = rounds?.map((round) => names.get(round) ?? round).join(', ')
      return [theirs, username, player, ...(isLimited ? [limits ?? 'all'] : [])]
    })
    const heads = ['ROLE', 'PLAYER', 'GAME ID', ...(isLimited ? ['ROUNDS'] : [])]
    screen.out(table(heads, rows, screen.paint))
  },
}

/** The rounds that a member is limited to; undefined for all, and of who is not on the staff. */
async function limitOf(client: PoolsClient, slug: string, gameId: number) {
  const staff = await client.listStaff(slug)
  return staff.find((member) => member.gameId === gameId)?.rounds
}

/** The ids of the rounds of a list; a name may have commas itself. */
async function roundIds(client: PoolsClient, slug: string, list: string): Promise<string[]> {
  const tournament = await client.getTournament(slug)
  const isOne = tournament.rounds.some(({ name }) => foldName(name) === foldName(list))
  const words = isOne ? [list] : list.split(',').filter((word) => word.trim() !== '')
  if (words.length === 0) throw usageError('--rounds names no round')
  return [...new Set(words.map((word) => roundNamed(tournament, word.trim()).id))]
}

async function roundNames(client: PoolsClient, slug: string): Promise<Map<string, string>> {
  const { rounds } = await client.getTournament(slug)
  return new Map(rounds.map(({ id, name }) => [id, name]))
}

function readGameId(text: string): number {
  const id = Number(text)
  if (new RegExp(GAME_ID_PATTERN).test(text) && id <= MAX_SAFE_INTEGER) return id
  throw usageError(`GAME-ID "${text}" is no game id; give a whole number from 1 on`)
}
