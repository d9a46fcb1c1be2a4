import type { ChangeKind } from '../../contract/changes.ts'
import type { Generated } from 'kysely'
import type { ModerationAction } from '../../contract/moderation.ts'
import type { Ruleset } from '../../contract/mods.ts'
import type { Visibility } from '../../contract/packs.ts'
import type { ServiceName } from '../../contract/services.ts'
import type { CallerKind, SignInCaller } from '../../domain/platform.ts'
import type { Requester } from '../../domain/quotas.ts'
import type { FeedColumns, TournamentTables } from './tournament-tables.ts'

/** The tables as `migrations/` makes them; the same in every engine. Times are ms since the epoch. */
export type Tables = TournamentTables & {
  account: {
    id: string
    game_id: number | null
    username: string | null
    created_at: number
    language: string | null
  }
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
  /** The newest places that feeds have forgotten, of each account that could know of it; empty: of everybody. */
  forgotten_change: { feed: string; reader: string; seq: number; mark: number }
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
