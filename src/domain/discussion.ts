import { MAX_CANDIDATES, MAX_REMARKS, MAX_SLOTS, REMARK_LENGTH } from '../contract/bounds.ts'
import type {
  Candidate,
  CandidateInput,
  Remark,
  RemarkInput,
  RemarkPatch,
} from '../contract/discussion.ts'
import { AppError, refusal } from '../contract/errors.ts'
import type { RoundSlot } from '../contract/rounds.ts'
import { slotLabel } from '../pool/slots.ts'
import { ofPrograms, wrong } from '../pool/input-words.ts'
import { invalidInput } from './invalid-input.ts'
import { findInText, findUnseen, isolate } from '../pool/text.ts'
import { UNKNOWN_PLAYER } from './accounts.ts'
import { refuseSlursIn } from './slurs/slurs.ts'
import { timestamp } from './quotas.ts'
import { mayDoInRound, refuse, standingIn, type RoundAction } from './tournament-access.ts'
import type { SavedMember, SavedRound, SavedTournament } from './tournaments.ts'

/** Who says something. */
export type Speaker = Pick<SavedMember, 'accountId' | 'gameId' | 'username'>

/** A place in a round. */
export type SlotPlace = Pick<RoundSlot, 'mod' | 'index'>

export type NewCandidate = SlotPlace & {
  readonly id: string
  readonly beatmapId: number
  readonly note: string | null
  /** ms since the epoch. */
  readonly createdAt: number
}

/** A beatmap that is proposed for a slot. */
export type SavedCandidate = NewCandidate & {
  /** null when the account is gone. */
  readonly proposedBy: Speaker | null
  /** Of those who are on the staff now. */
  readonly votes: readonly (Speaker & { readonly vote: 1 | -1 })[]
}

export type NewRemark = {
  readonly id: string
  /** null: the round as a whole. */
  readonly slot: SlotPlace | null
  readonly text: string
  /** ms since the epoch. */
  readonly createdAt: number
}

/** What changes over a remark's life. */
export type RemarkState = Pick<NewRemark, 'slot' | 'text'> & {
  readonly isSettled: boolean
  /** null when it is not settled, or when the account is gone. */
  readonly settledBy: Pick<Speaker, 'accountId'> | null
  /** ms since the epoch; always increases. */
  readonly updatedAt: number
}

/** A remark on a slot, or on the round. */
export type SavedRemark = NewRemark &
  Omit<RemarkState, 'settledBy'> & {
    readonly settledBy: Speaker | null
    /** null when the account is gone. */
    readonly writtenBy: Speaker | null
  }

/** The discussion of a round; candidates in the order of their proposal, remarks with the oldest first. */
export type SavedDiscussion = {
  readonly candidates: readonly SavedCandidate[]
  readonly remarks: readonly SavedRemark[]
}

/** Which round of which tournament. */
export type RoundPlace = { readonly slug: string; readonly roundId: string }

/** The candidates, votes and remarks of one account, in all rounds. */
export type OwnDiscussion = {
  readonly candidates: readonly (RoundPlace & NewCandidate)[]
  readonly votes: readonly (RoundPlace & Omit<NewCandidate, 'note'> & { readonly vote: 1 | -1 })[]
  readonly remarks: readonly (RoundPlace & NewRemark & Omit<RemarkState, 'settledBy'>)[]
}

/** A proposal as it was sent, trimmed. Throws `bad_request` (D-19, D-24, D-47). @param at its place, `candidates[1].`. */
export function proposalOf(
  { mod, index, beatmapId, note }: CandidateInput,
  at = '',
): Pick<NewCandidate, 'mod' | 'index' | 'beatmapId' | 'note'> {
  return { mod, index, beatmapId, note: note === undefined ? null : wordsOf(`${at}note`, note) }
}

/** Throws `bad_request` when one of several proposals is there twice. */
export function refuseTwice(
  proposals: readonly Pick<NewCandidate, 'mod' | 'index' | 'beatmapId'>[],
): void {
  const keys = proposals.map(({ mod, index, beatmapId }) => `${mod} ${index} ${beatmapId}`)
  const at = keys.findIndex((key, place) => keys.indexOf(key) < place)
  if (at < 0) return
  const where = `candidates[${keys.indexOf(keys[at]!)}]`
  throw invalidInput([{ place: `candidates[${at}]`, what: wrong('proposedTwice', { where }) }])
}

/** A remark as it was sent, trimmed. Throws `bad_request`, also for half a place. */
export function remarkOf({ text, ...place }: RemarkInput): Pick<NewRemark, 'slot' | 'text'> {
  const words = wordsOf('text', text)
  return { slot: placeIn(place), text: words }
}

