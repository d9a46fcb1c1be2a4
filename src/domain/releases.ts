import { AppError, refusal } from '../contract/errors.ts'
import type { RoundSlot } from '../contract/rounds.ts'
import {
  filledSlots,
  type ReleasedFields,
  releasedFields,
  slotFields,
} from '../pool/round-fields.ts'
import { placeKey } from '../pool/slots.ts'
import { SYSTEM_ACCOUNT_ID } from './accounts.ts'
import {
  completedContent,
  contentOf,
  firstSave,
  laterSave,
  type PackContent,
  type SavedPack,
} from './packs.ts'
import { assertReleasable, packInputOf, releaseProblem } from './rounds.ts'
import { moved, removals, withRound, type WithPacks } from './tournament-changes.ts'
import { filledSince, seesRound, shownSlots } from './tournament-views.ts'
import type {
  HiddenPack,
  PackChange,
  ReleasedRound,
  SavedRound,
  SavedTournament,
} from './tournaments.ts'

// As in `tournament-changes.ts`, each function returns the tournament after a change.

/** Returns the slug for a new pack. @param before of the round's last pack; null if it had none. */
export type ChooseSlug = (before: string | null) => string

/**
 * Schedules a release; if that is its schedule already, or what it was released by last, nothing changes, whatever the
 * time is (D-86). Throws `bad_request` for a time that is not to come, and `conflict` unless the round can be released
 * (D-63, D-76).
 *
 * @param earliest times up to this have passed; left out: up to `now`.
 * @param isIncomplete slots without a beatmap go out as they are planned (D-78).
 */
export function schedule(
  saved: SavedTournament,
  round: SavedRound,
  at: number,
  isIncomplete: boolean,
  now: number,
  earliest = now,
) {
  refuseHidden(saved)
  if (isScheduledSo(round, at, isIncomplete)) return saved
  if (at <= earliest) {
    throw new AppError(
      'bad_request:time_passed',
      'at must be a time in the future; send "now" to release at once',
    )
  }
  assertReleasable(saved, round, isIncomplete)
  const scheduled = { ...round, releaseAt: at, releaseIncomplete: isIncomplete }
  return withRound(saved, moved(scheduled, now), now)
}

function isScheduledSo(
  { releaseAt, releaseIncomplete, released }: SavedRound,
  at: number,
  isIncomplete: boolean,
): boolean {
  if (releaseAt !== null) return releaseAt === at && releaseIncomplete === isIncomplete
  return released?.scheduledFor === at
}

/** Withdraws what is scheduled or, if nothing is, the pack; with neither, nothing changes. */
export function withdraw(saved: SavedTournament, round: SavedRound, now: number): WithPacks {
  if (round.releaseAt !== null) return { content: unscheduled(saved, round, now), packs: [] }
  if (round.released === null) return { content: saved, packs: [] }
  const { name, packSlug } = round.released
  const withdrawn = { name, packSlug, at: now, wasShown: seesRound(saved, round, '') }
  const next = moved({ ...round, released: null, withdrawn }, now)
  return { content: withRound(saved, next, now), packs: removals([round]) }
}

function unscheduled(saved: SavedTournament, round: SavedRound, now: number) {
  return withRound(saved, moved({ ...round, releaseAt: null, releaseIncomplete: false }, now), now)
}

/**
 * Releases a round now: makes its pack, or replaces the one that it has; if that is what is released of it already,
 * nothing changes (D-86). Throws `conflict` unless the round can
 * be released (D-63), and when the tournament is hidden (D-76).
 *
 * @param isIncomplete as `schedule` has it.
 * @param scheduledFor the time that it was scheduled for; left out: it is released at once.
 */
export function release(
  saved: SavedTournament,
  round: SavedRound,
  isIncomplete: boolean,
  chooseSlug: ChooseSlug,
  now: number,
  scheduledFor: number | null = null,
): WithPacks {
  refuseHidden(saved)
  assertReleasable(saved, round, isIncomplete)
  const content = contentOf(packInputOf(saved, round))
  const fields = { name: round.name, ...releasedFields(round) }
  const slots = plannedSlots(round.slots)
  if (round.releaseAt === null && isReleasedSo(round, { ...fields, slots }, content)) {
    return { content: saved, packs: [] }
  }
  const { pack, change } = packAfter(round, content, chooseSlug, now)
  const released = { ...fields, packSlug: pack.slug, scheduledFor, at: now, slots, pack }
  const schedule = { releaseAt: null, releaseIncomplete: false }
  const next = moved({ ...round, ...schedule, released, withdrawn: null }, now)
  return { content: withRound(saved, next, now), packs: [change] }
}

