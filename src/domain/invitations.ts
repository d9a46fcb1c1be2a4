import { INVITATION_DAYS } from '../contract/bounds.ts'
import { refusal } from '../contract/errors.ts'
import { DAY_MS } from '../contract/quotas.ts'
import type { Invitation, InvitationReply } from '../contract/staff.ts'
import { type StaffRole, staffRoles } from '../contract/tournaments.ts'
import { timestamp } from './quotas.ts'
import { memberOf, standingOf } from './tournament-access.ts'
import { withMember } from './staff-changes.ts'
import type { SavedMember, SavedTournament, TournamentContent } from './tournaments.ts'

/** An invitation as the store holds it. Times are ms since the epoch. */
export type SavedInvitation = {
  readonly id: string
  readonly slug: string
  readonly role: StaffRole
  /** The ids of the rounds that it is limited to; null for all (D-81). */
  readonly rounds: readonly string[] | null
  /** The account of the host who made it. */
  readonly createdBy: string
  readonly createdAt: number
  readonly expiresAt: number
}

/** Until when an invitation is valid that is made now. */
export const invitationEnd = (now: number): number => now + INVITATION_DAYS * DAY_MS

export const presentInvitation = (invitation: SavedInvitation): Invitation => ({
  id: invitation.id,
  role: invitation.role,
  ...(invitation.rounds !== null && { rounds: [...invitation.rounds] }),
  createdAt: timestamp(invitation.createdAt),
  expiresAt: timestamp(invitation.expiresAt),
})

/** What somebody with a valid link learns of the tournament: by joining they could read these rounds (D-81). */
export function presentOffer(
  tournament: SavedTournament,
  { role, rounds: limit }: Pick<SavedInvitation, 'role' | 'rounds'>,
  accountId: string,
): InvitationReply {
  const { slug, name, rounds } = tournament
  const member = memberOf(tournament, accountId)
  const isMore = limitAfter(member, { role, rounds: limit }) !== undefined
  const named = rounds.flatMap(({ id, name }) => (limit?.includes(id) ? { id, name } : []))
  return {
    tournament: { slug, name },
    role,
    ...(limit !== null && { rounds: named }),
    ...(member && { currentRole: member.role, ...(isMore && { isMore }) }),
  }
}

/**
 * The tournament with the account on its staff; null when it has a higher role already, or this one for these rounds.
 * Who has it for some rounds gets it for these, too. Throws `not_found` when who made the invitation is no host any more, `conflict` when there is no room on the staff.
 */
export function joinStaff(
  saved: SavedTournament,
  invitation: SavedInvitation,
  account: Pick<SavedMember, 'accountId' | 'gameId' | 'username'>,
  now: number,
): TournamentContent | null {
  if (standingOf(saved, invitation.createdBy) !== 'host') throw refusal('invitationNotFound')
  const limit = limitAfter(memberOf(saved, account.accountId), invitation)
  return limit === undefined ? null : withMember(saved, account, invitation.role, limit, now)
}

/**
 * What who joins is limited to; null for nothing, undefined when they get nothing that they have not. Rounds that were
 * deleted since stay in it: they may be restored.
 */
function limitAfter(
  member: SavedMember | undefined,
  { role, rounds }: Pick<SavedInvitation, 'role' | 'rounds'>,
): readonly string[] | null | undefined {
  if (member === undefined) return rounds
  // The roles are in the order of what they allow.
  const more = staffRoles.indexOf(member.role) - staffRoles.indexOf(role)
  if (more > 0) return rounds
  const { rounds: own } = member
  if (more < 0 || own === null) return undefined
  if (rounds === null) return null
  return rounds.every((id) => own.includes(id)) ? undefined : [...own, ...rounds]
}
