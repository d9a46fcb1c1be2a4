import type { Stats } from '../contract/packs.ts'
import type { SavedPack } from '../domain/packs.ts'
import type { CanaryRating, RatingChange } from '../domain/ratings.ts'

/** A pack whose stats are due, under a lease. */
export type DuePack = {
  readonly pack: SavedPack
  /** Which attempt since its last save this is: the first is 1. */
  readonly attempt: number
  /** The fencing token of the lease: greater with each lease and each `markDue` of the pack. */
  readonly lease: number
}

/** How work on a pack ended. */
export type StatsResult = {
  /** null: leave those it has. */
  readonly stats: Stats | null
  /** When to try again, ms since the epoch; null when there is nothing left to do. */
  readonly dueAt: number | null
  /** How many attempts there were; the next one is this plus 1. */
  readonly attempts: number
  /**
   * When facts that the platform did not have are to be asked for again (D-93), ms since the epoch; null, or left out,
   * if it had all.
   */
  readonly askAgainAt?: number | null
}

/** The packs whose stats are still to be computed. */
export type StatsBacklog = {
  /** How many are due. */
  readonly length: number
  /** Since when the longest of them is, ms since the epoch; null when none is. */
  readonly oldestDueAt: number | null
  /** How many there are in all: due, leased, or to be tried again later. */
  readonly total: number
}

/**
 * The packs whose stats are to be computed: the packs' own rows are the queue. Every save makes a
 * pack due at once with no attempts. Those that wait for `askAgainAt` are not in it. Each method is one whole transaction.
 *
 * All times are the caller's; they are kept by the clock that all processes share. A pack that would wait for longer than
 * any may, because a clock has been put right since, is due (D-53).
 */
export interface StatsWork {
  /**
   * Leases up to `limit` due packs without a lease until `leaseUntil`, the longest due first; each
   * counts as one attempt. No other call gets them before.
   */
  takeDue(now: number, leaseUntil: number, limit: number): Promise<readonly DuePack[]>

  /**
   * Ends the work on a pack and releases its lease; `updatedAt` never moves. false, and nothing is
   * written, when the pack has been saved since it was taken (D-37), has been marked due or taken by
   * another worker since, or is gone.
   */
  finish(work: Pick<DuePack, 'pack' | 'lease'>, result: StatsResult): Promise<boolean>

  /**
   * Makes a pack due at once, or all packs when `slug` is null, with no attempts; a worker that holds
   * one loses its lease. Returns how many there are. All packs are marked in several transactions, so
   * that saves run in between.
   */
  markDue(slug: string | null, now: number): Promise<number>

  /** Makes up to `limit` packs due whose `askAgainAt` has come, the longest first; returns how many. */
  askAgain(now: number, limit: number): Promise<number>

  /**
   * Begins to recompute all packs that there are now, newest first; one that is under way begins anew. Those that
   * `markNext` has not come to yet keep their place over restarts.
   */
  beginRecomputation(): Promise<void>

  /** Makes the next `limit` packs of the recomputation due, as `markDue`; returns how many. */
  markNext(now: number, limit: number): Promise<number>

  /** How many packs `markNext` has not come to yet. */
  leftToMark(): Promise<number>

  /** What there is to do now, or within so many ms from now, and later. */
  backlog(now: number, withinMs?: number): Promise<StatsBacklog>

  /** When the next pack falls due or its lease ends, ms since the epoch; null when none will. */
  nextDueAt(now: number): Promise<number | null>
}

/** What changed at once. */
export type RatingsChange = {
  /** When it was noticed, ms since the epoch. */
  readonly at: number
  readonly changes: readonly RatingChange[]
}

/** The ratings that are compared with those of the platform each day (D-95), by one of all processes. */
export interface RatingWatch {
  /**
   * Takes the comparison that is due: no other process gets it before `retryAt`. Returns the ratings as they were when
   * they changed last; null when it is not due. In a new store it is due at `retryAt` for the first time. A time more
   * than a day ahead was set by a clock that has been put right since (D-53): it is due.
   */
  take(now: number, retryAt: number): Promise<readonly CanaryRating[] | null>

  /**
   * Ends a comparison: stores the changes, and these ratings where none was known or one has changed.
   *
   * @param nextAt when the next one is due, ms since the epoch.
   */
  finish(
    ratings: readonly CanaryRating[],
    changes: readonly RatingChange[],
    now: number,
    nextAt: number,
  ): Promise<void>

  /** The last change that was noticed; null if none was. */
  lastChange(): Promise<RatingsChange | null>
}
