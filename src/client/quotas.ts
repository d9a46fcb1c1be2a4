import { FAILURES_PER_MINUTE, REQUESTS_PER_MINUTE } from '../contract/quotas.ts'
import { readCount } from './request.ts'
import type { ClientTime } from './time.ts'

/** The state of a quota (spec 4, D-9). */
export type Quota = {
  readonly limit: number
  readonly remaining: number
  /** Whole seconds until the next window. */
  readonly resetSeconds: number
}

/** The state of both quotas of the account, as of the last answers; null before the first. */
export type Quotas = {
  readonly requests: Quota | null
  readonly writes: Quota | null
}

/** Delays the calls of an account so that they get no 429 (spec 8). A write spends of both quotas. */
export class Pacer {
  readonly #requests: Gate
  readonly #writes: Gate

  /** @param isHolding false only tracks the quotas. */
  constructor(time: ClientTime, isHolding: boolean) {
    this.#requests = new Gate(time, isHolding)
    this.#writes = new Gate(time, isHolding)
  }

  /** As `Gate.acquire`; returns a function to be called when the call has ended. */
  async acquire(
    isWrite: boolean,
    signal: AbortSignal,
    onWait: (ms: number) => void,
  ): Promise<() => void> {
    // The writes first, so that those that wait do not hold up reads.
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

  /** A read gets the state of the requests, a write that of the quota with fewer left (D-9). */
  learn(quota: Quota, isWrite: boolean): void {
    // Failed attempts belong to no account (D-10).
    if (quota.limit === FAILURES_PER_MINUTE) return
    const isOfWrites = isWrite && quota.limit !== REQUESTS_PER_MINUTE
    if (isOfWrites) this.#writes.learn(quota)
    else this.#requests.learn(quota)
  }

  quotas(): Quotas {
    return { requests: this.#requests.quota(), writes: this.#writes.quota() }
  }
}

const WINDOW_MS = 60_000
/** The last share of a quota is spread over the rest of the window. */
const SPREAD_SHARE = 1 / 5

/**
 * Lets calls pass as far as one quota allows, first come, first served. It corrects its count if an answer
 * reports fewer left. Before the first answer, and when few are left, calls pass one at a time.
 */
export class Gate {
  readonly #time: ClientTime
  readonly #isHolding: boolean
  readonly #waiting: (() => void)[] = []
  /** The current window; null before the first answer. */
  #window: { limit: number; left: number; end: number } | null = null
  #active = 0
  /** When the next of the last few may pass. */
  #notBefore = 0
  #cancelTimer = (): void => {}

  constructor(time: ClientTime, isHolding: boolean) {
    this.#time = time
    this.#isHolding = isHolding
  }

  /**
   * Waits until a call may be sent, which must then `release`. Throws the signal's reason.
   * `onWait` is called with the minimum wait in ms, if it is known.
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
      if (ms > 0 && ms < Infinity) onWait(ms)
    })
  }

  /** A call has ended, with or without an answer. */
  release(): void {
    this.#active -= 1
    this.#serve()
  }

  /** Takes the state of the quota from the answer of a call that has not released yet. */
  learn({ limit, remaining, resetSeconds }: Quota): void {
    const end = this.#time.now() + resetSeconds * 1000
    const window = this.#currentWindow()
    if (window === null || end > window.end + WINDOW_MS / 2) {
      // Active calls may be counted already or not: better twice than never.
      const left = window === null ? remaining : remaining - (this.#active - 1)
      this.#window = { limit, left, end }
      this.#notBefore = 0
    } else if (end > window.end - WINDOW_MS / 2) {
      window.left = Math.min(window.left, remaining)
      window.end = Math.min(window.end, end)
    }
    // Otherwise the answer is late, and its window is over.
  }

  quota(): Quota | null {
    const window = this.#currentWindow()
    if (window === null) return null
    return {
      limit: window.limit,
      remaining: Math.max(0, window.left),
      resetSeconds: Math.ceil((window.end - this.#time.now()) / 1000),
    }
  }

  #currentWindow() {
    const window = this.#window
    const over = window === null ? -1 : this.#time.now() - window.end
    if (window !== null && over >= 0) {
      window.end += (Math.floor(over / WINDOW_MS) + 1) * WINDOW_MS
      window.left = window.limit - this.#active
      this.#notBefore = 0
    }
    return window
  }

  /** Until the next may pass; infinite if an answer must come first. */
  #msToWait(): number {
    if (!this.#isHolding) return 0
    const window = this.#currentWindow()
    if (window === null) return this.#active === 0 ? 0 : Infinity
    const now = this.#time.now()
    if (window.left <= 0) return window.end - now
    if (window.left > window.limit * SPREAD_SHARE) return 0
    return this.#active === 0 ? Math.max(0, this.#notBefore - now) : Infinity
  }

  #serve(): void {
    this.#cancelTimer()
    while (this.#waiting.length > 0) {
      const ms = this.#msToWait()
      if (ms > 0) {
        if (ms < Infinity) this.#cancelTimer = this.#time.after(ms, () => this.#serve())
        return
      }
      this.#take()
      this.#waiting.shift()?.()
    }
  }

  #take(): void {
    this.#active += 1
    if (this.#window === null) return
    this.#window.left -= 1
    const now = this.#time.now()
    this.#notBefore = now + (this.#window.end - now) / (this.#window.left + 1)
  }
}

export function readQuota(headers: Headers): Quota | null {
  const limit = readCount(headers, 'ratelimit-limit')
  const remaining = readCount(headers, 'ratelimit-remaining')
  const resetSeconds = readCount(headers, 'ratelimit-reset')
  if (limit === null || remaining === null || resetSeconds === null) return null
  return { limit, remaining, resetSeconds }
}
