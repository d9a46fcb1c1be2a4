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
 * since the epoch; it never goes back: a call with an earlier one counts in the latest seen.
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
   * Counts a failed key attempt of an address (D-5).
   *
   * @returns how many there were in the window with this one, at most the quota plus one.
   */
  countFailure(service: ServiceName, address: string, window: number): Promise<number>

  /** Failed attempts of an address in the window, without counting one (D-10). */
  failures(service: ServiceName, address: string, window: number): Promise<number>
}