/** Whether a release of this would leave everything as it is but the times. */
function isReleasedSo(
  { released }: SavedRound,
  { slots, ...fields }: ReleasedFields & Pick<ReleasedRound, 'name' | 'slots'>,
  content: PackContent,
): boolean {
  if (!released?.pack) return false
  const { pack } = released
  const before = { name: released.name, ...releasedFields(released) }
  const packBefore = Object.keys(content).map((field) => pack[field as keyof PackContent])
  return (
    isEqual(before, fields) &&
    isEqual(released.slots, slots) &&
    isEqual(packBefore, Object.values(content))
  )
}

const isEqual = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** As a release keeps them: null if they say no more than the pack. */
function plannedSlots(slots: readonly RoundSlot[]): readonly RoundSlot[] | null {
  const saysMore = ({ beatmapId, details, link }: RoundSlot) =>
    beatmapId === undefined || details !== undefined || link !== undefined
  return slots.some(saysMore) ? slots : null
}

function packAfter(
  round: SavedRound,
  content: PackContent,
  chooseSlug: ChooseSlug,
  now: number,
): { pack: SavedPack; change: PackChange } {
  const before = round.released?.pack ?? null
  if (before === null) {
    const slug = chooseSlug((round.released ?? round.withdrawn)?.packSlug ?? null)
    // What changes after the release everybody can read (D-80).
    const first = {
      ...firstSave(content, { slug, ownerId: SYSTEM_ACCOUNT_ID, now }),
      historyPublic: true,
    }
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
 * Releases what is due of a round: the whole of it when its time has come, otherwise the slots that were released
 * without a beatmap and have one in the draft by now (D-78). null when nothing is due, when there is no such round any
 * more, and while the tournament is hidden: then it waits (D-76). The schedule of one that cannot be released, since
 * rules for texts became stricter, is withdrawn.
 */
export function releaseIfDue(
  saved: SavedTournament,
  roundId: string,
  chooseSlug: ChooseSlug,
  now: number,
): WithPacks | null {
  const round = saved.rounds.find(({ id }) => id === roundId)
  if (round === undefined || saved.hiddenAt !== null) return null
  const { releaseAt, releaseIncomplete } = round
  if (releaseAt === null || releaseAt > now) return releaseFilled(saved, round, now)
  return releaseProblem(saved, round, releaseIncomplete) === null
    ? release(saved, round, releaseIncomplete, chooseSlug, now, releaseAt)
    : { content: unscheduled(saved, round, now), packs: [] }
}

/** `releaseIfDue` of several rounds, one after the other; null when nothing is due of any. */
export function releaseAllDue(
  saved: SavedTournament,
  rounds: readonly { readonly roundId: string }[],
  chooseSlug: ChooseSlug,
  now: number,
): WithPacks | null {
  const packs: PackChange[] = []
  let content: SavedTournament = saved
  for (const { roundId } of rounds) {
    const change = releaseIfDue(content, roundId, chooseSlug, now)
    if (change === null) continue
    content = { ...content, ...change.content }
    packs.push(...change.packs)
  }
  return content === saved ? null : { content, packs }
}

/** A planned slot with the beatmap of its draft; of what else was shown of it, what the draft has, too. */
function withBeatmap({ mod, index, ...shown }: RoundSlot, draft: RoundSlot): RoundSlot {
  const changed = new Set<string>(slotFields.differences(shown, draft).map(({ kind }) => kind))
  const kept = Object.entries(shown).filter(([field]) => !changed.has(field))
  return { mod, index, ...Object.fromEntries(kept), beatmapId: draft.beatmapId! }
}

/** Every other change of the draft waits for its next release, also of details and link of a filled slot. */
function releaseFilled(saved: SavedTournament, round: SavedRound, now: number): WithPacks | null {
  const { released } = round
  const filled = filledSince(round)
  if (!released?.pack || filled.size === 0) return null
  const { pack } = released
  const slots = shownSlots(released, pack).map((slot) => {
    const draft = filled.get(placeKey(slot))
    return draft === undefined ? slot : withBeatmap(slot, draft)
  })
  const content = completedContent({
    name: pack.name,
    visibility: 'public',
    slots: filledSlots(slots),
    ...(pack.buckets !== null && { buckets: [...pack.buckets] }),
  })
  const state = laterSave(pack, content, now)
  const after = { ...pack, ...state }
  const next = {
    ...round,
    released: { ...released, slots: plannedSlots(slots), pack: after },
  }
  return {
    content: withRound(saved, moved(next, now), now),
    packs: [{ kind: 'replace', slug: pack.slug, state }],
  }
}
