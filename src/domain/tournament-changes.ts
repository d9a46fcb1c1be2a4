import { MAX_ROUNDS, NAME_LENGTH } from '../contract/bounds.ts'
import { AppError, refusal } from '../contract/errors.ts'
import type { TournamentPatch } from '../contract/tournaments.ts'
import { inputEnglish } from '../pool/input-words.ts'
import { draftFields, releasedFields, type RoundLinks, roundLinks } from '../pool/round-fields.ts'
import { foldName } from '../pool/slots.ts'
import {
  changedSlots,
  draftOf,
  nameTaken,
  refuseNewKeys,
  releaseProblem,
  type SheetRound,
  type SlotChange,
} from './rounds.ts'
import { draftsOf, memberOf } from './tournament-access.ts'
import { presentPublic, presentTournament, seesRound, shownSlots } from './tournament-views.ts'
import {
  type PackChange,
  patchedFacts,
  type RoundContent,
  type RoundDraft,
  type SavedMember,
  type SavedRound,
  type SavedTournament,
  type TournamentChange,
  type TournamentContent,
} from './tournaments.ts'

// Each function returns the tournament after a change, the same object if nothing changes (D-86); who may make it is
// asserted before. What a tournament cannot become is a `conflict`, and scheduled rounds can always be released. Times
// are ms since the epoch.

/** Changes what hosts set. Throws `bad_request` for a patch that is invalid here. */
export function updateFacts(saved: SavedTournament, patch: TournamentPatch, now: number) {
  return changed(saved, patchedFacts(saved, patch), now)
}

/** The rounds of which a change sets other links (D-85). */
export function relinked(before: SavedTournament, after: SavedTournament): readonly SavedRound[] {
  const old = new Map(before.rounds.map((round) => [round.id, round]))
  return after.rounds.filter((round) => !hasSameLinks(old.get(round.id) ?? noLinks, round))
}

const noLinks = roundLinks({})

/** Adds a round after the others. */
export function addRound(saved: SavedTournament, content: RoundContent, id: string, now: number) {
  refuseNewKeys(saved, null, content)
  return withRounds(saved, [...saved.rounds, newRound(content, id, now)], now)
}

/**
 * The rounds of a tournament that is made from another one: drafts that the account may read are copied whole, of the
 * other rounds what is released. Links are not copied: they lead to what was.
 *
 * @throws `not_found` unless the account may read the tournament (D-60).
 */
export function copiedRounds(
  from: SavedTournament,
  accountId: string,
  newId: () => string,
  now: number,
): SavedRound[] {
  const drafts = new Set(draftsOf(from, accountId))
  return from.rounds.flatMap((round) => {
    const draft = drafts.has(round) ? draftOf(round) : releasedDraft(from, round)
    return draft === null ? [] : [newRound({ ...draft, ...noLinks }, newId(), now)]
  })
}

