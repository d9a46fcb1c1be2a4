import type { Stats } from '../contract/packs.ts'
import type { SavedPack } from '../domain/packs.ts'

/** A pack whose stats are due, held under a lease. */
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
}

/** The packs whose stats are still to be computed. */
export type StatsBacklog = {
  /** How many are due now. */
  readonly length: number
  /** Since when the longest of them is, ms since the epoch; null when none is. */
  readonly oldestDueAt: number | null
  /** How many there are in all: due, held, or to be tried again later. */
  readonly total: number
}

/**
 * The packs whose stats are to be computed: the packs' own rows are the queue. Every save makes a
 * pack due at once with no attempts. Each method is one whole transaction.
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

  /** What there is to do now and later. */
  backlog(now: number): Promise<StatsBacklog>

  /** When the next pack falls due or its lease ends, ms since the epoch; null when none will. */
  nextDueAt(): Promise<number | null>
}
