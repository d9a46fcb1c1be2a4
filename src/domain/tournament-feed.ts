import type { TournamentChange, TournamentChangeKind } from '../contract/tournament-feed.ts'
import type { Round } from '../contract/rounds.ts'
import { placeKey } from '../pool/slots.ts'
import type { FeedEntry } from './changes.ts'
import { timestamp } from './quotas.ts'
import { memberOf, standingIn, stateOf } from './tournament-access.ts'
import {
  isPlanned,
  presentDraft,
  presentPublic,
  presentReleased,
  presentStaff,
  presentSummary,
} from './tournament-views.ts'
import type { SavedMember, SavedRound, SavedTournament } from './tournaments.ts'

/** What has happened to a tournament, for those who may know of it. */
export type TournamentNews = {
  readonly kind: TournamentChangeKind
  /** The id of the round that it is about; null for none. */
  readonly roundId: string | null
  readonly packSlug: string | null
  /** The ids of the accounts that may know of it, without order; null for everybody. */
  readonly readers: readonly string[] | null
}

export type TournamentFeedEntry = FeedEntry & TournamentNews & { readonly tournament: string }

/** An entry as the account may know it; null if it may not (D-89). */
export function tournamentChangeFor(
  { cursor, at, kind, tournament, roundId, packSlug, readers }: TournamentFeedEntry,
  accountId: string,
): TournamentChange | null {
  if (readers !== null && !readers.includes(accountId)) return null
  return {
    cursor,
    at: timestamp(at),
    kind,
    tournament,
    ...(roundId !== null && { round: roundId }),
    ...(packSlug !== null && { packSlug }),
  }
}

/** What has happened to the candidates and remarks of a round: for those who may see its draft. */
export const discussionNews = (
  tournament: SavedTournament,
  round: SavedRound,
  kind: 'candidate' | 'remark',
): TournamentNews => ({
  kind,
  roundId: round.id,
  packSlug: null,
  readers: tournament.staff.flatMap(({ accountId }) =>
    standingIn(tournament, round, accountId) === 'stranger' ? [] : [accountId],
  ),
})

/**
 * What a change of a tournament says to whom; null before it is made, and after it is deleted. Everything follows from
 * what each reader reads before and after, times left out: so nothing is said to who cannot see a difference, and
 * nothing that they see changes in silence (D-60, D-81). Whose own place on the staff changes is told that, and reads
 * everything again.
 */
export function newsOf(
  before: SavedTournament | null,
  after: SavedTournament | null,
): readonly TournamentNews[] {
  const change = { before, after, stayed: stayedOf(before, after) }
  const news = [...tournamentNews(change), ...roundNews(change), ...staffNews(change)]
  return news.filter(({ readers }) => readers === null || readers.length > 0)
}

type Change = {
  readonly before: SavedTournament | null
  readonly after: SavedTournament | null
  /** Whose place on the staff is the same before and after. */
  readonly stayed: readonly SavedMember[]
}

const samePlace = (one: SavedMember, other: SavedMember | undefined): boolean =>
  one === other ||
  (one.role === other?.role && JSON.stringify(one.rounds) === JSON.stringify(other.rounds))

function stayedOf(before: SavedTournament | null, after: SavedTournament | null) {
  if (before === null || after === null) return []
  return after.staff.filter((member) => samePlace(member, memberOf(before, member.accountId)))
}

const idsOf = (members: readonly SavedMember[]) => members.map(({ accountId }) => accountId)
const isOpen = (tournament: SavedTournament | null): boolean =>
  tournament !== null && stateOf(tournament) === 'public'
const tell = (
  kind: TournamentChangeKind,
  readers: readonly string[] | null,
  round: { readonly roundId?: string; readonly packSlug?: string | undefined } = {},
): TournamentNews => ({
  kind,
  roundId: round.roundId ?? null,
  packSlug: round.packSlug ?? null,
  readers,
})

/** Of what is not of one round, and not of the staff. */
function tournamentNews({ before, after, stayed }: Change): readonly TournamentNews[] {
  if (isOpen(before) !== isOpen(after)) return [tell(isOpen(after) ? 'shown' : 'hidden', null)]
  if (before === null || after === null) return before ? [tell('hidden', idsOf(before.staff))] : []
  const isPublic = isOpen(after) && publicFacts(before) !== publicFacts(after)
  const isSeen = isPublic || staffFacts(before) !== staffFacts(after)
  const changed = isSeen ? [tell('changed', isPublic ? null : idsOf(stayed))] : []
  if (isSameOrder(before, after)) return changed
  const isPublicOrder = isOpen(after) && isReordered(before, after, isShown)
  const reordered = stayed.filter(({ accountId }) =>
    isReordered(before, after, (tournament, round) => sees(tournament, round, accountId)),
  )
  if (!isPublicOrder) return [...changed, tell('draft', idsOf(reordered))]
  return isPublic ? changed : [tell('changed', null)]
}