/** What everybody reads of a round, as a draft; null if that is nothing. */
function releasedDraft(of: SavedTournament, round: SavedRound): RoundDraft | null {
  const { released } = round
  if (!seesRound(of, round, '') || !released?.pack) return null
  const { buckets } = released.pack
  const slots = shownSlots(released, released.pack)
  return draftOf({ ...draftFields(releasedFields(released)), name: released.name, slots, buckets })
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
      throw new AppError('bad_request:no_such_round', `rounds[${at}].id ${remedy}`)
    }
  }
  const ofId = new Map(saved.rounds.map((round) => [round.id, round]))
  const byName = new Map([...free.values()].map((round) => [foldName(round.name), round]))
  const rounds = sheet.map(({ id, content }, at) => {
    const round = id === null ? byName.get(foldName(content.name)) : ofId.get(id)
    refuseNewKeys(saved, round ?? null, content, `rounds[${at}].`)
    if (round === undefined) return newRound(content, newRoundId(), now)
    free.delete(round.id)
    return redrafted(round, content, now)
  })
  for (const { name, releaseAt, released } of free.values()) {
    if (releaseAt === null && released === null) continue
    const state = releaseAt === null ? 'released' : 'scheduled'
    throw new AppError(
      `conflict:round_${state}`,
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
  refuseNewKeys(saved, round, content)
  return withRound(saved, redrafted(round, content, now), now)
}

/** Changes slots of a draft, all or none (D-62). */
export function changeSlots(
  saved: SavedTournament,
  round: SavedRound,
  changes: readonly SlotChange[],
  now: number,
) {
  return withRound(saved, redrafted(round, changedSlots(round, changes), now), now)
}

export type WithPacks = TournamentChange & { readonly content: TournamentContent }

/** Removes a round with its pack. */
export function removeRound(saved: SavedTournament, round: SavedRound, now: number): WithPacks {
  const rounds = saved.rounds.filter(({ id }) => id !== round.id)
  return { content: withRounds(saved, rounds, now), packs: removals([round]) }
}

/**
 * Makes a deleted round the last one again, as a draft. If its name is taken meanwhile, it gets a number after it.
 * Throws `conflict` when there are as many rounds as may be.
 */
export function restoreRound(saved: SavedTournament, deleted: SavedRound, now: number) {
  const name = freeName(saved, deleted.name)
  const { withdrawn, version } = deleted
  const round = { ...deleted, ...unreleased, withdrawn, name, version: version + 1 }
  return withRounds(saved, [...saved.rounds, moved(round, now)], now)
}

function freeName({ rounds }: SavedTournament, name: string): string {
  const taken = new Set(rounds.map((round) => foldName(round.name)))
  for (let number = 1; ; number += 1) {
    const ending = number === 1 ? '' : ` ${number}`
    const cut = name.slice(0, NAME_LENGTH - ending.length)
    const free = (cut.isWellFormed() ? cut : cut.slice(0, -1)) + ending
    if (!taken.has(foldName(free))) return free
  }
}

/** The packs that go with these rounds. */
export function removals(rounds: readonly SavedRound[]): PackChange[] {
  return rounds.flatMap(({ released }) =>
    released?.pack ? [{ kind: 'remove', slug: released.packSlug }] : [],
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

const unreleased = {
  releaseAt: null,
  releaseIncomplete: false,
  released: null,
  withdrawn: null,
} as const

function newRound(content: RoundContent, id: string, now: number): SavedRound {
  const times = { createdAt: now, updatedAt: now }
  return { ...content, id, ...unreleased, hiddenPack: null, version: 1, ...times }
}

/** The round with this draft and these links; a draft that differs from the one before is a version. */
function redrafted(round: SavedRound, content: Partial<RoundContent>, now: number): SavedRound {
  const next = { ...round, ...content }
  const isSame = isSameDraft(round, next)
  if (isSame && hasSameLinks(round, next)) return round
  return moved({ ...next, version: round.version + (isSame ? 0 : 1) }, now)
}

/** With another `updatedAt`. */
export function moved(round: SavedRound, now: number): SavedRound {
  return { ...round, updatedAt: Math.max(now, round.updatedAt + 1) }
}

function isSameDraft(one: RoundDraft, other: RoundDraft): boolean {
  return JSON.stringify(draftOf(one)) === JSON.stringify(draftOf(other))
}

/** Whether they have the same links, which hosts alone set (D-85). */
const hasSameLinks = (one: RoundLinks, other: RoundLinks): boolean =>
  JSON.stringify(roundLinks(one)) === JSON.stringify(roundLinks(other))

export function withRound(saved: SavedTournament, round: SavedRound, now: number): SavedTournament {
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
    throw new AppError('conflict:too_many_rounds', message)
  }
  const old = new Map(saved.rounds.map(({ id, name }) => [id, name]))
  const named = rounds.filter(({ id, name }) => old.get(id) !== name)
  const holder = rounds.find((round) =>
    named.some((each) => each !== round && foldName(each.name) === foldName(round.name)),
  )
  if (holder !== undefined) {
    const taken = inputEnglish(nameTaken(holder.name, 'another round'))
    throw new AppError('conflict:name_taken', `name ${taken}`)
  }
  return changed(saved, { rounds }, now)
}

/** `updatedAt` moves if anything changes (D-86), `publicAt` only if others than the staff see it (D-60). */
export function changed(
  saved: SavedTournament,
  changes: Partial<TournamentContent>,
  now: number,
): SavedTournament {
  const fields = Object.entries(changes)
  if (fields.every(([field, to]) => isSame(Reflect.get(saved, field), to))) return saved
  const next = { ...saved, ...changes, updatedAt: Math.max(now, saved.updatedAt + 1) }
  const isRenamed = next.name !== saved.name || next.shortName !== saved.shortName
  for (const round of next.rounds) {
    // One that could not be released before, since rules became stricter, keeps nothing else from changing.
    if (round.releaseAt === null || (!isRenamed && saved.rounds.includes(round))) continue
    const problem = releaseProblem(next, round, round.releaseIncomplete)
    if (problem === null) continue
    const message = `${round.name} is scheduled, and could not be released: ${problem.what}; withdraw the schedule first`
    throw new AppError('conflict:schedule_would_fail', message)
  }
  const isSeen = JSON.stringify(presentPublic(saved)) !== JSON.stringify(presentPublic(next))
  const publicAt = isSeen ? Math.max(now, saved.publicAt + 1) : saved.publicAt
  return { ...next, publicAt, staff: staffAfter(saved, next, now) }
}

/** Of lists, whether they have the same items. */
const isSame = (one: unknown, other: unknown): boolean =>
  Array.isArray(one) && Array.isArray(other)
    ? one.length === other.length && one.every((each, at) => each === other[at])
    : one === other

/** The staff after a change; of those who are limited to rounds with when they saw the last change (D-81). */
function staffAfter(
  saved: SavedTournament,
  next: SavedTournament,
  now: number,
): readonly SavedMember[] {
  if (next.staff.every(({ rounds }) => rounds === null)) return next.staff
  const views = new Map<string, boolean>()
  return next.staff.map((member) => {
    const { accountId, role, rounds } = member
    if (rounds === null) return member
    const before = memberOf(saved, accountId)
    // What they knew until now: as strangers what is public, without a limit everything.
    const known = before === undefined ? saved.publicAt : (before.seenAt ?? saved.updatedAt)
    const isSame = before?.role === role && JSON.stringify(before.rounds) === JSON.stringify(rounds)
    const key = JSON.stringify([role, rounds])
    const isSeen =
      !isSame || (views.get(key) ?? viewOf(saved, accountId) !== viewOf(next, accountId))
    if (isSame) views.set(key, isSeen)
    return isSeen || before?.seenAt === null
      ? { ...member, seenAt: Math.max(now, known + 1) }
      : member
  })
}

/** All that a member reads of a tournament, without when it changed. */
const viewOf = (tournament: SavedTournament, accountId: string): string =>
  JSON.stringify({ ...presentTournament(tournament, accountId), updatedAt: '' })
