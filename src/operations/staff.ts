import { refusal } from '../contract/errors.ts'
import type { StaffRole } from '../contract/tournaments.ts'
import { type Awaitable, whenKnown } from '../domain/loading.ts'
import type { Precondition } from '../domain/reading/requests.ts'
import * as staffChanges from '../domain/staff-changes.ts'
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

/** A member of the staff, and their tournament. */
export type MemberInTournament = {
  readonly tournament: SavedTournament
  readonly member: SavedMember
}
type MemberCheck = Precondition<MemberInTournament>

/** The staff, for its members (D-60). */
export function listStaff(
  ports: TournamentReadPorts,
  accountId: string,
  slug: string,
): Awaitable<SavedTournament> {
  return whenKnown(getTournament(ports, accountId, slug), (tournament) => {
    admit(tournament, accountId, 'readStaff')
    return tournament
  })
}

/** One member of the staff, for its members; `not_found` otherwise (D-60). */
export function getMember(
  ports: TournamentReadPorts,
  accountId: string,
  slug: string,
  gameId: number,
): Awaitable<MemberInTournament> {
  return whenKnown(listStaff(ports, accountId, slug), (tournament) => {
    const member = findMember(tournament, gameId) ?? notFound()
    return { tournament, member }
  })
}

type StaffPorts = Omit<TournamentPorts, 'random'> & Pick<Ports, 'accounts'>

/**
 * Gives a player a role, for all rounds or for some. Throws `not_found` also when they have no account, `conflict` when
 * the last host would lose the role or a bound is reached.
 */
export async function setRole(
  ports: StaffPorts,
  accountId: string,
  slug: string,
  gameId: number,
  { role, rounds = null }: { readonly role: StaffRole; readonly rounds?: readonly string[] | null },
  check?: MemberCheck,
): Promise<MemberInTournament> {
  const account = await ports.accounts.findByGameId(gameId)
  const saved = await changeTournament(ports, accountId, slug, (tournament, now) => {
    admit(tournament, accountId, 'setRole', ofNothing(check))
    const member = findMember(tournament, gameId)
    if (account === null) {
      check?.(null)
      throw noSuchPlayer()
    }
    // No tag names somebody who is still to be added.
    if (member === undefined && check !== undefined) throw refusal('nothingHereToMatch')
    if (member !== undefined) check?.({ tournament, member })
    const { id, username } = account
    return staffChanges.setRole(tournament, { accountId: id, gameId, username }, role, rounds, now)
  })
  const member = saved && findMember(saved, gameId)
  return saved && member ? { tournament: saved, member } : notFound(check)
}

/** Removes somebody from the staff; for hosts, and for oneself (D-61). Throws `conflict` for the last host. */
export async function removeMember(
  ports: Omit<TournamentPorts, 'random'>,
  accountId: string,
  slug: string,
  gameId: number,
  check?: MemberCheck,
): Promise<void> {
  const saved = await changeTournament(ports, accountId, slug, (tournament, now) => {
    const member = findMember(tournament, gameId)
    const isOneself = member?.accountId === accountId
    admit(tournament, accountId, isOneself ? 'leave' : 'removeMember', ofNothing(check))
    if (member === undefined) return notFound(check)
    check?.({ tournament, member })
    return staffChanges.removeMember(tournament, member, now)
  })
  if (saved === null) notFound(check)
}

/** For accounts that may not see the tournament: the same as where it is missing (D-60). */
const ofNothing =
  (check: MemberCheck | undefined): Precondition<SavedTournament> =>
  (saved) => {
    if (saved === null) check?.(null)
  }

function findMember({ staff }: SavedTournament, gameId: number): SavedMember | undefined {
  return staff.find((member) => member.gameId === gameId)
}
