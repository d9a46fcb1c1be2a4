import { MAX_ROUNDS, MAX_STAFF } from '../contract/bounds.ts'
import { AppError, refusal } from '../contract/errors.ts'
import { type StaffRole, staffRoles, type TournamentPatch } from '../contract/tournaments.ts'
import { releasedFields } from '../pool/round-fields.ts'
import { SYSTEM_ACCOUNT_ID } from './accounts.ts'
import { contentOf, firstSave, laterSave, type SavedPack } from './packs.ts'
import {
  assertReleasable,
  changedSlots,
  draftOf,
  foldName,
  packInputOf,
  releaseProblem,
  type SheetRound,
  type SlotChange,
} from './rounds.ts'
import { presentPublic } from './tournament-views.ts'
import {
  type HiddenPack,
  type PackChange,
  patchedFacts,
  type RoundContent,
  type SavedMember,
  type SavedRound,
  type SavedTournament,
  type TournamentChange,
  type TournamentContent,
} from './tournaments.ts'

// Each function returns the tournament after a change; who may make it is asserted before. What a tournament
// cannot become is a `conflict`, and scheduled rounds can always be released. Times are ms since the epoch.

/** Changes what hosts set. Throws `bad_request` for a patch that is invalid here. */
export function updateFacts(saved: SavedTournament, patch: TournamentPatch, now: number) {
  return changed(saved, patchedFacts(saved, patch), now)
}

/** Adds a round after the others. */
export function addRound(saved: SavedTournament, content: RoundContent, id: string, now: number) {
  return withRounds(saved, [...saved.rounds, newRound(content, id, now)], now)
}

/**
 * Makes the rounds those of a sheet, in its order. Throws `bad_request` for an id that no round has, `conflict`
 * when a scheduled or released round is not in it.
 */
export function replaceRounds(
  saved: SavedTournament,
  sheet: readonly SheetRound[],
  newRoundId: () => string,
  now: number,
) {
  const free = new Map(saved.rounds.map((round) => [round.id, round]))
  for (const [at, { id }] of sheet.entries()) {
    if (id !== null && !free.delete(id)) {
      const remedy = 'must be that of a round of the tournament; leave it out for a new one'
      throw new AppError('bad_request', `rounds[${at}].id ${remedy}`)
    }
  }
  const ofId = new Map(saved.rounds.map((round) => [round.id, round]))
  const byName = new Map([...free.values()].map((round) => [foldName(round.name), round]))
  const rounds = sheet.map(({ id, content }) => {
    const round = id === null ? byName.get(foldName(content.name)) : ofId.get(id)
    if (round === undefined) return newRound(content, newRoundId(), now)
    free.delete(round.id)
    return isSameDraft(round, content) ? round : redrafted(round, content, now)
  })
  for (const { name, releaseAt, released } of free.values()) {
    if (releaseAt === null && released === null) continue
    const state = releaseAt === null ? 'released' : 'scheduled'
    throw new AppError(
      'conflict',
      `${name} is ${state}: keep it in the list, or delete it by itself`,
    )
  }
  return withRounds(saved, rounds, now)
}

/** Replaces the draft of a round. */
export function replaceRound(
  saved: SavedTournament,
  round: SavedRound,
  content: RoundContent,
  now: number,
) {
  return withRound(saved, redrafted(round, content, now), now)
}

/** Changes slots of a draft, all or none (D-62). */
export function changeSlots(
  saved: SavedTournament,
  round: SavedRound,
  changes: readonly SlotChange[],
  now: number,
) {
  return replaceRound(saved, round, { ...draftOf(round), ...changedSlots(round, changes) }, now)
}

type WithPacks = TournamentChange & { readonly content: TournamentContent }

/** Removes a round with its pack. */
export function removeRound(saved: SavedTournament, round: SavedRound, now: number): WithPacks {
  const rounds = saved.rounds.filter(({ id }) => id !== round.id)
  return { content: withRounds(saved, rounds, now), packs: removals([round]) }
}

/** The packs that go with these rounds. */
export function removals(rounds: readonly SavedRound[]): PackChange[] {
  return rounds.flatMap(({ released }) =>
    released?.pack ? [{ kind: 'remove', slug: released.packSlug }] : [],
  )
}

