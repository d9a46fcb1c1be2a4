import type { Check } from '../contract/checks.ts'
import type {
  Candidate,
  CandidateInput,
  CandidatePage,
  Remark,
  RemarkInput,
  RemarkPage,
  RemarkPatch,
} from '../contract/discussion.ts'
import type { DraftHistoryPage, WholeDraftVersion } from '../contract/draft-history.ts'
import type {
  ReleaseInput,
  Round,
  RoundInput,
  RoundsInput,
  SlotChanges,
} from '../contract/rounds.ts'
import type { RoleInput, StaffMember } from '../contract/staff.ts'
import type {
  Tournament,
  TournamentInput,
  TournamentPage,
  TournamentPatch,
  TournamentSearch,
  TournamentSummary,
} from '../contract/tournaments.ts'
import type { BeatmapUse, UsagePage, UsagesPage } from '../contract/usage.ts'
import type { Call, CallOptions, PageOptions } from './call.ts'
import type { ServiceClient } from './service.ts'

/** The options of a write that may depend on what was read. */
export type MatchOptions = CallOptions & {
  /**
   * The ETag of what is changed, as it was read (`withResponse()`), or `*`: in another state, the call throws
   * `precondition_failed`. null or left out: any state.
   */
  readonly ifMatch?: string | null | undefined
}

/** The options of a write of a whole round or sheet, which needs to know what was read (D-62). */
export type ExactOptions = CallOptions & {
  /**
   * The ETag of the round (of `replaceRounds`, of the tournament) as it was read, or `*` for any state. With
   * null, an answer that had none, the call throws `precondition_required`.
   */
  readonly ifMatch: string | null
}

/** Which public tournaments to list. */
export type TournamentListOptions = PageOptions &
  Pick<TournamentSearch, 'search' | 'ruleset'> & {
    /** A rank that may take part. */
    readonly rank?: number | undefined
    /** The year it is played in. */
    readonly year?: number | undefined
  }

/**
 * The tournament-pools service: one function for each of its operations, and three that iterate. Drafts are
 * `not_found` for all but the staff; a role that does not allow a call is `forbidden`.
 */
export interface PoolsClient extends ServiceClient {
  /** One page of public tournaments, last updated first, 50 a page. */
  readonly listTournaments: (options?: TournamentListOptions) => Call<TournamentPage>

  /** One page of the tournaments that you are on the staff of. */
  readonly listMyTournaments: (options?: PageOptions) => Call<TournamentPage>

  /** Makes a tournament that you host, without rounds; private unless `visibility` says otherwise. */
  readonly createTournament: (input: TournamentInput, options?: CallOptions) => Call<Tournament>

  /** A tournament: for its staff with all drafts, for others with what is released. */
  readonly getTournament: (slug: string, options?: CallOptions) => Call<Tournament>

  /** Changes the fields that are in the patch; null removes an optional one. */
  readonly updateTournament: (
    slug: string,
    patch: TournamentPatch,
    options?: MatchOptions,
  ) => Call<Tournament>

  /** Deletes a tournament for good, with the packs of its rounds. */
  readonly deleteTournament: (slug: string, options?: MatchOptions) => Call<void>

  /** Adds a round after the others. */
  readonly createRound: (slug: string, input: RoundInput, options?: CallOptions) => Call<Round>

  /** Makes the rounds those of the list, in its order: a whole sheet in one write. */
  readonly replaceRounds: (
    slug: string,
    rounds: RoundsInput['rounds'],
    options: ExactOptions,
  ) => Call<Tournament>

  /** The draft of a round, or what is released of it. */
  readonly getRound: (slug: string, round: string, options?: CallOptions) => Call<Round>

  /** Replaces the whole draft of a round. */
  readonly replaceRound: (
    slug: string,
    round: string,
    input: RoundInput,
    options: ExactOptions,
  ) => Call<Round>

  /** Deletes a round, with its pack if it is released. */
  readonly deleteRound: (slug: string, round: string, options: ExactOptions) => Call<void>

  /**
   * Changes slots that are still as in `from`, all of them or none. Otherwise the call throws `conflict`
   * with `slots`: those that are not, as they are now.
   */
  readonly changeSlots: (
    slug: string,
    round: string,
    changes: SlotChanges['changes'],
    options?: CallOptions,
  ) => Call<Round>

