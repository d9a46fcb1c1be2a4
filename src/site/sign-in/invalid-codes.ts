import { BoundedMap } from '../../domain/bounded-map.ts'

/** More come only from somebody who makes them up: people finish what they began, or decline. */
const MAX_ATTEMPTS = 20
const WINDOW_MS = 600_000
const MAX_ADDRESSES = 10_000

type Attempts = { readonly since: number; count: number }

/**
 * How many codes from each address came to nothing of late. Each costs a call to the platform, and
 * there are few: one stranger must not use up those that others sign in with.
 */
export class InvalidCodeLimiter {
  readonly #attempts = new BoundedMap<string, Attempts>({ maxEntries: MAX_ADDRESSES })

  /**
   * Counts a code that is about to be tried.
   *
   * @returns when the address may try again, ms since the epoch; null when it may now.
   */
  take(address: string, now: number): number | null {
    const attempts = this.#attemptsOf(address, now)
    if (attempts.count >= MAX_ATTEMPTS) return attempts.since + WINDOW_MS
    attempts.count += 1
    return null
  }

  /** The code that was counted came to something. */
  giveBack(address: string): void {
    const attempts = this.#attempts.peek(address)
    // It may have been counted in a window that is over.
    if (attempts !== undefined && attempts.count > 0) attempts.count -= 1
  }

  #attemptsOf(address: string, now: number): Attempts {
    const known = this.#attempts.peek(address)
    if (known !== undefined && Math.abs(now - known.since) < WINDOW_MS) return known
    const fresh = { since: now, count: 0 }
    this.#attempts.set(address, fresh)
    return fresh
  }
}
