import type { Awaitable } from '../domain/awaitable.ts'
import type { ServiceName } from '../contract/services.ts'

/** What an account has spent in one minute on one service, refused requests not counted. */
export type Spent = {
  readonly requests: number
  readonly writes: number
}

/** When counters begin anew. */
export type Resetting = {
  /** ms until the window that was counted in ends: from 1 to two windows. */
  readonly resetMs: number
}

/** How a request with a live key fared. `refused` names the quota that was used up, or is null. */
export type Admission = Resetting & {
  readonly accountId: string
  readonly spent: Spent
  readonly refused: 'requests' | 'writes' | null
}

/** How many of something there were in a window. */
export type Count = Resetting & { readonly count: number }

/** What is shared: what the site serves, in minutes; what visitors add to the cache, in hours (D-56). */
export type ShareKind = 'site' | 'new_beatmaps'

/** A share: of what, on which service's site, and whose. */
export type ShareName = {
  readonly kind: ShareKind
  readonly service: ServiceName
  /** An account or an address as `Requester`, or what stands for several. */
  readonly name: string
}

/** How spending of a share fared. */
export type Share = Resetting & {
  /** Whether it was used up before; nothing was spent then. */
  readonly isRefused: boolean
}

/**
 * Counters in fixed windows, exact under concurrent calls. Windows are whole minutes (hours for new
 * keys) of the clock that all processes share: the database's where there is one, else the caller's,
 * which each call gives as `now` (ms since the epoch; D-53).
 *
 * A counter is never reset by a clock that goes back into the window before: it goes on in the
 * later one. A counter that is ahead of the clock by more than one window counts as none, so that
 * nobody waits for longer than two windows, whatever the clock does.
 */
export interface QuotaStore {
  /**
   * Finds the owner of a live key and spends one request and, when `isWrite`, one write of the
   * account on this service, in one step (D-7, D-8). A request over the request quota spends
   * nothing; a write over the write quota spends the request alone.
   *
   * @param keyHash as in `StoredKey`.
   * @returns null when no live key has this hash; nothing is spent then.
   */
  admit(
    service: ServiceName,
    keyHash: string,
    isWrite: boolean,
    now: number,
  ): Awaitable<Admission | null>

  /**
   * Spends one request and, when `isWrite`, one write of the account, as `admit` does: what the
   * site saves counts toward the same quotas (spec 8).
   */
  spend(service: ServiceName, accountId: string, isWrite: boolean, now: number): Promise<Admission>

  /** What the account has spent in the window, without spending anything. */
  spent(service: ServiceName, accountId: string, now: number): Promise<Spent & Resetting>

  /**
   * Counts a new key of the account (D-41).
   *
   * @returns how many there were in the hour with this one, at most the quota plus one.
   */
  countNewKey(service: ServiceName, accountId: string, now: number): Promise<Count>

  /** New keys of the account in the hour, without counting one; at most the quota. */
  newKeys(service: ServiceName, accountId: string, now: number): Promise<Count>

  /**
   * Counts a failed key attempt of an address (D-5).
   *
   * @returns how many there were in the window with this one, at most the quota plus one.
   */
  countFailure(service: ServiceName, address: string, now: number): Promise<Count>

  /** Failed attempts of an address in the window, without counting one (D-10). */
  failures(service: ServiceName, address: string, now: number): Promise<Count>

  /**
   * Spends points of a share, unless `limit` points were spent before; a cost of 0 only asks. Exact
   * in one process, and at once. Processes that share a database tell each other once a second: what
   * each of them lets through within that second may exceed the limit (D-56).
   */
  spendShare(share: ShareName, cost: number, limit: number, now: number): Share
}
