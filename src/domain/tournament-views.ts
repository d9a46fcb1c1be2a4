import { DELETED_ROUND_DAYS } from '../contract/bounds.ts'
import type { DeletedRound as DeletedRoundReply } from '../contract/deleted-rounds.ts'
import { refusal } from '../contract/errors.ts'
import type { RoundOfPack } from '../contract/page-data.ts'
import { DAY_MS } from '../contract/quotas.ts'
import type { Round, RoundSlot } from '../contract/rounds.ts'
import type { StaffMember } from '../contract/staff.ts'
import type {
  StaffRole,
  Tournament,
  TournamentField,
  TournamentSummary,
} from '../contract/tournaments.ts'
import { plainRoundSlot, roundFields, type RoundLinks, roundLinks } from '../pool/round-fields.ts'
import { placeKey, slotMods, type SlotPlay } from '../pool/slots.ts'
import { UNKNOWN_PLAYER } from './accounts.ts'
import type { SavedPack } from './packs.ts'
import { timestamp } from './quotas.ts'
import type { PackViewer } from './sessions.ts'
import { draftsOf, memberOf, standingIn, standingOf, stateOf } from './tournament-access.ts'
import {
  type DeletedRound,
  type DiscordChannel,
  factNames,
  type ReleasedRound,
  type SavedMember,
  type SavedRound,
  type SavedTournament,
} from './tournaments.ts'

/**
 * A tournament as the account sees it: its staff everything, others what is released of a public one. Throws
 * `not_found` for others when it is private or hidden (D-60).
 */
export function presentTournament(tournament: SavedTournament, accountId: string): Tournament {
  const member = memberOf(tournament, accountId)
  if (member !== undefined) return presentToStaff(tournament, member)
  const seen = presentPublic(tournament)
  if (seen === null) throw refusal('tournamentNotFound')
  return seen
}

/** A round as the account sees it. Throws `not_found` for others than the staff when it shows them nothing (D-60). */
export function presentRound(
  tournament: SavedTournament,
  round: SavedRound,
  accountId: string,
): Round {
  if (standingIn(tournament, round, accountId) !== 'stranger') return presentDraft(round)
  const seen = stateOf(tournament) === 'public' ? presentReleased(round) : null
  if (seen === null) throw refusal('tournamentNotFound')
  return seen
}

/** Whether `presentRound` shows the account anything. */
export function seesRound(
  tournament: SavedTournament,
  round: SavedRound,
  accountId: string,
): boolean {
  if (standingIn(tournament, round, accountId) !== 'stranger') return true
  return stateOf(tournament) === 'public' && shownPack(round) !== null
}

/** A tournament as others than its staff see it (D-60); null when they do not. */
export function presentPublic(tournament: SavedTournament): Tournament | null {
  if (stateOf(tournament) !== 'public') return null
  return {
    ...presentSummary(tournament, null),
    rounds: tournament.rounds.flatMap((round) => presentReleased(round) ?? []),
    ...presentUpcoming(tournament, tournament.rounds),
  }
}

/** Of these rounds, those that are not released, as others than their staff see them. */
function presentUpcoming(
  { announceRounds }: SavedTournament,
  rounds: readonly SavedRound[],
): Pick<Tournament, 'upcoming'> {
  if (!announceRounds) return {}
  const upcoming = rounds.flatMap(({ name, releaseAt, released }) =>
    released?.pack
      ? []
      : [{ name, ...(releaseAt !== null && { releaseAt: timestamp(releaseAt) }) }],
  )
  return { upcoming }
}

/**
 * A tournament as its page shows it to a viewer (null: without a session): as others than the staff see it; to the
 * staff, with their role, also while it is private or hidden; to moderators also when one of them has hidden it. Throws
 * `not_found` for others (D-60).
 */
export function presentPage(tournament: SavedTournament, viewer: PackViewer | null): Tournament {
  const role = standingOf(tournament, viewer?.accountId ?? '')
  const { visibility, hiddenAt } = tournament
  const isStaff = role !== 'stranger'
  const seesHidden = isStaff || viewer?.isModerator === true
  const seen = presentPublic({
    ...tournament,
    ...(isStaff && { visibility: 'public' }),
    ...(seesHidden && { hiddenAt: null }),
  })
  if (seen === null) throw refusal('tournamentNotFound')
  return {
    ...seen,
    visibility,
    ...(seesHidden && hiddenAt !== null && { hiddenAt: timestamp(hiddenAt) }),
    ...(isStaff && { role }),
  }
}

