import { MAX_ROUNDS, MAX_STAFF } from '../contract/bounds.ts'
import { AppError } from '../contract/errors.ts'
import { type StaffRole, staffRoles } from '../contract/tournaments.ts'
import { ofPrograms, wrong } from '../pool/input-words.ts'
import { invalidInput } from './invalid-input.ts'
import { changed } from './tournament-changes.ts'
import type { SavedMember, SavedTournament } from './tournaments.ts'

// Changes of the staff of a tournament, as in `tournament-changes.ts`.

/**
 * Gives an account a role, for all rounds or for some (D-81); one that is on the staff keeps its place among those of
 * the role, and deleted rounds in their limit. Throws `bad_request` for a host who is limited, for rounds that are not
 * there, and for none, unless the member is limited to deleted ones alone.
 *
 * @param limit the ids of the rounds; null for all.
 */
export function setRole(
  saved: SavedTournament,
  account: Pick<SavedMember, 'accountId' | 'gameId' | 'username'>,
  role: StaffRole,
  limit: readonly string[] | null,
  now: number,
) {
  const before = saved.staff.find(({ accountId }) => accountId === account.accountId)?.rounds
  // Deleted rounds are not told, and they come back with their restore (D-82).
  const deleted = before?.filter((id) => !saved.rounds.some((round) => round.id === id)) ?? []
  const isAsItShows = limit?.length === 0 && before?.length === deleted.length
  assertLimit(saved, role, limit, isAsItShows)
  return withMember(saved, account, role, limit && [...limit, ...deleted], now)
}

/** As `setRole`; the limit may name deleted rounds, which its member has again once they are restored (D-82). */
export function withMember(
  saved: SavedTournament,
  account: Pick<SavedMember, 'accountId' | 'gameId' | 'username'>,
  role: StaffRole,
  limit: readonly string[] | null,
  now: number,
) {
  const there = saved.rounds.flatMap(({ id }) => (limit?.includes(id) ? id : []))
  const rounds = limit && [...new Set([...there, ...limit])]
  const member = saved.staff.find(({ accountId }) => accountId === account.accountId)
  if (member?.role === role && JSON.stringify(member.rounds) === JSON.stringify(rounds)) {
    return saved
  }
  if (member === undefined && saved.staff.length >= MAX_STAFF) {
    const message = `the staff already has ${MAX_STAFF} members; remove someone first`
    throw new AppError('conflict:too_many_staff', message)
  }
  const { accountId, gameId, username } = account
  const others = saved.staff.filter((each) => each !== member)
  const since = member?.since ?? now
  // `changed` sets it anew.
  const seenAt = rounds && (member?.seenAt ?? null)
  const next = { accountId, gameId, username, role, rounds, since, seenAt }
  return withStaff(saved, [...others, next], now)
}

/** Throws `bad_request` unless a member with this role can be limited to these rounds (D-81). @param mayBeNone of them. */
export function assertLimit(
  { rounds }: SavedTournament,
  role: StaffRole,
  limit: readonly string[] | null,
  mayBeNone = false,
): void {
  if (limit === null) return
  if (role === 'host') {
    const why = 'must be left out: a host cannot be limited to rounds'
    throw invalidInput([{ place: 'rounds', ...ofPrograms(why) }])
  }
  if (limit.length === 0 && !mayBeNone) {
    const what = wrong('items', { least: 1, most: MAX_ROUNDS })
    throw invalidInput([{ place: 'rounds', what }])
  }
  const at = limit.findIndex((id) => !rounds.some((round) => round.id === id))
  if (at < 0) return
  const message = `rounds[${at}] must be the id of a round of the tournament`
  throw new AppError('bad_request:no_such_round', message)
}

/** Removes somebody from the staff. */
export function removeMember(saved: SavedTournament, member: SavedMember, now: number) {
  return withStaff(
    saved,
    saved.staff.filter(({ accountId }) => accountId !== member.accountId),
    now,
  )
}

function withStaff(
  saved: SavedTournament,
  staff: readonly SavedMember[],
  now: number,
): SavedTournament {
  if (!staff.some(({ role }) => role === 'host')) {
    const message = 'a tournament needs a host; make someone else a host first, or delete it'
    throw new AppError('conflict:last_host', message)
  }
  const sorted = staffRoles.flatMap((role) =>
    staff.filter((each) => each.role === role).toSorted((a, b) => a.since - b.since),
  )
  return changed(saved, { staff: sorted }, now)
}
