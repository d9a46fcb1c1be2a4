import { FAILURES_PER_MINUTE, REQUESTS_PER_MINUTE } from '../contract/quotas.ts'
import { readCount } from './request.ts'
import type { ClientTime } from './time.ts'

/** Where one quota stands (spec 4, D-9). */
export type Quota = {
  readonly limit: number
  readonly remaining: number
  /** Whole seconds until it begins anew. */
  readonly resetSeconds: number
}

/** Where both quotas of the account stand, as far as answers have told; null before one has. */
export type Quotas = {
  readonly requests: Quota | null
  readonly writes: Quota | null
}

/** Holds the calls of one account back so that they meet no 429 (spec 8): a write spends of both quotas. */
export class Pacer {
  readonly #requests: Gate
  readonly #writes: Gate

  /** @param isHolding false only keeps account of the quotas. */
  constructor(time: ClientTime, isHolding: boolean) {
    this.#requests = new Gate(time, isHolding)
    this.#writes = new Gate(time, isHolding)
  }

  /**
   * Waits until a call may go. Throws the signal's reason.
   *
   * @param onWait hears how long it will be at least, in ms, when that is known.
   * @returns to be called when the call is over.
   */
  async acquire(
    isWrite: boolean,
    signal: AbortSignal,
    onWait: (ms: number) => void,
  ): Promise<() => void> {
    // Those that wait for a write must not stand in the way of reads.
    const gates = isWrite ? [this.#writes, this.#requests] : [this.#requests]
    const acquired: Gate[] = []
    const release = (): void => {
      for (const gate of acquired.splice(0)) gate.release()
    }
    try {
      for (const gate of gates) {
        await gate.acquire(signal, onWait)
        acquired.push(gate)
      }
    } catch (reason) {
      release()
      throw reason
    }
    return release
  }

  /** An answer has told where a quota stands. */
  learn(quota: Quota, isWrite: boolean): void {
    const kind = kindOfQuota(quota, isWrite)
    if (kind === 'requests') this.#requests.learn(quota)
    if (kind === 'writes') this.#writes.learn(quota)
  }

  quotas(): Quotas {
    return { requests: this.#requests.quota(), writes: this.#writes.quota() }
  }
}

const WINDOW_MS = 60_000
/** The last share of a quota is spread over what is left of the window. */
const SPREAD_SHARE = 1 / 5

/**
 * Lets calls through as far as one quota allows, first come, first served.
 *
 * It counts by itself what it lets through, and takes over what answers tell when they tell of less:
 * somebody else spends from the same quota. Until a first answer has told anything, and again when
 * few are left, calls go one at a time.
 */
export class Gate {
  readonly #time: ClientTime
  readonly #isHolding: boolean
  readonly #waiting: (() => void)[] = []
  /** What answers have told; null before the first. */
  #known: { limit: number; left: number; end: number } | null = null
  #inFlight = 0
  /** When the next of the last few may go. */
  #notBefore = 0
  #cancelTimer = (): void => {}

  /** @param isHolding false counts, and holds nobody back. */
  constructor(time: ClientTime, isHolding: boolean) {
    this.#time = time
    this.#isHolding = isHolding
  }

  /**
   * Waits until a call may go; each that went must `release`. Throws the signal's reason.
   *
   * @param onWait hears how long it will be at least, in ms, when that is known.
   */
  acquire(signal: AbortSignal, onWait: (ms: number) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const pass = (): void => {
        signal.removeEventListener('abort', giveUp)
        resolve()
      }
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(pass), 1)
        this.#serve()
        reject(signal.reason)
      }
      signal.addEventListener('abort', giveUp, { once: true })
      this.#waiting.push(pass)
      this.#serve()
      const ms = this.#waiting.includes(pass) ? this.#msToWait() : 0
      if (ms > 0 && ms < Number.POSITIVE_INFINITY) onWait(ms)
    })
  }

  /** A call that went is over, however it ended. */
  release(): void {
    this.#inFlight -= 1
    this.#serve()
  }

  /** An answer has told where the quota stands. Comes before the call releases. */
  learn({ limit, remaining, resetSeconds }: Quota): void {
    const end = this.#time.now() + resetSeconds * 1000
    const known = this.#turned()
    if (known === null || end > known.end + WINDOW_MS / 2) {
      // Those that are under way may be counted already or not: better twice than never.
      const left = known === null ? remaining : remaining - (this.#inFlight - 1)
      this.#known = { limit, left, end }
      this.#notBefore = 0
    } else if (end > known.end - WINDOW_MS / 2) {
      known.left = Math.min(known.left, remaining)
      known.end = Math.min(known.end, end)
    }
    // Else it is late and tells of a window that is over.
  }

  /** Where the quota stands by now. */
  quota(): Quota | null {
    const known = this.#turned()
    if (known === null) return null
    return {
      limit: known.limit,
      remaining: Math.max(0, known.left),
      resetSeconds: Math.ceil((known.end - this.#time.now()) / 1000),
    }
  }

  /** What is known, moved on to the window of now. */
  #turned() {
    const known = this.#known
    const over = known === null ? -1 : this.#time.now() - known.end
    if (known !== null && over >= 0) {
      known.end += (Math.floor(over / WINDOW_MS) + 1) * WINDOW_MS
      known.left = known.limit - this.#inFlight
      this.#notBefore = 0
    }
    return known
  }

  /** Until the next may go; without end when something must be heard first. */
  #msToWait(): number {
    if (!this.#isHolding) return 0
    const known = this.#turned()
    if (known === null) return this.#inFlight === 0 ? 0 : Number.POSITIVE_INFINITY
    const now = this.#time.now()
    if (known.left <= 0) return known.end - now
    if (known.left > known.limit * SPREAD_SHARE) return 0
    return this.#inFlight === 0 ? Math.max(0, this.#notBefore - now) : Number.POSITIVE_INFINITY
  }

  #take(): void {
    this.#inFlight += 1
    if (this.#known === null) return
    this.#known.left -= 1
    const now = this.#time.now()
    this.#notBefore = now + (this.#known.end - now) / (this.#known.left + 1)
  }

  #serve(): void {
    this.#cancelTimer()
    this.#cancelTimer = () => {}
    while (this.#waiting.length > 0) {
      const ms = this.#msToWait()
      if (ms > 0) {
        if (ms < Number.POSITIVE_INFINITY) {
          this.#cancelTimer = this.#time.after(ms, () => this.#serve())
        }
        return
      }
      this.#take()
      this.#waiting.shift()?.()
    }
  }
}

/** What the RateLimit headers say; null when they do not all say something. */
export function readQuota(headers: Headers): Quota | null {
  const limit = readCount(headers, 'ratelimit-limit')
  const remaining = readCount(headers, 'ratelimit-remaining')
  const resetSeconds = readCount(headers, 'ratelimit-reset')
  if (limit === null || remaining === null || resetSeconds === null) return null
  return { limit, remaining, resetSeconds }
}

/**
 * Which quota the headers tell of: those of a read tell of the requests, those of a write of
 * whichever has fewer left (D-9), those that belong to no account of the failed attempts (D-10).
 */
function kindOfQuota({ limit }: Quota, isWrite: boolean): 'requests' | 'writes' | 'failures' {
  if (limit === FAILURES_PER_MINUTE) return 'failures'
  return isWrite && limit !== REQUESTS_PER_MINUTE ? 'writes' : 'requests'
}
