import { BoundedMap } from '../../domain/bounded-map.ts'

/** People complete a sign-in or decline: more than this come only from made-up codes. */
const MAX_ATTEMPTS = 20
const WINDOW_MS = 600_000

/** Limits invalid codes by address: each costs one of the few calls to the platform, for everybody. */
export class InvalidCodeLimiter {
  readonly #attempts = new BoundedMap<string, { readonly since: number; count: number }>({
    maxEntries: 10_000,
  })

  /** Counts a code to be tried; returns when the address may try again (ms), null if it may now. */
  take(address: string, now: number): number | null {
    let attempts = this.#attempts.peek(address)
    if (attempts === undefined || Math.abs(now - attempts.since) >= WINDOW_MS) {
      attempts = { since: now, count: 0 }
      this.#attempts.set(address, attempts)
    }
    if (attempts.count >= MAX_ATTEMPTS) return attempts.since + WINDOW_MS
    attempts.count += 1
    return null
  }

  /** Does not count the last code after all: it was valid. */
  refund(address: string): void {
    const attempts = this.#attempts.peek(address)
    // It may have been counted in a window that is over.
    if (attempts !== undefined && attempts.count > 0) attempts.count -= 1
  }
}
