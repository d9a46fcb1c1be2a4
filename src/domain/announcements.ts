import type {
  Announcement,
  AnnouncementKind,
  AnnouncementState,
  SendingProblem,
} from '../contract/announcements.ts'
import type { Round } from '../contract/rounds.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../contract/quotas.ts'
import { timestamp } from './quotas.ts'
import { presentReleased } from './tournament-views.ts'
import type { SavedRound, SavedTournament } from './tournaments.ts'

/** A channel to which nothing could be sent for so long is switched off (D-99). */
export const OFF_AFTER_MS = 3 * DAY_MS
/** What is older says nothing that people need. Later than the channel is switched off, which takes an attempt. */
export const TOO_OLD_MS = OFF_AFTER_MS + HOUR_MS
/** No failure is waited after for longer. */
export const LONGEST_RETRY_MS = 15 * MINUTE_MS

/** What a round was for everybody, as an announcement keeps it. */
export type AnnouncedRound = Pick<Round, 'name' | 'slots' | 'buckets' | 'packSlug'> &
  Partial<Pick<Round, 'bestOf' | 'bans' | 'mapPackUrl' | 'showcaseUrl'>> & {
    /**
     * When the pack of the release was made, in ms since the epoch: a round that is withdrawn and released again has the same
     * slug for another pack. Left out by earlier versions.
     */
    readonly madeAt?: number
  }

/** What an announcement says; of a trial, nothing but the tournament. */
export type AnnouncementContent = {
  readonly tournament: string
  /** null: nothing was released before, or it is a trial. */
  readonly before: AnnouncedRound | null
  /** null: it was withdrawn, or it is a trial. */
  readonly after: AnnouncedRound | null
  /** Of a deletion: the names of the rounds that it has withdrawn, in their order. */
  readonly rounds?: readonly string[]
}

/** Something that is to be announced. */
export type News = {
  /** A deletion is in no log: it is announced when there is no tournament any more. */
  readonly kind: AnnouncementKind | 'deletion'
  /** null of a trial and a deletion. */
  readonly roundId: string | null
  readonly content: AnnouncementContent
}

/** An announcement in the log of a channel; times are ms since the epoch. */
export type LoggedAnnouncement = Omit<News, 'content' | 'kind'> & {
  readonly id: string
  readonly kind: AnnouncementKind
  readonly round: string | null
  readonly at: number
  readonly state: AnnouncementState
  readonly finishedAt: number | null
  readonly attempts: number
  readonly problem: SendingProblem | null
  /** Of the first one that waits; null: it is being sent, or another one is before it. */
  readonly nextAttemptAt: number | null
  /** Of the answer to the last attempt; null: there was none. */
  readonly status: number | null
  /** That Discord has given in that answer. */
  readonly code: number | null
}

/** When hosts last had messages sent by hand, and what of them is still to be sent. */
export type AskedByHand = {
  /** ms since the epoch, by the clock that all processes share; null: never. */
  readonly at: number | null
  readonly now: number
  /** The trial that waits. */
  readonly trial: string | null
  readonly isWaiting: (id: string) => boolean
}

/** Says nothing but that messages arrive. */
export const trialOf = ({ name }: SavedTournament): News => ({
  kind: 'trial',
  roundId: null,
  content: { tournament: name, before: null, after: null },
})

/**
 * What a change of a tournament and its packs has released, changed, filled or withdrawn, in the order of the rounds
 * (D-97). Everything follows from what everybody could read of a round before and after: a draft is never announced,
 * nor is what a moderator has hidden.
 */
export function announcementsOf(before: SavedTournament, after: SavedTournament): readonly News[] {
  const old = new Map(before.rounds.map((round) => [round.id, round]))
  const now = new Map(after.rounds.map((round) => [round.id, round]))
  return [...new Set([...now.keys(), ...old.keys()])].flatMap((roundId): News[] => {
    const [was, is] = [old.get(roundId), now.get(roundId)]
    if (was === is) return []
    const kind = kindOf(was, is)
    if (kind === null) return []
    const content = { tournament: after.name, before: announced(was), after: announced(is) }
    return [{ kind, roundId, content }]
  })
}