/** Where a pack belongs, for everybody; null when they see no such round of the tournament. */
export function placeOf(tournament: SavedTournament, packSlug: string): RoundOfPack | null {
  const shown = presentPublic(tournament)
  if (shown === null) return null
  const at = shown.rounds.findIndex((round) => round.packSlug === packSlug)
  const round = shown.rounds[at]
  if (round === undefined) return null
  const { slug, name, shortName } = shown
  const { mapPackUrl, showcaseUrl } = round
  const planned = round.slots.filter(isPlanned)
  const linked = round.slots.filter((slot) => !isPlanned(slot) && slot.link !== undefined)
  const [before, after] = [neighbour(shown.rounds[at - 1]), neighbour(shown.rounds[at + 1])]
  return {
    tournament: { slug, name, ...(shortName !== undefined && { shortName }) },
    name: round.name,
    ...(mapPackUrl !== undefined && { mapPackUrl }),
    ...(showcaseUrl !== undefined && { showcaseUrl }),
    ...(planned.length > 0 && { planned }),
    ...(linked.length > 0 && { linked }),
    ...(before && { before }),
    ...(after && { after }),
  }
}

function neighbour(round: Round | undefined) {
  return round?.packSlug === undefined ? null : { name: round.name, packSlug: round.packSlug }
}

/** The first of these rounds to be released; undefined when none is scheduled. For the staff. */
export function nextRelease(rounds: readonly SavedRound[]) {
  const scheduled = rounds.flatMap(({ name, releaseAt }) =>
    releaseAt === null ? [] : { name, releaseAt },
  )
  const [next] = scheduled.toSorted((a, b) => a.releaseAt - b.releaseAt)
  return next && { name: next.name, releaseAt: timestamp(next.releaseAt) }
}

type ListedTournament = Omit<SavedTournament, 'rounds' | 'staff'>

/** As everybody may know it: `updatedAt` reveals changes of drafts. */
type PublicTournament = Omit<ListedTournament, 'updatedAt' | 'discord'>

/** A tournament in a list. @param role null: as others than the staff see it. */
export function presentSummary(tournament: PublicTournament, role: null): TournamentSummary
export function presentSummary(tournament: ListedTournament, role: StaffRole): TournamentSummary
export function presentSummary(
  tournament: PublicTournament & Partial<Pick<ListedTournament, 'updatedAt' | 'discord'>>,
  role: StaffRole | null,
): TournamentSummary {
  const { hiddenAt, createdAt, publicAt, updatedAt = publicAt, discord = null } = tournament
  const facts = factNames.filter((field) => tournament[field] !== null)
  return {
    slug: tournament.slug,
    ...(Object.fromEntries(facts.map((field) => [field, tournament[field]])) as Pick<
      TournamentSummary,
      TournamentField
    >),
    ...(role !== null && tournament.copiedFrom !== null && { from: tournament.copiedFrom }),
    ...(role !== null && hiddenAt !== null && { hiddenAt: timestamp(hiddenAt) }),
    ...(role !== null && { role }),
    ...(role === 'host' && presentDiscord(discord)),
    createdAt: timestamp(createdAt),
    updatedAt: timestamp(role === null ? publicAt : updatedAt),
  }
}

/** That there is a channel, and whether something is wrong with it; never where it is (D-97). */
export const presentDiscord = (
  discord: DiscordChannel | null,
): Pick<TournamentSummary, 'discord' | 'discordOff'> =>
  discord === null
    ? {}
    : { discord: true, ...(discord.off !== null && { discordOff: discord.off }) }

export const presentDeleted = ({
  round,
  deletedAt,
  deletedBy,
}: DeletedRound): DeletedRoundReply => ({
  id: round.id,
  name: round.name,
  slotCount: round.slots.length,
  deletedAt: timestamp(deletedAt),
  ...(deletedBy !== null && { deletedBy: deletedBy.username ?? UNKNOWN_PLAYER }),
  restorableUntil: timestamp(deletedAt + DELETED_ROUND_DAYS * DAY_MS),
})

/** @param known the ids of the rounds that the reader knows of. */
export const presentMember = (
  { gameId, username, role, rounds }: SavedMember,
  known: readonly string[],
): StaffMember => ({
  gameId,
  username: username ?? UNKNOWN_PLAYER,
  role,
  ...(rounds !== null && { rounds: known.filter((id) => rounds.includes(id)) }),
})

/** The staff as a member reads it: of the rounds that others are limited to, those that the reader knows (D-81). */
export function presentStaff(tournament: SavedTournament, accountId: string): StaffMember[] {
  const known = draftsOf(tournament, accountId).map(({ id }) => id)
  return tournament.staff.map((member) => presentMember(member, known))
}