function publicFacts(tournament: SavedTournament): string {
  const { rounds: _, updatedAt: __, ...facts } = presentPublic(tournament)!
  return JSON.stringify(facts)
}

const staffFacts = (tournament: SavedTournament): string =>
  JSON.stringify({ ...presentSummary(tournament, 'host'), updatedAt: '' })

const isSameOrder = (before: SavedTournament, after: SavedTournament): boolean =>
  before.rounds.every(({ id }, at) => id === after.rounds[at]?.id)

type Sees = (tournament: SavedTournament, round: SavedRound) => boolean

const isShown: Sees = (_, round) => presentReleased(round) !== null

const sees = (tournament: SavedTournament, round: SavedRound, accountId: string): boolean =>
  standingIn(tournament, round, accountId) !== 'stranger' ||
  (isOpen(tournament) && presentReleased(round) !== null)

/** Whether the rounds that are seen before and after have another order. */
function isReordered(before: SavedTournament, after: SavedTournament, isSeen: Sees): boolean {
  const seenIn = (tournament: SavedTournament): readonly string[] =>
    tournament.rounds.flatMap((round) => (isSeen(tournament, round) ? [round.id] : []))
  const [old, now] = [seenIn(before), seenIn(after)]
  const left = old.filter((id) => now.includes(id))
  return now.filter((id) => old.includes(id)).some((id, at) => id !== left[at])
}

function roundNews({ before, after, stayed }: Change): readonly TournamentNews[] {
  const wasThere = new Map((before?.rounds ?? []).map((round) => [round.id, round]))
  const isThere = new Map((after?.rounds ?? []).map((round) => [round.id, round]))
  if (before === null || after === null) return []
  const isPublic = isOpen(before) && isOpen(after)
  return [...new Set([...isThere.keys(), ...wasThere.keys()])].flatMap((id) => {
    const [old, now] = [wasThere.get(id), isThere.get(id)]
    if (old === now) return []
    const readers = stayed.filter(({ rounds }) => rounds === null || rounds.includes(id))
    const released = releaseNews(old, now)
    if (released !== null) return [{ ...released, readers: isPublic ? null : idsOf(readers) }]
    return draftText(old) === draftText(now) ? [] : [tell('draft', idsOf(readers), { roundId: id })]
  })
}

/** What has happened to what was released of a round; null if nothing has. */
function releaseNews(old: SavedRound | undefined, now: SavedRound | undefined) {
  const [was, is] = [old && presentReleased(old), now && presentReleased(now)]
  const { id: roundId, packSlug } = is ?? was ?? {}
  if (roundId === undefined || packSlug === undefined) return null
  const about = { roundId, packSlug }
  if (!was || !is) return tell(is ? 'released' : 'withdrawn', null, about)
  if (releasedText(was) === releasedText(is)) return null
  const planned = new Set(was.slots.filter(isPlanned).map(placeKey))
  return tell(isFilled(was, is, planned) ? 'filled' : 'changed', null, about)
}

/** Whether nothing differs but slots that were planned. */
function isFilled(was: Round, is: Round, planned: ReadonlySet<string>): boolean {
  const rest = (round: Round): string => {
    const slots = round.slots.map((slot) => (planned.has(placeKey(slot)) ? placeKey(slot) : slot))
    return JSON.stringify({ ...round, slots, updatedAt: '' })
  }
  return rest(was) === rest(is)
}

const releasedText = (round: Round): string => JSON.stringify({ ...round, updatedAt: '' })

const draftText = (round: SavedRound | undefined): string | null =>
  round === undefined ? null : releasedText(presentDraft(round))

function staffNews({ before, after, stayed }: Change): readonly TournamentNews[] {
  if (after === null) return []
  const old = before?.staff ?? []
  const all = new Set([...idsOf(old), ...idsOf(after.staff)])
  const [kept, moved] = [new Set(idsOf(stayed)), [] as string[]]
  for (const id of all) if (!kept.has(id)) moved.push(id)
  // Of a limit, only the rounds that there are are shown.
  const isSame =
    moved.length === 0 &&
    (after.staff.every(({ rounds }) => rounds === null) || hasSameRounds(before, after))
  if (isSame || before === null) return [tell('staff', moved)]
  const reading = stayed.filter(
    ({ accountId }) => staffText(before, accountId) !== staffText(after, accountId),
  )
  return [tell('staff', [...moved, ...idsOf(reading)])]
}

const hasSameRounds = (before: SavedTournament | null, after: SavedTournament): boolean =>
  before?.rounds.length === after.rounds.length && isSameOrder(before, after)

/** The staff as a member reads it, without names. */
const staffText = (tournament: SavedTournament, accountId: string): string =>
  JSON.stringify(
    presentStaff(tournament, accountId).map((member) => ({ ...member, username: null })),
  )