/**
 * What the deletion of a tournament says in its channel: which rounds everybody could read until then, or were told of
 * before and not yet of their withdrawal. null: of none.
 *
 * @param withdrawn rounds whose withdrawal is announced, but not sent yet.
 */
export function deletionOf(
  { name, rounds, hiddenAt }: SavedTournament,
  withdrawn: readonly string[],
): News | null {
  // A moderator has hidden it: nothing of it is shown anywhere.
  if (hiddenAt !== null) return null
  const shown = rounds.flatMap((round) => announced(round)?.name ?? [])
  const names = [...new Set([...withdrawn, ...shown])]
  if (names.length === 0) return null
  const content = { tournament: name, before: null, after: null, rounds: names }
  return { kind: 'deletion', roundId: null, content }
}

function kindOf(was: SavedRound | undefined, is: SavedRound | undefined): AnnouncementKind | null {
  const [old, now] = [was && presentReleased(was), is && presentReleased(is)]
  if (!old) return now ? 'release' : null
  // One that a moderator hides is not withdrawn.
  if (!now) return is?.released ? null : 'withdrawal'
  // A release says when it was made; a slot that is filled leaves that as it was.
  if (old.releasedAt !== now.releasedAt || was?.released?.packSlug !== is?.released?.packSlug) {
    return textOf(announced(was)) === textOf(announced(is)) ? null : 'change'
  }
  if (JSON.stringify(old.slots) !== JSON.stringify(now.slots)) return 'fill'
  return Object.keys(newLinks(old, now)).length > 0 ? 'links' : null
}

export type Links = Pick<AnnouncedRound, 'mapPackUrl' | 'showcaseUrl'>

/** The links of a round that were not there before, or led elsewhere. */
export function newLinks(before: Links, after: Links): Links {
  const [{ mapPackUrl, showcaseUrl }, old] = [after, before]
  return {
    ...(mapPackUrl !== undefined && mapPackUrl !== old.mapPackUrl && { mapPackUrl }),
    ...(showcaseUrl !== undefined && showcaseUrl !== old.showcaseUrl && { showcaseUrl }),
  }
}

/** Without links and pack: those that change alone are no news. */
const textOf = (round: AnnouncedRound | null): string =>
  JSON.stringify({ ...round, mapPackUrl: undefined, showcaseUrl: undefined, madeAt: undefined })

function announced(round: SavedRound | undefined): AnnouncedRound | null {
  const shown = round && presentReleased(round)
  if (!shown) return null
  const { name, slots, buckets, packSlug, bestOf, bans, mapPackUrl, showcaseUrl } = shown
  const madeAt = round.released?.pack?.createdAt
  return {
    name,
    slots,
    ...(madeAt !== undefined && { madeAt }),
    ...(buckets && { buckets }),
    ...(packSlug !== undefined && { packSlug }),
    ...(bestOf !== undefined && { bestOf }),
    ...(bans !== undefined && { bans }),
    ...(mapPackUrl !== undefined && { mapPackUrl }),
    ...(showcaseUrl !== undefined && { showcaseUrl }),
  }
}

export const presentAnnouncement = ({
  id,
  kind,
  round,
  at,
  state,
  finishedAt,
  attempts,
  problem,
  nextAttemptAt,
  status,
  code,
}: LoggedAnnouncement): Announcement => ({
  id,
  kind,
  ...(round !== null && { round }),
  at: timestamp(at),
  state,
  ...(finishedAt !== null && { finishedAt: timestamp(finishedAt) }),
  attempts,
  ...(problem !== null && { problem }),
  ...(nextAttemptAt !== null && { nextAttemptAt: timestamp(nextAttemptAt) }),
  ...(status !== null && { status }),
  ...(code !== null && { code }),
})