/** null: the round as a whole. Throws `bad_request` for half a place. */
function placeIn({ mod, index }: Pick<RemarkPatch, 'mod' | 'index'>): SlotPlace | null {
  if (mod === undefined && index === undefined) return null
  if (mod === undefined || index === undefined) {
    const why = 'is missing: a remark on a slot has mod and index, one on the round has neither'
    throw invalidInput([{ place: mod === undefined ? 'mod' : 'index', ...ofPrograms(why) }])
  }
  return { mod, index }
}

/** What is to change of a remark. */
export type RemarkChange = Pick<RemarkPatch, 'text' | 'settled'> & {
  /** null: it stays where it is. */
  readonly slot: SlotPlace | null
}

/** What is to change of a remark as it was sent, trimmed. Throws `bad_request`. */
export function remarkChangeOf({ text, settled, ...place }: RemarkPatch): RemarkChange {
  const slot = placeIn(place)
  return {
    slot,
    ...(text !== undefined && { text: wordsOf('text', text) }),
    ...(settled !== undefined && { settled }),
  }
}

function wordsOf(place: string, text: string): string {
  const words = text.trim()
  refuseSlursIn([{ place, text: words }])
  const what =
    words === '' ? wrong('empty') : (findInText(words, REMARK_LENGTH, true) ?? findUnseen(words))
  if (what !== null) throw invalidInput([{ place, what }])
  return words
}

/** Throws `bad_request` unless the round has the slot. */
export function assertHasSlot({ slots, name }: SavedRound, place: SlotPlace): void {
  if (slots.some(({ mod, index }) => mod === place.mod && index === place.index)) return
  const slot = slotLabel(place)
  const problem = `mod and index must be those of a slot of the round: ${isolate(name)} has no ${slot}`
  throw new AppError('bad_request:no_such_place', problem)
}

const isSamePlace = (one: SlotPlace | null, other: SlotPlace | null): boolean =>
  one?.mod === other?.mod && one?.index === other?.index

/** A candidate can be moved to the slot that it is in: that changes nothing. Throws `bad_request` unless the round
 * has the slot, `conflict` when that has no room for it.
 *
 * @param all the candidates of the round.
 */
export function assertMovable(
  round: SavedRound,
  candidate: SavedCandidate,
  to: SlotPlace,
  all: readonly NewCandidate[],
): void {
  if (isSamePlace(candidate, to)) return
  assertHasSlot(round, to)
  const others = all.filter(({ id }) => id !== candidate.id)
  assertRoomFor({ beatmapId: candidate.beatmapId, ...to }, others)
}

/**
 * Throws `conflict` when the slot or the round has as many candidates as it may, or the slot this one.
 *
 * @param others the candidates of the round.
 */
export function assertRoomFor(
  candidate: Pick<NewCandidate, 'mod' | 'index' | 'beatmapId'>,
  others: readonly Pick<SavedCandidate, 'mod' | 'index' | 'beatmapId'>[],
): void {
  const ofSlot = others.filter(
    ({ mod, index }) => mod === candidate.mod && index === candidate.index,
  )
  const slot = slotLabel(candidate)
  if (ofSlot.some(({ beatmapId }) => beatmapId === candidate.beatmapId)) {
    throw conflict(
      'candidate_exists',
      `beatmap ${candidate.beatmapId} is a candidate for ${slot} already; vote for it`,
    )
  }
  if (ofSlot.length >= MAX_CANDIDATES) {
    throw conflict(
      'too_many_candidates',
      `${slot} already has ${MAX_CANDIDATES} candidates; remove one first`,
    )
  }
  // Candidates of slots that the draft no longer has count, too.
  if (others.length >= MAX_SLOTS * MAX_CANDIDATES) {
    throw conflict(
      'too_many_candidates_of_round',
      `the round already has ${MAX_SLOTS * MAX_CANDIDATES} candidates; remove some first`,
    )
  }
}

/** Throws `conflict` when the round has as many remarks as it may. */
export function assertRoomForRemark(remarks: number): void {
  if (remarks < MAX_REMARKS) return
  throw conflict(
    'too_many_remarks',
    `the round already has ${MAX_REMARKS} remarks; remove resolved ones first`,
  )
}

type Full = 'candidate_exists' | `too_many_${'candidates' | 'candidates_of_round' | 'remarks'}`

function conflict(reason: Full, message: string): AppError {
  return new AppError(`conflict:${reason}`, message)
}

/** For its own candidates and remarks, an account may do what is otherwise for other roles. */
type OwnAction = { readonly own: RoundAction; readonly others: RoundAction | null }

const ownActions = {
  /** And to move it (D-83). */
  removeCandidate: { own: 'withdrawCandidate', others: 'removeCandidate' },
  /** Authors alone change their text. */
  reword: { own: 'reword', others: null },
  /** And to move it (D-83). */
  settle: { own: 'settleOwn', others: 'settle' },
  removeRemark: { own: 'removeOwnRemark', others: 'removeRemark' },
} as const satisfies Record<string, OwnAction>

