import type { ClientTime } from './client-time.ts'
import type { Quota } from './quota.ts'

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
   * Waits until a call may go; each that went must `leave`. Throws the signal's reason.
   *
   * @param onWait hears how long it will be at least, in ms, when that is known.
   */
  enter(signal: AbortSignal, onWait: (ms: number) => void): Promise<void> {
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
  leave(): void {
    this.#inFlight -= 1
    this.#serve()
  }

  /** An answer has told where the quota stands. Comes before the call leaves. */
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
