import type {
  Announcement,
  AnnouncementKind,
  AnnouncementState,
  SendingProblem,
} from '../contract/announcements.ts'
import type { Round } from '../contract/rounds.ts'
import { timestamp } from './quotas.ts'
import { presentReleased } from './tournament-views.ts'
import type { SavedRound, SavedTournament } from './tournaments.ts'

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
}

/** Something that is to be announced. */
export type News = {
  readonly kind: AnnouncementKind
  /** null of a trial. */
  readonly roundId: string | null
  readonly content: AnnouncementContent
}

/** An announcement in the log of a channel; times are ms since the epoch. */
export type LoggedAnnouncement = Omit<News, 'content'> & {
  readonly id: string
  readonly round: string | null
  readonly at: number
  readonly state: AnnouncementState
  readonly finishedAt: number | null
  readonly attempts: number
  readonly problem: SendingProblem | null
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

function kindOf(was: SavedRound | undefined, is: SavedRound | undefined): AnnouncementKind | null {
  const [old, now] = [was && presentReleased(was), is && presentReleased(is)]
  if (!old) return now ? 'release' : null
  // One that a moderator hides is not withdrawn.
  if (!now) return is?.released ? null : 'withdrawal'
  // A release says when it was made; a slot that is filled leaves that as it was.
  if (old.releasedAt !== now.releasedAt || was?.released?.packSlug !== is?.released?.packSlug) {
    return textOf(announced(was)) === textOf(announced(is)) ? null : 'change'
  }
  return JSON.stringify(old.slots) === JSON.stringify(now.slots) ? null : 'fill'
}

/** Without links and pack: those that change alone are no news. */
const textOf = (round: AnnouncedRound | null): string =>
  JSON.stringify({ ...round, mapPackUrl: null, showcaseUrl: null, madeAt: 0 })

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
}: LoggedAnnouncement): Announcement => ({
  id,
  kind,
  ...(round !== null && { round }),
  at: timestamp(at),
  state,
  ...(finishedAt !== null && { finishedAt: timestamp(finishedAt) }),
  attempts,
  ...(problem !== null && { problem }),
})