/** Throws unless the account may do this with a candidate or remark of `by` (D-61). */
export function assertMayChangeItem(
  tournament: SavedTournament,
  round: SavedRound,
  accountId: string,
  by: Speaker | null,
  action: keyof typeof ownActions,
): void {
  const { own, others }: OwnAction = ownActions[action]
  const may = (which: RoundAction) => mayDoInRound(tournament, round, accountId, which)
  if (by?.accountId === accountId && may(own)) return
  if (others === null && may(own)) throw refusal('authorForbids')
  if (others === null || !may(others)) refuse(standingIn(tournament, round, accountId))
}

/** What a change makes of a remark. Throws unless the account may change all of this (D-61). */
export function changedRemark(
  tournament: SavedTournament,
  round: SavedRound,
  accountId: string,
  saved: SavedRemark,
  change: RemarkChange,
  now: number,
): RemarkState {
  const { text = saved.text, settled = saved.isSettled } = change
  const slot = change.slot ?? saved.slot
  const assertMay = (action: 'reword' | 'settle') =>
    assertMayChangeItem(tournament, round, accountId, saved.writtenBy, action)
  // A remark may be sent back as it was read.
  const isReworded = text !== saved.text
  const isMoved = !isSamePlace(slot, saved.slot)
  const isChanged = isMoved || settled !== saved.isSettled
  if (isReworded) assertMay('reword')
  if (!isReworded || isChanged) assertMay('settle')
  if (isMoved && slot !== null) assertHasSlot(round, slot)
  if (!isReworded && !isChanged) return saved
  const settledBy = saved.isSettled ? saved.settledBy : { accountId }
  return {
    slot,
    text,
    isSettled: settled,
    settledBy: settled ? settledBy : null,
    updatedAt: Math.max(now, saved.updatedAt + 1),
  }
}

type DiscussionItem = SavedCandidate | SavedRemark

/** Without the names of authors and voters, which change by themselves (D-86). */
export function unnamed<T extends DiscussionItem>(item: T): T {
  const without = (by: Speaker | null | undefined) => by && { ...by, username: null }
  const { proposedBy, votes, writtenBy, settledBy } = item as Partial<SavedCandidate & SavedRemark>
  return {
    ...item,
    ...(proposedBy && { proposedBy: without(proposedBy) }),
    ...(votes && { votes: votes.map((vote) => ({ ...vote, username: null })) }),
    ...(writtenBy && { writtenBy: without(writtenBy) }),
    ...(settledBy && { settledBy: without(settledBy) }),
  }
}

export function presentCandidate(candidate: SavedCandidate): Candidate {
  const { id, mod, index, beatmapId, note, proposedBy, createdAt } = candidate
  return {
    id,
    mod,
    index,
    beatmapId,
    ...(note !== null && { note }),
    ...(proposedBy !== null && { proposedBy: presentSpeaker(proposedBy) }),
    score: candidate.votes.reduce((sum, { vote }) => sum + vote, 0),
    votes: candidate.votes.map(({ vote, ...voter }) => ({ ...presentSpeaker(voter), vote })),
    createdAt: timestamp(createdAt),
  }
}

export function presentRemark(remark: SavedRemark): Remark {
  const { id, slot, text, writtenBy, isSettled, settledBy, createdAt, updatedAt } = remark
  return {
    id,
    ...slot,
    text,
    ...(writtenBy !== null && { writtenBy: presentSpeaker(writtenBy) }),
    settled: isSettled,
    ...(settledBy !== null && { settledBy: presentSpeaker(settledBy) }),
    createdAt: timestamp(createdAt),
    updatedAt: timestamp(updatedAt),
  }
}

/** The candidates, votes and remarks of an account, for itself. */
export const presentOwn = ({ candidates, votes, remarks }: OwnDiscussion) => ({
  candidates: candidates.map(
    ({ slug, roundId: round, mod, index, beatmapId, note, createdAt }) => ({
      slug,
      round,
      mod,
      index,
      beatmapId,
      ...(note !== null && { note }),
      createdAt: timestamp(createdAt),
    }),
  ),
  votes: votes.map(({ slug, roundId: round, mod, index, beatmapId, vote }) => ({
    slug,
    round,
    mod,
    index,
    beatmapId,
    vote,
  })),
  remarks: remarks.map(({ slug, roundId: round, slot, text, isSettled, createdAt, updatedAt }) => ({
    slug,
    round,
    ...slot,
    text,
    settled: isSettled,
    createdAt: timestamp(createdAt),
    updatedAt: timestamp(updatedAt),
  })),
})

function presentSpeaker({ gameId, username }: Speaker) {
  return { gameId, username: username ?? UNKNOWN_PLAYER }
}
