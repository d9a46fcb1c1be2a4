/** A call each 1.2 s is what the budget gives. */
const GAP_MS = 1_200
const LONGEST_MS = 600_000

/**
 * Spreads packs that wait for the same moment: calls come one by one, so that thousands of packs
 * need not all come back to find that the first ones took them.
 */
export class WaitingLine {
  #opensAt = 0
  #length = 0

  /** When the next one comes back that has to wait until `retryAt`; all times in ms since the epoch. */
  join(retryAt: number, now: number): number {
    if (now >= this.#opensAt) {
      this.#opensAt = retryAt
      this.#length = 0
    }
    const place = Math.min(this.#length * GAP_MS, LONGEST_MS)
    this.#length += 1
    return retryAt + place
  }
}