/** Schedules a release. Throws `conflict` unless the round can be released (D-63, D-76). */
export function schedule(saved: SavedTournament, round: SavedRound, at: number, now: number) {
  refuseHidden(saved)
  assertReleasable(saved, round)
  return withRound(saved, moved({ ...round, releaseAt: at }, now), now)
}

/** Withdraws what is scheduled or, if nothing is, the pack; with neither, nothing changes. */
export function withdraw(saved: SavedTournament, round: SavedRound, now: number): WithPacks {
  if (round.releaseAt !== null) {
    return { content: withRound(saved, moved({ ...round, releaseAt: null }, now), now), packs: [] }
  }
  if (round.released === null) return { content: saved, packs: [] }
  const withdrawn = moved({ ...round, released: null }, now)
  return { content: withRound(saved, withdrawn, now), packs: removals([round]) }
}

/**
 * Releases a round now: makes its pack, or replaces the one that it has. Throws `conflict` unless the round can
 * be released (D-63), and when the tournament is hidden (D-76).
 *
 * @param newSlug of a pack that is made.
 */
export function release(
  saved: SavedTournament,
  round: SavedRound,
  newSlug: string,
  now: number,
): WithPacks {
  refuseHidden(saved)
  assertReleasable(saved, round)
  const { pack, change } = packAfter(saved, round, newSlug, now)
  const fields = { name: round.name, ...releasedFields(round) }
  const released = { ...fields, packSlug: pack.slug, at: now, pack }
  const next = moved({ ...round, releaseAt: null, released }, now)
  return { content: withRound(saved, next, now), packs: [change] }
}

function packAfter(
  saved: SavedTournament,
  round: SavedRound,
  newSlug: string,
  now: number,
): { pack: SavedPack; change: PackChange } {
  const content = contentOf(packInputOf(saved, round))
  const before = round.released?.pack ?? null
  if (before === null) {
    const first = firstSave(content, { slug: newSlug, ownerId: SYSTEM_ACCOUNT_ID, now })
    const { hiddenPack } = round
    const pack = hiddenPack === null ? first : { ...first, ...hiddenAs(hiddenPack) }
    return { pack: { ...pack, ownerUsername: null }, change: { kind: 'create', pack } }
  }
  const state = laterSave(before, content, now)
  return {
    pack: { ...before, ...state },
    change: { kind: 'replace', slug: before.slug, state },
  }
}

/** What its moderators decided of a pack holds for the one that comes in its place (D-76). */
const hiddenAs = ({ at, reason }: HiddenPack) => ({
  hiddenAt: at,
  hiddenReason: reason,
  versionHidden: true,
})

function refuseHidden({ hiddenAt }: SavedTournament): void {
  if (hiddenAt !== null) throw refusal('tournamentHidden')
}

/**
 * Releases a round whose time has come; null when it has not, when there is no such round any more, and while the
 * tournament is hidden: then the schedule waits (D-76). The schedule of one that cannot be released, since rules for
 * texts became stricter, is withdrawn.
 */
export function releaseIfDue(
  saved: SavedTournament,
  roundId: string,
  newSlug: string,
  now: number,
): WithPacks | null {
  const round = saved.rounds.find(({ id }) => id === roundId)
  const isDue = round !== undefined && round.releaseAt !== null && round.releaseAt <= now
  if (!isDue || saved.hiddenAt !== null) return null
  return releaseProblem(saved, round) === null
    ? release(saved, round, newSlug, now)
    : withdraw(saved, round, now)
}

/** Gives an account a role; one that is on the staff keeps its place among those of the role. */
export function setRole(
  saved: SavedTournament,
  account: Pick<SavedMember, 'accountId' | 'gameId' | 'username'>,
  role: StaffRole,
  now: number,
) {
  const member = saved.staff.find(({ accountId }) => accountId === account.accountId)
  if (member?.role === role) return saved
  if (member === undefined && saved.staff.length >= MAX_STAFF) {
    const message = `the staff already has ${MAX_STAFF} members; remove somebody first`
    throw new AppError('conflict', message)
  }
  const { accountId, gameId, username } = account
  const others = saved.staff.filter((each) => each !== member)
  return withStaff(
    saved,
    [...others, { accountId, gameId, username, role, since: member?.since ?? now }],
    now,
  )
}

