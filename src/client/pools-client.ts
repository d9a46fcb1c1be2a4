import type { Check } from '../contract/checks.ts'
import type {
  Candidate,
  CandidateInput,
  CandidateMove,
  CandidatePage,
  Remark,
  RemarkInput,
  RemarkPage,
  RemarkPatch,
} from '../contract/discussion.ts'
import type { DeletedRound } from '../contract/deleted-rounds.ts'
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
import type { TournamentChange, TournamentChangePage } from '../contract/tournament-feed.ts'
import type { BeatmapUse, UsagePage, UsagesPage } from '../contract/usage.ts'
import type { Call, CallOptions, ChangesOptions, CreateOptions, PageOptions } from './call.ts'
import type { ServiceClient } from './service.ts'

/** The options of a write that may depend on what was read. */
export type MatchOptions = CallOptions & {
  /**
   * The ETag of what is changed, as it was read (`withResponse()`), or `*`: in another state, the call throws
   * `precondition_failed`. null or left out: any state.
   */
  readonly ifMatch?: string | null | undefined
}

/** The options of reading a tournament or a round. */
export type ViewOptions = CallOptions & {
  /** `public`: as everybody reads it who is not on the staff; left out, as you do. */
  readonly as?: 'public' | undefined
}

/** The options of a release. */
export type ReleaseOptions = MatchOptions & {
  /** Whether slots without a beatmap go out as they are planned, each by itself once it has one (D-78). */
  readonly incomplete?: boolean | undefined
}

