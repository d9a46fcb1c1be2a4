import type {
  NewCandidate,
  NewRemark,
  OwnDiscussion,
  RemarkState,
  RoundPlace,
  SavedCandidate,
  SavedDiscussion,
  SavedRemark,
  SlotPlace,
} from '../domain/discussion.ts'
import type { SavedRound, SavedTournament } from '../domain/tournaments.ts'
import type { WriteOnce } from './store.ts'

/** The tournament and its round as they are in the transaction. */
export type RoundNow = { readonly tournament: SavedTournament; readonly round: SavedRound }

/** A change of a candidate. `vote` 0 takes a vote back. */
type CandidateChange = { readonly accountId: string; readonly vote: -1 | 0 | 1 } | 'remove'

/**
 * Candidates, votes and remarks. Each method is one whole transaction; writes are serialized with all other
 * writes of the tournament, and change the round's mark in `WorkspaceState.discussion`, unless they change nothing (D-86).
 * `change` and `check` run within the transaction; what they throw is rethrown, and nothing is written. Methods return null
 * if there is no such round, candidate or remark. `at` is the time of the change, ms since the epoch, for the feed of
 * changes (D-89).
 */
export interface DiscussionStore {
  /** The candidates and remarks of a round; empty for a round that does not exist. */
  read(place: RoundPlace): Promise<SavedDiscussion>

  /** The candidates, votes and remarks of an account in all rounds, oldest first. */
  readOf(accountId: string): Promise<OwnDiscussion>

  /**
   * Adds candidates of the account, in their order and without votes.
   *
   * @param check is called with the candidates of the round; their votes are left out.
   */
  propose(
    place: RoundPlace,
    accountId: string,
    candidates: readonly NewCandidate[],
    check: (now: RoundNow, others: readonly NewCandidate[]) => void,
    once?: WriteOnce | null,
  ): Promise<readonly SavedCandidate[] | null>

  /** Sets a vote, or removes the candidate with its votes. */
  changeCandidate(
    place: RoundPlace,
    id: string,
    at: number,
    change: (now: RoundNow, saved: SavedCandidate) => CandidateChange,
  ): Promise<SavedCandidate | 'removed' | null>

  /**
   * Moves a candidate to a slot; votes and the order of proposals stay.
   *
   * @param check is called with the candidate, and with all candidates of the round without their votes.
   */
  moveCandidate(
    place: RoundPlace,
    id: string,
    at: number,
    to: SlotPlace,
    check: (now: RoundNow, saved: SavedCandidate, all: readonly NewCandidate[]) => void,
  ): Promise<SavedCandidate | null>

  /**
   * Adds a remark of the account that is not settled.
   *
   * @param check is called with the number of remarks of the round.
   */
  addRemark(
    place: RoundPlace,
    accountId: string,
    remark: NewRemark,
    check: (now: RoundNow, remarks: number) => void,
    once?: WriteOnce | null,
  ): Promise<SavedRemark | null>

  /** Saves what `change` returns, unless that is the same object; null removes the remark. */
  changeRemark(
    place: RoundPlace,
    id: string,
    at: number,
    change: (now: RoundNow, saved: SavedRemark) => RemarkState | null,
  ): Promise<SavedRemark | 'removed' | null>
}
