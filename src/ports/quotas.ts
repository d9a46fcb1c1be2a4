import type { ServiceName } from '../contract/services.ts'
import type { Awaitable } from '../domain/loading.ts'

/** What an account has spent in one minute on one service, refused requests not counted. */
export type Spent = { readonly requests: number; readonly writes: number }

/** How many ms until the window that was counted in ends: from 1 to two windows. */
type Resetting = { readonly resetMs: number }

/** How a request with a live key ended. `refused` names the quota that was used up, or is null. */
export type Admission = Resetting & {
  readonly accountId: string
  readonly spent: Spent
  readonly refused: 'requests' | 'writes' | null
}

/** How many of something there were in a window. */
export type Count = Resetting & { readonly count: number }

/**
 * What is shared: what the site serves and edits of tournaments (D-64), in minutes; codes of sign-ins that came to
 * nothing, in ten minutes (D-91); what visitors add to the cache, in hours (D-56).
 */
export const shareKinds = ['site', 'edits', 'failed_codes', 'new_beatmaps'] as const

export type ShareKind = (typeof shareKinds)[number]

/** A share: of what, on which service's site, and whose. */
export type ShareName = {
  readonly kind: ShareKind
  readonly service: ServiceName
  /** An account or an address as `Requester`, or a name for several of them. */
  readonly name: string
}

export type Share = Resetting & {
  /** The share was used up before, and nothing was spent. */
  readonly isRefused: boolean
  /** Points that were spent before. */
  readonly spent: number
}

/**
 * Counters in fixed windows, exact under concurrent calls. Windows are whole minutes (hours for new
 * keys; `ShareKind` for shares) of the clock that all processes share: the database's where there is one, else the caller's,
 * which each call gives as `now` (ms since the epoch; D-53).
 *
 * A clock that goes back into the window before never resets a counter: it continues in the later
 * window. A counter that is ahead of the clock by more than one window is ignored, so that no client
 * waits for longer than two windows, whatever the clock does.
 */
export interface QuotaStore {
  /**
   * Finds the owner of a live key by its hash (`StoredKey`) and spends one request and, when
   * `isWrite`, one write of the account on this service, in one step (D-7, D-8). A request over the
   * request quota spends nothing; a write over the write quota spends the request alone. null, and
   * nothing is spent, when there is no such key.
   */
  admit(
    service: ServiceName,
    keyHash: string,
    isWrite: boolean,
    now: number,
  ): Awaitable<Admission | null>

  /** Spends of the account as `admit` does: saves on the site count toward the same quotas (spec 8). */
  spend(service: ServiceName, accountId: string, isWrite: boolean, now: number): Promise<Admission>

  /** What the account has spent in the window, without spending anything. */
  spent(service: ServiceName, accountId: string, now: number): Promise<Spent & Resetting>

  /** Counts a new key of the account in the hour; returns at most the quota plus one (D-41). */
  countNewKey(service: ServiceName, accountId: string, now: number): Promise<Count>

  /** Counts one less, which was counted and then not made; never less than none. */
  uncountNewKey(service: ServiceName, accountId: string, now: number): Promise<void>

  /** New keys of the account in the hour, without counting one; at most the quota. */
  newKeys(service: ServiceName, accountId: string, now: number): Promise<Count>

  /** Counts a failed key attempt of an address; returns at most the quota plus one (D-5). */
  countFailure(service: ServiceName, address: string, now: number): Promise<Count>

  /** Failed attempts of an address in the window, without counting one (D-10). */
  failures(service: ServiceName, address: string, now: number): Awaitable<Count>

  /**
   * Spends points of a share, unless `limit` points were spent before; a cost of 0 spends none,
   * and one below 0 gives back, at most what was spent. Exact in one process, and synchronous. Processes with a common database exchange their counts once a
   * second: together they may exceed the limit by what each spends within that second (D-56).
   */
  spendShare(share: ShareName, cost: number, limit: number, now: number): Share
}
