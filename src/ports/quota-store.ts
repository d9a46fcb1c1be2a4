import type { ServiceName } from '../contract/services.ts'

/** What an account has spent in one minute on one service, refused requests not counted. */
export type Spent = {
  readonly requests: number
  readonly writes: number
}

/** How a request with a live key fared. `refused` names the quota that was used up, or is null. */
export type Admission = {
  readonly accountId: string
  readonly spent: Spent
  readonly refused: 'requests' | 'writes' | null
}

/**
 * Counters in fixed windows, exact under concurrent calls. A window is the number of whole minutes
 * since the epoch; it never goes back: a call with an earlier one counts in the latest that the same
 * account or address has been counted in, or in a later one.
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
    window: number,
  ): Promise<Admission | null>

  /**
   * Spends one request and, when `isWrite`, one write of the account, as `admit` does: what the
   * site saves counts toward the same quotas (spec 8).
   */
  spend(
    service: ServiceName,
    accountId: string,
    isWrite: boolean,
    window: number,
  ): Promise<Admission>

  /** What the account has spent in the window, without spending anything. */
  spent(service: ServiceName, accountId: string, window: number): Promise<Spent>

  /**
   * Counts a new key of the account (D-41).
   *
   * @param hour whole hours since the epoch; as with windows, it never goes back.
   * @returns how many there were in the hour with this one, at most the quota plus one.
   */
  countNewKey(service: ServiceName, accountId: string, hour: number): Promise<number>

  /** New keys of the account in the hour, without counting one; at most the quota. */
  newKeys(service: ServiceName, accountId: string, hour: number): Promise<number>

  /**
   * Counts a failed key attempt of an address (D-5).
   *
   * @returns how many there were in the window with this one, at most the quota plus one.
   */
  countFailure(service: ServiceName, address: string, window: number): Promise<number>

  /** Failed attempts of an address in the window, without counting one (D-10). */
  failures(service: ServiceName, address: string, window: number): Promise<number>
}
