import type { Ruleset } from '../contract/mods.ts'
import type { StaffRole } from '../contract/tournaments.ts'
import type { SavedDraft } from '../domain/draft-history.ts'
import type { Awaitable } from '../domain/loading.ts'
import type { ModerationNote } from '../domain/moderation.ts'
import type {
  DeletedRound,
  SavedRound,
  SavedTournament,
  TournamentChange,
  TournamentContent,
  TournamentFacts,
} from '../domain/tournaments.ts'
import type { Page, WriteOnce } from './store.ts'

/** Which public tournaments to list; null and empty match all. */
export type TournamentFilter = {
  /** A part of the name or of the short name, in any case. */
  readonly search: string
  readonly ruleset: Ruleset | null
  /** A rank that may take part. */
  readonly rank: number | null
  readonly year: number | null
}

export const everyTournament: TournamentFilter = {
  search: '',
  ruleset: null,
  rank: null,
  year: null,
}

type NewTournament = TournamentFacts &
  Pick<SavedTournament, 'slug' | 'createdAt'> &
  /** By default no rounds, and copied from nowhere. */
  Partial<Pick<SavedTournament, 'rounds' | 'copiedFrom'>>

/** A tournament in a list: without rounds and staff. */
type ListedTournament = Omit<SavedTournament, 'rounds' | 'staff'>

/** As everybody sees it: without `updatedAt`, which would reveal changes of drafts. */
export type PublicTournament = Omit<ListedTournament, 'updatedAt' | 'discord'>

/**
 * The tournaments with their rounds and staff. Each method is one whole transaction, which also appends its changes to the
 * feed (D-89); times are ms since the epoch. `change` runs within the transaction; what it throws is rethrown, and nothing
 * is written.
 */
export interface TournamentStore {
  /**
   * The tournament for any caller: access is the caller's rule. The same object while nothing of it has
   * changed, its packs included; it is never changed later.
   */
  read(slug: string): Awaitable<SavedTournament | null>

  /** Public tournaments that are not hidden, by `publicAt`, the last first; `page` counts from 1. */
  listPublic(
    filter: TournamentFilter,
    page: number,
    pageSize: number,
  ): Promise<Page<PublicTournament>>

  /** Those of them that this account hosts, in the same order. */
  listHosted(accountId: string, limit: number): Promise<readonly PublicTournament[]>

  /** Public tournaments for moderators, hidden ones too, by `publicAt`, the last first (D-60, D-76). */
  listModerated(
    filter: {
      /** A part of the name or of the short name in any case, or a whole slug; empty for all. */
      readonly query: string
      readonly isHidden: boolean
    },
    page: number,
    pageSize: number,
  ): Promise<Page<ListedTournament & { readonly isSuspended: boolean }>>

  /** The tournaments that an account is on the staff of, by `updatedAt`, the last first. */
  listOfMember(
    accountId: string,
    page: number,
    pageSize: number,
  ): Promise<Page<ListedTournament & { readonly role: StaffRole }>>

  /** What the account has made under this idempotency key since a time (D-86), here or in a discussion; null for nothing. */
  findWrite(
    once: Pick<WriteOnce, 'accountId' | 'key' | 'since'>,
  ): Promise<{ readonly fingerprint: string; readonly made: string } | null>

  // `once`: what a method makes is noted with it, unless it was made before (`WriteOnce`).

  /** Stores a new tournament, of which this account is the host unless it hosts `limit`. */
  create(
    tournament: NewTournament,
    hostId: string,
    limit: number,
    once?: WriteOnce | null,
  ): Promise<'created' | 'full' | 'slug_taken' | 'no_owner'>

  /**
   * Saves the content that `change` returns, and keeps a version of each draft that is new or that it changed:
   * another one when it raised `version`, else in place of the one that has this number.
   * null when there is no such tournament. `savedBy` is the account that versions are of. Of the rounds that it leaves
   * out, the last 100 are kept as deleted ones.
   * When it adds an account to the staff, nothing is written if that is gone (`no_account`), or
   * would host more than `limit` tournaments (`full`); nor when it removes a host and leaves none who is not
   * suspended (`no_host`).
   *
   * @param at when it is made, for the feed of changes (D-89).
   */
  change(
    slug: string,
    savedBy: string | null,
    limit: number,
    at: number,
    change: (saved: SavedTournament) => TournamentContent,
    once?: WriteOnce | null,
  ): Promise<SavedTournament | 'no_account' | 'full' | 'no_host' | null>

  /**
   * As `change` of what adds no one to the staff, and logs the note; null: nothing. One that a suspension hides stays
   * hidden: `change` is called with it as it will be afterwards.
   */
  moderate(
    slug: string,
    change: (saved: SavedTournament) => {
      readonly content: TournamentContent
      readonly note: ModerationNote | null
    },
  ): Promise<SavedTournament | null>

  /**
   * As `change`, in one transaction with packs of the system account. `now` is the clock that all processes
   * share: the database's where there is one, else the caller's `callerNow`. `slug_taken`: nothing was
   * written; try another slug. null also when `change` returns null: then nothing is written.
   */
  changeWithPacks(
    slug: string,
    savedBy: string | null,
    callerNow: number,
    change: (saved: SavedTournament, now: number) => TournamentChange | null,
  ): Promise<SavedTournament | 'deleted' | 'slug_taken' | null>

  /**
   * The rounds of which something is to be released: those whose time has come, and those in which a slot that was
   * released without a beatmap got one (D-78). Those that have waited longest come first, since their time or since the
   * last change of the draft. And in how many ms the next release after them is scheduled; null when none is. Those of
   * hidden tournaments wait (D-76). By the clock that all processes share.
   */
  due(
    callerNow: number,
    limit: number,
  ): Promise<{
    readonly rounds: readonly { readonly slug: string; readonly roundId: string }[]
    readonly nextInMs: number | null
  }>

  /**
   * The slugs of the tournaments whose rounds are released next of those that everybody may know: announced by
   * public tournaments that are not hidden, and never released. The soonest first, one for each round.
   */
  listComing(limit: number): Promise<readonly string[]>

  /** The tournament of the round that was released as this pack; null when there is none. */
  findByPack(packSlug: string): Promise<string | null>

  /** The rounds of a tournament that were deleted after this time, the last one first. */
  listDeletedRounds(slug: string, after: number): Promise<readonly DeletedRound[]>

  /**
   * As `change` of what adds no one to the staff, with a round that was deleted after this time: its discussion and
   * its versions are there again when `change` returns it. null also when there is no such deleted round.
   *
   * @param times `at`: as `change` has it.
   */
  restoreRound(
    slug: string,
    roundId: string,
    savedBy: string,
    times: { readonly after: number; readonly at: number },
    change: (saved: SavedTournament, deleted: SavedRound) => TournamentContent,
    once?: WriteOnce | null,
  ): Promise<SavedTournament | null>

  /** Removes some of the rounds that were deleted before this time for good. Returns whether there may be more. */
  forgetDeletedRounds(before: number): Promise<boolean>

  /** The newest 100 states of a round's draft, the present one first; empty when there is no such round. */
  readVersions(slug: string, roundId: string): Promise<readonly SavedDraft[]>
}
