import type { Generated } from 'kysely'
import type {
  AnnouncementKind,
  AnnouncementState,
  ChatProblem,
  SendingProblem,
} from '../../contract/announcements.ts'
import type { Ruleset } from '../../contract/mods.ts'
import type { TournamentChangeKind } from '../../contract/tournament-feed.ts'
import type { StaffRole, TournamentVisibility } from '../../contract/tournaments.ts'

/** The tables of tournaments; see `Tables`. */
export type TournamentTables = {
  candidate: {
    tournament: string
    round_id: string
    id: string
    /** Its place in the order of the proposals. */
    number: number
    mod: string | null
    slot_index: number
    beatmap_id: number
    note: string | null
    /** null when the account is gone. */
    proposed_by: string | null
    created_at: number
  }
  candidate_vote: {
    tournament: string
    round_id: string
    candidate: string
    account_id: string
    vote: 1 | -1
  }
  /** The newest states of each round's draft. */
  round_version: {
    tournament: string
    round_id: string
    version: number
    saved_at: number
    /** null when no account did, or when it is gone. */
    saved_by: string | null
    /** JSON. */
    content: string
  }
  remark: {
    tournament: string
    round_id: string
    id: string
    /** Its place in the order in which they were added. */
    number: number
    mod: string | null
    /** null: on the round as a whole. */
    slot_index: number | null
    text: string
    /** null when the account is gone, as below. */
    written_by: string | null
    is_settled: 0 | 1
    settled_by: string | null
    created_at: number
    updated_at: number
  }
  /** Rounds with candidates or remarks; `mark` changes with each change of these. */
  round_discussion: { tournament: string; round_id: string; mark: number }
  tournament: {
    /** As of a pack. */
    suspended: Generated<0 | 1 | 2>
    slug: string
    name: string
    short_name: string | null
    description: string | null
    ruleset: Ruleset
    year: number | null
    rank_min: number | null
    rank_max: number | null
    link: string | null
    visibility: TournamentVisibility
    announce_rounds: 0 | 1
    /** A secret. */
    discord_url: string | null
    discord_off: ChatProblem | null
    copied_from: Generated<string | null>
    hidden_at: number | null
    hidden_reason: string | null
    created_at: number
    updated_at: number
    public_at: number
    /** Random, new with each change of the tournament. */
    mark: number
  }
  /** How sending to the channel of a tournament goes on. */
  tournament_chat: {
    tournament: string
    /** null: no message is waiting. */
    due_at: number | null
    /** Nothing is sent before. */
    lease_until: number
    /** Random: a process whose lease has another one has lost it; 0 without one. */
    lease_token: number
    failures: number
    failing_since: number | null
    /** When a host last had a message sent by hand. */
    asked_at: number | null
    /** The address of a tournament that was deleted; null: it was not. */
    url: string | null
  }
  tournament_message: {
    id: Generated<number>
    name: string
    tournament: string
    round_id: string | null
    round_name: string | null
    kind: AnnouncementKind | 'deletion'
    at: number
    /** JSON. */
    content: string
    /** JSON; null until the first attempt. */
    parts: string | null
    sent_parts: number
    state: AnnouncementState
    attempts: number
    finished_at: number | null
    problem: SendingProblem | null
    /** Of the answer to the last attempt, of HTTP. */
    status: number | null
    code: number | null
  }
  tournament_invitation: {
    id: string
    token_hash: string
    tournament: string
    role: StaffRole
    /** JSON, as of the staff. */
    rounds: Generated<string | null>
    created_by: string
    created_at: number
    expires_at: number
  }
  tournament_presence: {
    id: string
    holder: string
    tournament: string
    account_id: string
    round_id: string | null
    since: number
    seen_at: number
  }
  tournament_change: FeedColumns & {
    kind: TournamentChangeKind
    tournament: string
    round_id: string | null
    pack_slug: string | null
    /** The ids of the accounts that may know of it, each between spaces; null for everybody. */
    readers: string | null
  }
  /** `targets`, `slots`, `buckets` and `released` are JSON. */
  tournament_round: {
    tournament: string
    id: string
    position: number
    name: string
    best_of: number | null
    bans: number | null
    pack_name: string | null
    targets: string | null
    other_fields: string | null
    slots: string
    buckets: string | null
    release_at: number | null
    release_incomplete: 0 | 1
    /** 1: a slot that was released without a beatmap has one in the draft (D-78). */
    fill_due: 1 | null
    pack_slug: string | null
    /** JSON. */
    withdrawn: string | null
    /** null without a `pack_slug`. */
    released: string | null
    /** How the last pack was hidden when it was deleted, which a trigger keeps. */
    pack_hidden_at: Generated<number | null>
    pack_hidden_reason: Generated<string | null>
    version: number
    created_at: number
    updated_at: number
    /** null while it is not deleted. */
    deleted_at: Generated<number | null>
    deleted_by: Generated<string | null>
  }
  tournament_staff: {
    tournament: string
    account_id: string
    role: StaffRole
    /** JSON of the ids of the rounds that they are limited to; null for all. */
    rounds: Generated<string | null>
    since: number
    seen_at: Generated<number | null>
  }
}

/** What entries of all feeds of changes have. */
export type FeedColumns = {
  id: Generated<number>
  /** Its place in the order of commits; null until it is known. */
  seq: number | null
  /** Random. */
  mark: number
  at: number
}