  /** Makes the pack of a round `now` or at a time (ISO 8601); null withdraws the schedule or, if there is none, the pack. */
  readonly releaseRound: (
    slug: string,
    round: string,
    at: ReleaseInput['at'],
    options?: MatchOptions,
  ) => Call<Round>

  /** One page of what saves have made of the draft of a round, newest first. */
  readonly getDraftHistory: (
    slug: string,
    round: string,
    options?: PageOptions,
  ) => Call<DraftHistoryPage>

  /** What the draft of a round was. */
  readonly getDraftVersion: (
    slug: string,
    round: string,
    version: number,
    options?: CallOptions,
  ) => Call<WholeDraftVersion>

  /** What the checks find in all rounds. */
  readonly getTournamentChecks: (slug: string, options?: CallOptions) => Call<Check[]>

  /** What the checks find in a round. */
  readonly getRoundChecks: (slug: string, round: string, options?: CallOptions) => Call<Check[]>

  /** Who is on the staff. */
  readonly listStaff: (slug: string, options?: CallOptions) => Call<StaffMember[]>

  /** Gives a player with an account a role. */
  readonly setRole: (
    slug: string,
    gameId: number,
    role: RoleInput['role'],
    options?: CallOptions,
  ) => Call<StaffMember>

  /** Removes somebody from the staff, perhaps yourself. */
  readonly removeMember: (slug: string, gameId: number, options?: CallOptions) => Call<void>

  /** One page of the candidates for the slots of a round, with their votes. */
  readonly listCandidates: (
    slug: string,
    round: string,
    options?: PageOptions,
  ) => Call<CandidatePage>

  /** Proposes a beatmap for a slot. */
  readonly proposeCandidate: (
    slug: string,
    round: string,
    input: CandidateInput,
    options?: CallOptions,
  ) => Call<Candidate>

  /** Sets your vote: 1 for, -1 against, 0 for none. */
  readonly voteOnCandidate: (
    slug: string,
    round: string,
    id: string,
    vote: -1 | 0 | 1,
    options?: CallOptions,
  ) => Call<Candidate>

  /** Removes a candidate with its votes. */
  readonly removeCandidate: (
    slug: string,
    round: string,
    id: string,
    options?: CallOptions,
  ) => Call<void>

  /** One page of the remarks on a round and its slots. */
  readonly listRemarks: (slug: string, round: string, options?: PageOptions) => Call<RemarkPage>

  /** Adds a remark on a slot or on the round. */
  readonly addRemark: (
    slug: string,
    round: string,
    input: RemarkInput,
    options?: CallOptions,
  ) => Call<Remark>

  /** Changes the text of a remark, or whether it is settled. */
  readonly updateRemark: (
    slug: string,
    round: string,
    id: string,
    patch: RemarkPatch,
    options?: CallOptions,
  ) => Call<Remark>

  /** Removes a remark. */
  readonly removeRemark: (
    slug: string,
    round: string,
    id: string,
    options?: CallOptions,
  ) => Call<void>

  /** One page of where a beatmap was pooled, most recently saved packs first. */
  readonly getBeatmapUsage: (beatmapId: number, options?: PageOptions) => Call<UsagePage>

  /** One page of where up to 50 beatmaps were pooled, and how often each was. */
  readonly listBeatmapUsage: (
    beatmapIds: readonly number[],
    options?: PageOptions,
  ) => Call<UsagesPage>

  /** Everywhere that up to 50 beatmaps were pooled, page by page as it is requested, each slot once. */
  readonly iterateBeatmapUsage: (
    beatmapIds: readonly number[],
    options?: CallOptions,
  ) => AsyncIterableIterator<BeatmapUse>

  /** All public tournaments that match, page by page as they are requested, each once. */
  readonly iterateTournaments: (
    options?: Omit<TournamentListOptions, 'page'>,
  ) => AsyncIterableIterator<TournamentSummary>

  /** All tournaments that you are on the staff of, each once. */
  readonly iterateMyTournaments: (options?: CallOptions) => AsyncIterableIterator<TournamentSummary>
}