/** The options of giving a role. */
export type RoleOptions = MatchOptions & {
  /** The ids of the rounds that it is limited to; left out, all rounds (D-81). */
  readonly rounds?: readonly string[] | undefined
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

/** A call about a tournament: its slug comes first. */
type OfTournament<Input extends readonly unknown[], Result> = (
  slug: string,
  ...input: Input
) => Call<Result>

/** A call about a round: the slug of its tournament and its own id come first. */
type OfRound<Input extends readonly unknown[], Result> = (
  slug: string,
  round: string,
  ...input: Input
) => Call<Result>

/**
 * The tournament-pools service: one function for each of its operations, and three that iterate. Drafts are
 * `not_found` for all but the staff; a role that does not allow a call is `forbidden`.
 */
export interface PoolsClient extends ServiceClient {
  /** One page of public tournaments, last updated first, 50 a page. */
  readonly listTournaments: (options?: TournamentListOptions) => Call<TournamentPage>

  /** One page of the tournaments that you are on the staff of. */
  readonly listMyTournaments: (options?: PageOptions) => Call<TournamentPage>

  /** Makes a tournament that you host, with the rounds of another one if `from` names it; private unless `visibility` says otherwise. */
  readonly createTournament: (input: TournamentInput, options?: CreateOptions) => Call<Tournament>

  /** A tournament: for its staff with all drafts, for others with what is released. */
  readonly getTournament: OfTournament<[options?: ViewOptions], Tournament>

  /** Changes the fields that are in the patch; null removes an optional one. */
  readonly updateTournament: OfTournament<
    [patch: TournamentPatch, options?: MatchOptions],
    Tournament
  >

  /** Deletes a tournament for good, with the packs of its rounds. */
  readonly deleteTournament: OfTournament<[options?: MatchOptions], void>

  /** Adds a round after the others. */
  readonly createRound: OfTournament<[input: RoundInput, options?: CreateOptions], Round>

  /** Makes the rounds those of the list, in its order: a whole sheet in one write. */
  readonly replaceRounds: OfTournament<
    [rounds: RoundsInput['rounds'], options: ExactOptions],
    Tournament
  >

  /** The draft of a round, or what is released of it. */
  readonly getRound: OfRound<[options?: ViewOptions], Round>

  /** Replaces the whole draft of a round. */
  readonly replaceRound: OfRound<[input: RoundInput, options: ExactOptions], Round>

  /** Deletes a round, with its pack if it is released. For 30 days it can be restored. */
  readonly deleteRound: OfRound<[options: ExactOptions], void>

  /** The deleted rounds that can be restored, the last one first. */
  readonly listDeletedRounds: OfTournament<[options?: CallOptions], DeletedRound[]>

  /** Makes a deleted round the last one again, as a draft, with its history, candidates and remarks. */
  readonly restoreRound: OfRound<[options?: CreateOptions], Round>

  /**
   * Changes slots that are still as in `from`, all of them or none. Otherwise the call throws `conflict`
   * with `slots`: those that are not, as they are now.
   */
  readonly changeSlots: OfRound<[changes: SlotChanges['changes'], options?: MatchOptions], Round>

  /** Makes the pack of a round `now` or at a time (ISO 8601); null withdraws the schedule or, if there is none, the pack. */
  readonly releaseRound: OfRound<[at: ReleaseInput['at'], options?: ReleaseOptions], Round>

  /** One page of what saves have made of the draft of a round, newest first. */
  readonly getDraftHistory: OfRound<[options?: PageOptions], DraftHistoryPage>

  /** What the draft of a round was. */
  readonly getDraftVersion: OfRound<[version: number, options?: CallOptions], WholeDraftVersion>

  /** What the checks find in all rounds, or in the one of this id: what weighs most first. */
  readonly getTournamentChecks: OfTournament<
    [options?: CallOptions & { readonly round?: string | undefined }],
    Check[]
  >

  /** What the checks find in a round: what weighs most first. */
  readonly getRoundChecks: OfRound<[options?: CallOptions], Check[]>

  /** Who is on the staff. */
  readonly listStaff: OfTournament<[options?: CallOptions], StaffMember[]>

  /** One of the staff. */
  readonly getMember: OfTournament<[gameId: number, options?: CallOptions], StaffMember>

  /** Gives a player with an account a role, for all rounds or for some. */
  readonly setRole: OfTournament<
    [gameId: number, role: RoleInput['role'], options?: RoleOptions],
    StaffMember
  >

  /** Removes somebody from the staff, perhaps yourself. */
  readonly removeMember: OfTournament<[gameId: number, options?: MatchOptions], void>

  /** One page of the candidates for the slots of a round, with their votes. */
  readonly listCandidates: OfRound<[options?: PageOptions], CandidatePage>

  /** Proposes a beatmap for a slot. */
  readonly proposeCandidate: OfRound<[input: CandidateInput, options?: CreateOptions], Candidate>

  /** Proposes up to 32 beatmaps for slots as one write: all of them, or none. */
  readonly proposeCandidates: OfRound<
    [inputs: readonly CandidateInput[], options?: CreateOptions],
    readonly Candidate[]
  >

  /** One candidate, with its votes. */
  readonly getCandidate: OfRound<[id: string, options?: CallOptions], Candidate>

  /** Sets your vote: 1 for, -1 against, 0 for none. */
  readonly voteOnCandidate: OfRound<
    [id: string, vote: -1 | 0 | 1, options?: MatchOptions],
    Candidate
  >

  /** Moves a candidate with its votes to another slot of the round. */
  readonly moveCandidate: OfRound<
    [id: string, to: CandidateMove, options?: MatchOptions],
    Candidate
  >

  /** Removes a candidate with its votes. */
  readonly removeCandidate: OfRound<[id: string, options?: MatchOptions], void>

  /** One page of the remarks on a round and its slots. */
  readonly listRemarks: OfRound<[options?: PageOptions], RemarkPage>

  /** Adds a remark on a slot or on the round. */
  readonly addRemark: OfRound<[input: RemarkInput, options?: CreateOptions], Remark>

  /** One remark. */
  readonly getRemark: OfRound<[id: string, options?: CallOptions], Remark>

  /** Changes the text of a remark, or whether it is settled. */
  readonly updateRemark: OfRound<[id: string, patch: RemarkPatch, options?: MatchOptions], Remark>

  /** Removes a remark. */
  readonly removeRemark: OfRound<[id: string, options?: MatchOptions], void>

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

  /**
   * What has happened to public tournaments, and to those that you are on the staff of, since `after`: at most 100
   * changes, oldest first.
   */
  readonly getChanges: (options?: ChangesOptions) => Call<TournamentChangePage>

  /**
   * What happens to public tournaments, and to those that you are on the staff of, each change once, without an end:
   * from `after` on, the `cursor` of a change, or from now on. Waits while nothing comes and while the service cannot
   * be reached. Throws `gone` when the changes after `after` are no longer kept.
   */
  readonly followChanges: (
    options?: Omit<ChangesOptions, 'wait'>,
  ) => AsyncIterableIterator<TournamentChange>

  /** All public tournaments that match, page by page as they are requested, each once. */
  readonly iterateTournaments: (
    options?: Omit<TournamentListOptions, 'page'>,
  ) => AsyncIterableIterator<TournamentSummary>

  /** All tournaments that you are on the staff of, each once. */
  readonly iterateMyTournaments: (options?: CallOptions) => AsyncIterableIterator<TournamentSummary>
}
