import type { ChangeKind } from '../../contract/changes.ts'
import type { TournamentChangeKind } from '../../contract/tournament-feed.ts'
import type { Generated } from 'kysely'
import type { ModerationAction } from '../../contract/moderation.ts'
import type { Ruleset } from '../../contract/mods.ts'
import type { Visibility } from '../../contract/packs.ts'
import type { ServiceName } from '../../contract/services.ts'
import type { StaffRole, TournamentVisibility } from '../../contract/tournaments.ts'
import type { CallerKind, SignInCaller } from '../../domain/platform.ts'
import type { Requester } from '../../domain/quotas.ts'

/** The tables as `migrations/` makes them; the same in every engine. Times are ms since the epoch. */
export type Tables = {
  account: { id: string; game_id: number | null; username: string | null; created_at: number }
  api_key: {
    account_id: string
    service: ServiceName
    hash: string
    shown: string
    created_at: number
    /** Whole days since the epoch. */
    last_used_day: number | null
  }
  beatmap: {
    id: number
    known_at: number
    /** JSON; null when the beatmap is gone. */
    details: string | null
    /** 1: looked up for a public pack. */
    is_public: 0 | 1
  }
  beatmap_use: {
    beatmap_id: number
    updated_at: number
    pack_id: number
    place: number
    mod: string
    slot_index: number
  }
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
  hand_over: Record<'hash' | 'session' | 'challenge', string> & {
    service: ServiceName
    created_at: number
  }
  keyed_creation: {
    account_id: string
    idempotency_key: string
    fingerprint: string
    slug: string
    owner_username: string | null
    created_at: number
  }
  keyed_write: {
    account_id: string
    idempotency_key: string
    fingerprint: string
    made: string
    created_at: number
  }
  moderation_log: {
    id: Generated<number>
    at: number
    /** null when it was the operator, or when the account is gone. */
    moderator_id: string | null
    by_operator: 0 | 1
    action: ModerationAction
    slug: string
    pack_name: string
    owner_id: string | null
    reason: string | null
    /** Of a tournament, `pack_name` is its name; of a player, theirs, and `slug` the id on the platform. */
    subject: 'pack' | 'tournament' | 'player'
  }
  moderator: { game_id: number; since: number }
  /** `text`: the notice; of `read_only`, the reason. */
  operator_state: { name: 'notice' | 'read_only'; text: string | null; since: number }
  pack: PackStateColumns & {
    id: Generated<number>
    slug: string
    owner_id: string
    created_at: number
    /** 1: hidden because those are suspended whose it is; 2: by a moderator as well. */
    suspended: Generated<0 | 1 | 2>
    /** null when there is nothing to do. */
    stats_due_at: number | null
    /** 0 without a lease. */
    stats_lease_until: Generated<number>
    /** Counts leases and marks: a worker whose lease has another token has lost the pack. */
    stats_lease_token: Generated<number>
    stats_attempts: Generated<number>
    /** null when the platform had all facts. */
    ask_again_at: Generated<number | null>
  }
  pack_change: FeedColumns & {
    kind: ChangeKind
    slug: string
    /** null when the account is gone. */
    owner_id: string | null
    was_listed: 0 | 1
    is_listed: 0 | 1
  }
  /** The states of packs that later saves have replaced. */
  pack_version: {
    pack_id: number
    version: number
    saved_at: number
    visibility: Visibility
    is_hidden: 0 | 1
    description: string | null
    other_fields: Generated<string | null>
    pack_key: string
  }
  page_file: { path: string; bytes: Uint8Array; size: number; published_at: number }
  platform_call: {
    id: Generated<number>
    at: number
    caller: CallerKind
    /** Who visits or signs in; null for other callers, and where that is not known. */
    requester: Requester | SignInCaller | null
  }
  /** `state`: a `PlatformState` as JSON. */
  platform_state: { id: number; state: string }
  public_change: {
    id: Generated<number>
    /** The version that counts it; null while it is pending. */
    seq: number | null
    slug: string
    pack_id: number
    /** Its place in the public list before and after; null when it was not in it. */
    from_updated_at: number | null
    to_updated_at: number | null
    /** Random. */
    mark: number
    /** The mark of the version before, of the first change that was counted with others. */
    mark_before: string | null
  }
  public_block: { first_updated_at: number; first_id: number; size: number }
  canary_rating: { beatmap_id: number; ruleset: Ruleset; mods: string; stars: number }
  rating_change: {
    id: Generated<number>
    at: number
    beatmap_id: number
    ruleset: Ruleset
    /** In order, joined by commas. */
    mods: string
    stars_before: number
    stars_after: number
  }
  rating: {
    beatmap_id: number
    ruleset: Ruleset
    /** In order, joined by commas. */
    mods: string
    known_at: number
    /** Either this or `verdict` is null. */
    stars: number | null
    verdict: 'refused' | 'gone' | null
    /** Answers in a row that there is no rating. */
    nones: number
    /** 1: looked up for a public pack. */
    is_public: 0 | 1
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
  search_near: { variant: string; word: string }
  search_pack: {
    pack_id: number
    updated_at: number
    /** JSON. */
    beatmaps: string
    maps: number
    stars: number | null
    length_min: number | null
    length_max: number | null
    bpm_min: number | null
    bpm_max: number | null
    /** One bit for each of `statsMods`; null without stats. */
    mods: number | null
    /** One bit for each of `rulesets`. */
    rulesets: number | null
  }
  session: {
    hash: string
    account_id: string
    service: ServiceName
    device: string | null
    csrf: string
    created_at: number
    last_seen_at: number
  }
  shared_number: {
    name:
      | 'index_version'
      | 'beatmap_version'
      // Processes of earlier versions pause by these two during an upgrade.
      | 'platform_paused_until'
      | 'platform_paused_at'
      | 'change_cursor'
      | 'tournament_change_cursor'
      | 'search_seq'
      | 'search_walk'
      | 'search_packs'
      | 'search_forgotten'
      | '!unfinished'
    value: number
    /** Random, new with each change of the number; null for numbers that need none. */
    mark: Generated<string | null>
  }
  suspension: {
    game_id: number
    at: number
    /** null when it was the operator, or when the account is gone. */
    moderator_id: string | null
    by_operator: 0 | 1
    reason: string
    /** It is over, but not yet for all packs. */
    is_lifted: 0 | 1
    /** All packs are as they are to be. */
    is_done: 0 | 1
  }
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
    copied_from: Generated<string | null>
    hidden_at: number | null
    hidden_reason: string | null
    created_at: number
    updated_at: number
    public_at: number
    /** Random, new with each change of the tournament. */
    mark: number
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
  /** The newest places that feeds have forgotten, of each account that could know of it; empty: of everybody. */
  forgotten_change: { feed: string; reader: string; seq: number; mark: number }
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
type FeedColumns = {
  id: Generated<number>
  /** Its place in the order of commits; null until it is known. */
  seq: number | null
  /** Random. */
  mark: number
  at: number
}

/** What changes over a pack's life; `slots`, `buckets`, `exports` and `stats` are JSON. */
export type PackStateColumns = {
  name: string
  visibility: Visibility
  description: string | null
  /** JSON of the other fields that its owner decides; null for none. */
  other_fields: string | null
  slots: string
  buckets: string | null
  pack_key: string
  /** Of the columns that are large. */
  content_hash: number
  exports: string
  hidden_at: number | null
  hidden_reason: string | null
  pinned_rank: number | null
  stats: string | null
  history_public: 0 | 1
  version: number
  /** null: `updated_at`. */
  version_at: number | null
  version_hidden: 0 | 1
  updated_at: number
}
