import type { ClientTime } from '../../src/client/time.ts'
import type { HandClock } from '../support/hand-clock.ts'

/**
 * A client's time that is the server's hand-set clock. Whenever the client does nothing but wait, the
 * clock jumps to the end of the wait; while requests are under way it stands still.
 */
export class HandTime implements ClientTime {
  readonly #clock: HandClock
  readonly #timers = new Set<{ readonly at: number; readonly work: () => void }>()
  #underWay = 0
  #isTurning = false

  constructor(clock: HandClock) {
    this.#clock = clock
  }

  readonly now = (): number => this.#clock.now()

  readonly after = (ms: number, work: () => void): (() => void) => {
    const timer = { at: this.now() + ms, work }
    this.#timers.add(timer)
    void this.#turn()
    return () => void this.#timers.delete(timer)
  }

  /** Keeps the clock where it is until the work is done. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    this.#underWay += 1
    try {
      return await work()
    } finally {
      this.#underWay -= 1
      void this.#turn()
    }
  }

  /** The global `fetch`; the clock stands still until the answer has been read. */
  readonly fetch: typeof fetch = (target, init) =>
    this.hold(async () => {
      const response = await fetch(target, init)
      const text = await response.text()
      return new Response(text === '' ? null : text, response)
    })

  /** Moves the clock for as long as there is nothing but to wait. */
  async #turn(): Promise<void> {
    if (this.#isTurning) return
    this.#isTurning = true
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, 1))
      const next = [...this.#timers].toSorted((a, b) => a.at - b.at)[0]
      if (next === undefined || this.#underWay > 0) break
      this.#clock.advance(Math.max(0, Math.ceil(next.at - this.now())))
      this.#timers.delete(next)
      next.work()
    }
    this.#isTurning = false
  }
}
