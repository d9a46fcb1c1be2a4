import type { StaffMember } from '../contract/staff.ts'
import type { StaffRole } from '../contract/tournaments.ts'
import { type Awaitable, whenKnown } from '../domain/loading.ts'
import { draftsOf } from '../domain/tournament-access.ts'
import * as changes from '../domain/tournament-changes.ts'
import { presentMember } from '../domain/tournament-views.ts'
import type { SavedMember, SavedTournament } from '../domain/tournaments.ts'
import type { Ports } from '../ports/ports.ts'
import {
  admit,
  changeTournament,
  getTournament,
  noSuchPlayer,
  notFound,
  type TournamentPorts,
  type TournamentReadPorts,
} from './tournaments.ts'

/** The staff, for its members (D-60); of the rounds that they are limited to, those that the reader knows of (D-81). */
export function listStaff(
  ports: TournamentReadPorts,
  accountId: string,
  slug: string,
): Awaitable<readonly StaffMember[]> {
  return whenKnown(getTournament(ports, accountId, slug), (tournament) => {
    admit(tournament, accountId, 'readStaff')
    const known = draftsOf(tournament, accountId).map(({ id }) => id)
    return tournament.staff.map((member) => presentMember(member, known))
  })
}

type StaffPorts = Omit<TournamentPorts, 'random'> & Pick<Ports, 'accounts'>

/**
 * Gives a player a role, for all rounds or for some. Throws `not_found` also when they have no account, `conflict` for
 * the last host and for bounds that are reached. Deleted rounds are not in the limit of what it returns.
 */
export async function setRole(
  ports: StaffPorts,
  accountId: string,
  slug: string,
  gameId: number,
  { role, rounds = null }: { readonly role: StaffRole; readonly rounds?: readonly string[] | null },
): Promise<SavedMember> {
  const account = await ports.accounts.findByGameId(gameId)
  const saved = await changeTournament(ports, accountId, slug, (tournament, now) => {
    admit(tournament, accountId, 'setRole')
    if (account === null) throw noSuchPlayer()
    const { id, username } = account
    return changes.setRole(tournament, { accountId: id, gameId, username }, role, rounds, now)
  })
  const member = (saved && findMember(saved, gameId)) ?? notFound()
  const isThere = (id: string) => saved?.rounds.some((round) => round.id === id)
  return { ...member, rounds: member.rounds?.filter(isThere) ?? null }
}

/** Removes somebody from the staff; for hosts, and for oneself (D-61). Throws `conflict` for the last host. */
export async function removeMember(
  ports: Omit<TournamentPorts, 'random'>,
  accountId: string,
  slug: string,
  gameId: number,
): Promise<void> {
  const saved = await changeTournament(ports, accountId, slug, (tournament, now) => {
    const member = findMember(tournament, gameId)
    const isOneself = member?.accountId === accountId
    admit(tournament, accountId, isOneself ? 'leave' : 'removeMember')
    return changes.removeMember(tournament, member ?? notFound(), now)
  })
  if (saved === null) notFound()
}

function findMember({ staff }: SavedTournament, gameId: number): SavedMember | undefined {
  return staff.find((member) => member.gameId === gameId)
}
