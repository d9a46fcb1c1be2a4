import { BoundedMap } from './loading.ts'

type Allowance = {
  /** Of one second, how many ms each name may use in the long run. */
  readonly msPerSecond: number
  /** What a name that was idle may use at once. */
  readonly burstMs: number
}

const MAX_NAMES = 100_000

/** How much CPU time each of many names may use: token buckets, which may be overdrawn. Times are in ms. */
export class CpuAllowance {
  readonly #allowance: Allowance
  /** When the bucket of a name will be full. */
  readonly #fullAt = new BoundedMap<string, number>({ maxEntries: MAX_NAMES })

  constructor(allowance: Allowance) {
    this.#allowance = allowance
  }

  /** @param now of a clock that never goes back. */
  charge(name: string, ms: number, now: number): void {
    const since = Math.max(this.#fullAt.peek(name) ?? now, now)
    this.#fullAt.set(name, since + ms / this.#rate)
  }

  /** How long until the name has something left; 0 if it has. */
  waitMs(name: string, now: number): number {
    const fullAt = this.#fullAt.peek(name) ?? now
    return Math.max(0, fullAt - now - this.#allowance.burstMs / this.#rate)
  }

  get #rate(): number {
    return this.#allowance.msPerSecond / 1000
  }
}