/** To who is limited to rounds, the others as strangers see them; what they do not see moves nothing (D-81). */
function presentToStaff(
  tournament: SavedTournament,
  { role, rounds: limit, seenAt }: SavedMember,
): Tournament {
  const summary = presentSummary({ ...tournament, updatedAt: seenAt ?? tournament.updatedAt }, role)
  if (limit === null) return { ...summary, rounds: tournament.rounds.map(presentDraft) }
  const isOpen = stateOf(tournament) === 'public'
  const others = tournament.rounds.filter(({ id }) => !limit.includes(id))
  return {
    ...summary,
    rounds: tournament.rounds.flatMap((round) =>
      limit.includes(round.id) ? presentDraft(round) : (isOpen && presentReleased(round)) || [],
    ),
    limitedTo: tournament.rounds.flatMap(({ id }) => (limit.includes(id) ? id : [])),
    ...(isOpen && others.length > 0 && presentUpcoming(tournament, others)),
  }
}

export function presentDraft(round: SavedRound): Round {
  const { buckets } = round
  // A release of which the pack was removed is none, as one that was withdrawn.
  const released = round.released?.pack ? round.released : null
  const releaseAt = round.releaseAt ?? released?.at
  return {
    id: round.id,
    name: round.name,
    slots: [...round.slots],
    ...(buckets !== null && { buckets: [...buckets] }),
    ...roundFields.sent(round),
    ...(releaseAt !== undefined && { releaseAt: timestamp(releaseAt) }),
    ...(round.releaseIncomplete && { incomplete: true }),
    ...(released && { releasedAt: timestamp(released.at), packSlug: released.packSlug }),
    createdAt: timestamp(round.createdAt),
    updatedAt: timestamp(round.updatedAt),
  }
}

/** What everybody reads of a round of a public tournament; null when it is not released, or its pack is hidden. */
export function presentReleased(round: SavedRound): Round | null {
  const pack = shownPack(round)
  return round.released && pack ? presentRelease(round, round.released, pack) : null
}

/** What writes compare of a round (D-86): when a slot goes out by itself, its time alone moves for the staff (D-78). */
export const savedRound = (round: Round): Round => ({ ...round, updatedAt: '' })

/** As `savedRound`, without what moderators and the channel do. */
export function savedTournament(tournament: Tournament): Tournament {
  const { hiddenAt: _, discordOff: __, ...saved } = tournament
  return { ...saved, updatedAt: '', rounds: tournament.rounds.map(savedRound) }
}

/** The slots of what is released of a tournament, as they are played: of its last round first, as its page has them. */
export const releasedPlays = ({ rounds }: SavedTournament): readonly SlotPlay[] =>
  rounds.toReversed().flatMap((round) => {
    const pack = shownPack(round)
    return pack === null ? [] : slotMods(pack)
  })

/** The pack of a round, if everybody may read it. */
function shownPack({ released }: SavedRound): SavedPack | null {
  return released?.pack?.hiddenAt === null ? released.pack : null
}

/** Made of the release and of the links alone, so that it cannot show anything of the draft (D-60). */
function presentRelease(
  round: Pick<SavedRound, 'id' | keyof RoundLinks>,
  released: ReleasedRound,
  pack: SavedPack,
): Round {
  const { packSlug, at } = released
  const { buckets, createdAt, updatedAt } = pack
  return {
    id: round.id,
    name: released.name,
    slots: [...shownSlots(released, pack)],
    ...(buckets !== null && { buckets: [...buckets] }),
    ...roundFields.sent({ ...released, ...roundLinks(round) }),
    releaseAt: timestamp(at),
    releasedAt: timestamp(at),
    packSlug,
    createdAt: timestamp(createdAt),
    updatedAt: timestamp(updatedAt),
  }
}

/** Whether the slot has no beatmap yet. */
export const isPlanned = ({ beatmapId }: RoundSlot): boolean => beatmapId === undefined

/** All slots of what was released: those of the pack, and those that have no beatmap yet (D-78). */
export function shownSlots(
  { slots }: Pick<ReleasedRound, 'slots'>,
  pack: Pick<SavedPack, 'slots'>,
): readonly RoundSlot[] {
  if (slots === null) return pack.slots
  // An operator may have replaced the pack.
  const own = new Map(pack.slots.map((slot) => [placeKey(slot), slot]))
  const shown = slots.flatMap((slot): RoundSlot[] => {
    const beatmapId = own.get(placeKey(slot))?.beatmapId
    const { placeholder: _, ...filled } = slot
    if (beatmapId !== undefined) return [plainRoundSlot({ ...filled, beatmapId })]
    return isPlanned(slot) ? [slot] : []
  })
  const named = new Set(slots.map(placeKey))
  return [...shown, ...pack.slots.filter((slot) => !named.has(placeKey(slot)))]
}

/** The slots of the draft that were released without a beatmap and have one by now, by `placeKey` (D-78). */
export function filledSince({ released, slots }: SavedRound): ReadonlyMap<string, RoundSlot> {
  if (!released?.pack || released.slots === null) return new Map()
  const planned = new Set(released.slots.filter(isPlanned).map(placeKey))
  const all = slots.map((slot) => [placeKey(slot), slot] as const)
  return new Map(all.filter(([key, slot]) => !isPlanned(slot) && planned.has(key)))
}
