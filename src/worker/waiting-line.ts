/** A call each 1.8 s is what the budget gives to packs that have stats. */
const GAP_MS = 1_800
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
    // What opens much later was begun by a clock that has been put right since (D-53).
    if (now >= this.#opensAt || this.#opensAt > retryAt + LONGEST_MS) {
      this.#opensAt = retryAt
      this.#length = 0
    }
    const place = Math.min(this.#length * GAP_MS, LONGEST_MS)
    this.#length += 1
    return retryAt + place
  }
}