/** Removes somebody from the staff. */
export function removeMember(saved: SavedTournament, member: SavedMember, now: number) {
  return withStaff(
    saved,
    saved.staff.filter(({ accountId }) => accountId !== member.accountId),
    now,
  )
}

/** Hides a public tournament from all but its staff. Throws `not_found` for a private one: moderators do not see it (D-60). */
export function hide(saved: SavedTournament, reason: string | null, now: number) {
  refusePrivate(saved)
  const { hiddenAt, hiddenReason } = saved
  return changed(saved, { hiddenAt: hiddenAt ?? now, hiddenReason: reason ?? hiddenReason }, now)
}

/** Shows a hidden tournament again. Throws `not_found` for a private one. */
export function unhide(saved: SavedTournament, now: number) {
  refusePrivate(saved)
  return saved.hiddenAt === null
    ? saved
    : changed(saved, { hiddenAt: null, hiddenReason: null }, now)
}

function refusePrivate({ visibility }: SavedTournament): void {
  if (visibility === 'private') throw refusal('tournamentNotFound')
}

function newRound(content: RoundContent, id: string, now: number): SavedRound {
  const times = { createdAt: now, updatedAt: now }
  const nothing = { releaseAt: null, released: null, hiddenPack: null }
  return { ...content, id, ...nothing, version: 1, ...times }
}

/** The round with another draft; what differs from the one before is a version. */
function redrafted(round: SavedRound, content: RoundContent, now: number): SavedRound {
  const version = isSameDraft(round, content) ? round.version : round.version + 1
  return moved({ ...round, ...content, version }, now)
}

function moved(round: SavedRound, now: number): SavedRound {
  return { ...round, updatedAt: Math.max(now, round.updatedAt + 1) }
}

function isSameDraft(one: RoundContent, other: RoundContent): boolean {
  return JSON.stringify(draftOf(one)) === JSON.stringify(draftOf(other))
}

function withRound(saved: SavedTournament, round: SavedRound, now: number): SavedTournament {
  const rounds = saved.rounds.map((each) => (each.id === round.id ? round : each))
  return withRounds(saved, rounds, now)
}

function withRounds(
  saved: SavedTournament,
  rounds: readonly SavedRound[],
  now: number,
): SavedTournament {
  if (rounds.length > MAX_ROUNDS) {
    const message = `the tournament already has ${MAX_ROUNDS} rounds; delete one first`
    throw new AppError('conflict', message)
  }
  const names = rounds.map(({ name }) => foldName(name))
  const taken = rounds.find((_, at) => names.indexOf(names[at] ?? '') !== at)
  if (taken !== undefined) {
    const message = `another round of the tournament is called ${taken.name} already; take another name`
    throw new AppError('conflict', message)
  }
  return changed(saved, { rounds }, now)
}

function withStaff(
  saved: SavedTournament,
  staff: readonly SavedMember[],
  now: number,
): SavedTournament {
  if (!staff.some(({ role }) => role === 'host')) {
    const message = 'a tournament needs a host; make somebody else one first, or delete it'
    throw new AppError('conflict', message)
  }
  const sorted = staffRoles.flatMap((role) =>
    staff.filter((each) => each.role === role).toSorted((a, b) => a.since - b.since),
  )
  return changed(saved, { staff: sorted }, now)
}

/** `updatedAt` always moves (D-26), `publicAt` only if what others than the staff see has changed (D-60). */
function changed(
  saved: SavedTournament,
  changes: Partial<TournamentContent>,
  now: number,
): SavedTournament {
  const next = { ...saved, ...changes, updatedAt: Math.max(now, saved.updatedAt + 1) }
  const isRenamed = next.name !== saved.name || next.shortName !== saved.shortName
  for (const round of next.rounds) {
    // One that could not be released before, since rules became stricter, keeps nothing else from changing.
    if (round.releaseAt === null || (!isRenamed && saved.rounds.includes(round))) continue
    const problem = releaseProblem(next, round)
    if (problem === null) continue
    const message = `${round.name} is scheduled, and could not be released: ${problem}; withdraw the schedule first`
    throw new AppError('conflict', message)
  }
  const isSeen = JSON.stringify(presentPublic(saved)) !== JSON.stringify(presentPublic(next))
  return { ...next, publicAt: isSeen ? Math.max(now, saved.publicAt + 1) : saved.publicAt }
}
