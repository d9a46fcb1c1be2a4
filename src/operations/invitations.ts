import { MAX_INVITATIONS, MAX_TOURNAMENTS } from '../contract/bounds.ts'
import { AppError, refusal } from '../contract/errors.ts'
import { accountGone } from '../domain/accounts.ts'
import { invitationEnd, joinStaff, type SavedInvitation } from '../domain/invitations.ts'
import { assertLimit } from '../domain/staff-changes.ts'
import { newSlug } from '../domain/keys.ts'
import { isToken, makeToken, type Session, TOKEN_BYTES } from '../domain/sessions.ts'
import type { SavedTournament } from '../domain/tournaments.ts'
import type { Ports } from '../ports/ports.ts'
import { admit, getTournament, notFound, noOtherHost } from './tournaments.ts'

type InvitationPorts = Pick<Ports, 'invitations' | 'tournaments' | 'clock' | 'hasher'>

/** The open invitations, newest first, for hosts (D-61). */
export async function listInvitations(
  ports: InvitationPorts,
  accountId: string,
  slug: string,
): Promise<readonly SavedInvitation[]> {
  admit(await getTournament(ports, accountId, slug), accountId, 'invite')
  return ports.invitations.list(slug, ports.clock.now())
}

/**
 * Makes an invitation; only a hash of the token in its link is stored. Throws `bad_request` for an invalid limit (D-81),
 * `not_found` or `forbidden` for others than hosts, `conflict` when `MAX_INVITATIONS` are open.
 */
export async function makeInvitation(
  { invitations, clock, random, hasher }: InvitationPorts & Pick<Ports, 'random'>,
  accountId: string,
  slug: string,
  { role, rounds = null }: Pick<SavedInvitation, 'role'> & Partial<Pick<SavedInvitation, 'rounds'>>,
): Promise<{ readonly invitation: SavedInvitation; readonly token: string }> {
  const createdAt = clock.now()
  const expiresAt = invitationEnd(createdAt)
  const made = { id: newSlug(random), slug, role, rounds, createdBy: accountId }
  const invitation = { ...made, createdAt, expiresAt }
  const token = makeToken(random.bytes(TOKEN_BYTES))
  const outcome = await invitations.create(
    invitation,
    hasher.sha256(token),
    MAX_INVITATIONS,
    (saved) => {
      admit(saved, accountId, 'invite')
      assertLimit(saved, role, rounds)
    },
  )
  if (outcome === null) notFound()
  if (outcome === 'full') {
    const message = `${MAX_INVITATIONS} invitations are open already; withdraw one first`
    throw new AppError('conflict:too_many_invitations', message)
  }
  return { invitation, token }
}

/** Withdraws an invitation; for hosts (D-61). */
export async function withdrawInvitation(
  { invitations }: InvitationPorts,
  accountId: string,
  slug: string,
  id: string,
): Promise<void> {
  const isRemoved = await invitations.remove(slug, id, (saved) => admit(saved, accountId, 'invite'))
  if (!isRemoved) notFound()
}

type Offer = {
  readonly tournament: SavedTournament
  readonly invitation: Pick<SavedInvitation, 'role' | 'rounds'>
}

/** The tournament and role of an invitation link; `not_found` unless it is valid now. */
export async function readInvitation(
  { invitations, tournaments, clock, hasher }: InvitationPorts,
  token: string,
): Promise<Offer> {
  const invitation = isToken(token)
    ? await invitations.find(hasher.sha256(token), clock.now())
    : null
  const tournament = invitation && (await tournaments.read(invitation.slug))
  if (invitation === null || tournament === null) throw refusal('invitationNotFound')
  return { invitation, tournament }
}

/**
 * Joins the staff by a link, once. Somebody who has its role already, or a higher one, keeps that, and the link
 * stays valid. Throws `not_found` unless it is valid, `conflict` when the staff is full, or somebody who becomes
 * a host hosts as many tournaments as they may.
 */
export async function acceptInvitation(
  { invitations, clock, hasher }: InvitationPorts,
  { accountId, gameId, username }: Session,
  token: string,
): Promise<Offer> {
  if (!isToken(token)) throw refusal('invitationNotFound')
  let used: SavedInvitation | null = null
  const now = clock.now()
  const result = await invitations.accept(
    hasher.sha256(token),
    now,
    MAX_TOURNAMENTS,
    (saved, invitation) => {
      used = invitation
      return joinStaff(saved, invitation, { accountId, gameId, username }, now)
    },
  )
  if (result === 'no_account') throw accountGone()
  if (result === 'no_host') throw noOtherHost()
  if (result === 'full') {
    const message = `you already host ${MAX_TOURNAMENTS} tournaments; delete one first`
    throw new AppError('conflict:too_many_tournaments', message)
  }
  if (result === null || used === null) throw refusal('invitationNotFound')
  return { tournament: result, invitation: used }
}
