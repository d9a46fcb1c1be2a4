import { refusal } from '../contract/errors.ts'
import { type StaffRole, staffRoles } from '../contract/tournaments.ts'
import type { SavedMember, SavedRound, SavedTournament } from './tournaments.ts'

/** Who somebody is to a tournament. Moderators are strangers to it, but can hide it (D-60). */
export type Standing = StaffRole | 'stranger'

/** What a tournament is for strangers. `hidden`: by a moderator. */
type TournamentState = 'private' | 'public' | 'hidden'

/** What a round is. `scheduled`: its release is to come, whether or not it has a pack; `released`: it has a pack. */
type RoundState = 'draft' | 'scheduled' | 'released'

const everybody = [...staffRoles, 'stranger'] as const satisfies readonly Standing[]
const staff = staffRoles
const discussing = ['host', 'pooler', 'tester'] as const satisfies readonly Standing[]
const drafting = ['host', 'pooler'] as const satisfies readonly Standing[]
const hosts = ['host'] as const satisfies readonly Standing[]

type Allowed = readonly Standing[]

/** Who may do what with a tournament, by its state (D-61). */
export const tournamentAccess = {
  read: { private: staff, public: everybody, hidden: staff },
  readDrafts: always(staff),
  readStaff: always(staff),
  update: always(hosts),
  delete: always(hosts),
  addRound: always(drafting),
  arrangeRounds: always(drafting),
  setRole: always(hosts),
  /** Of others: everybody may leave. */
  removeMember: always(hosts),
  leave: always(staff),
  invite: always(hosts),
} as const satisfies Record<string, Readonly<Record<TournamentState, Allowed>>>

/** Who may do what with a round of a tournament that is neither private nor hidden, by its state (D-61). */
export const roundAccess = {
  /** Strangers read what was released, never the draft. */
  read: { draft: staff, scheduled: staff, released: everybody },
  readDraft: whenever(staff),
  edit: whenever(drafting),
  delete: { draft: drafting, scheduled: hosts, released: hosts },
  release: whenever(hosts),
  setLinks: whenever(hosts),
  propose: whenever(discussing),
  vote: whenever(discussing),
  removeCandidate: whenever(drafting),
  /** One's own. */
  withdrawCandidate: whenever(discussing),
  remark: whenever(discussing),
  /** One's own: the text. */
  reword: whenever(discussing),
  settle: whenever(drafting),
  /** One's own. */
  settleOwn: whenever(discussing),
  removeRemark: whenever(hosts),
  /** One's own. */
  removeOwnRemark: whenever(discussing),
} as const satisfies Record<string, Readonly<Record<RoundState, Allowed>>>

export type TournamentAction = keyof typeof tournamentAccess
export type RoundAction = keyof typeof roundAccess

function always<A extends Allowed>(allowed: A) {
  return { private: allowed, public: allowed, hidden: allowed }
}

function whenever<A extends Allowed>(allowed: A) {
  return { draft: allowed, scheduled: allowed, released: allowed }
}

export const memberOf = ({ staff }: SavedTournament, accountId: string): SavedMember | undefined =>
  staff.find((member) => member.accountId === accountId)

export function standingOf(tournament: SavedTournament, accountId: string): Standing {
  return memberOf(tournament, accountId)?.role ?? 'stranger'
}

/** Whether a member of the staff is limited to rounds (D-81). */
function isLimited(tournament: SavedTournament, accountId: string): boolean {
  const { rounds = null } = memberOf(tournament, accountId) ?? {}
  return rounds !== null
}

/** Who somebody is to a round: who is limited to others is a stranger to it (D-81). */
export function standingIn(
  tournament: SavedTournament,
  { id }: Pick<SavedRound, 'id'>,
  accountId: string,
): Standing {
  const { role, rounds = null } = memberOf(tournament, accountId) ?? {}
  return role !== undefined && (rounds === null || rounds.includes(id)) ? role : 'stranger'
}

/** The rounds of which somebody may see the drafts. */
export const draftsOf = (tournament: SavedTournament, accountId: string): readonly SavedRound[] =>
  tournament.rounds.filter((round) => standingIn(tournament, round, accountId) !== 'stranger')

/** Not for who is limited to rounds. */
const ofAllRounds: readonly TournamentAction[] = ['addRound', 'arrangeRounds']

export function stateOf({ visibility, hiddenAt }: SavedTournament): TournamentState {
  return hiddenAt === null ? visibility : 'hidden'
}

function roundStateOf({ releaseAt, released }: SavedRound): RoundState {
  if (releaseAt !== null) return 'scheduled'
  return released === null ? 'draft' : 'released'
}

export function mayDo(
  tournament: SavedTournament,
  accountId: string,
  action: TournamentAction,
): boolean {
  const allowed: Allowed = tournamentAccess[action][stateOf(tournament)]
  if (isLimited(tournament, accountId) && ofAllRounds.includes(action)) return false
  return allowed.includes(standingOf(tournament, accountId))
}

export function mayDoInRound(
  tournament: SavedTournament,
  round: SavedRound,
  accountId: string,
  action: RoundAction,
): boolean {
  const standing = standingIn(tournament, round, accountId)
  if (standing === 'stranger') {
    // A round that has a pack is open to strangers while its next release is scheduled, too.
    const state = round.released === null ? 'draft' : 'released'
    const allowed: Allowed = roundAccess[action][state]
    return stateOf(tournament) === 'public' && allowed.includes('stranger')
  }
  const allowed: Allowed = roundAccess[action][roundStateOf(round)]
  return allowed.includes(standing)
}

/** Throws `not_found` for strangers, `forbidden` for the staff (D-60, D-61). */
export function refuse(standing: Standing): never {
  throw refusal(standing === 'stranger' ? 'tournamentNotFound' : 'roleForbids')
}

/** Throws unless the account may do this with the tournament (D-60, D-61). */
export function assertMay(
  tournament: SavedTournament,
  accountId: string,
  action: TournamentAction,
): void {
  if (!mayDo(tournament, accountId, action)) refuse(standingOf(tournament, accountId))
}

/** Throws unless the account may do this with the round (D-60, D-61). */
export function assertMayInRound(
  tournament: SavedTournament,
  round: SavedRound,
  accountId: string,
  action: RoundAction,
): void {
  if (mayDoInRound(tournament, round, accountId, action)) return
  refuse(standingIn(tournament, round, accountId))
}
