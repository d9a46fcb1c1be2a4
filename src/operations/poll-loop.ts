/** Calls `work` after so many ms; returns a function that cancels it. */
export type After = (ms: number, work: () => void) => () => void

type Poll = {
  /** Between the end of one poll and the next. */
  readonly everyMs: number
  /** Whether somebody waits for what the next poll finds. */
  readonly isNeeded: () => boolean
  /** May fail: the next poll follows. */
  readonly poll: () => Promise<void>
}

/** Polls for all waiting requests of this process, one poll at a time; there is a timer only while some wait. */
export class PollLoop {
  readonly #after: After
  readonly #poll: Poll
  #isDue = false

  constructor(after: After, poll: Poll) {
    this.#after = after
    this.#poll = poll
  }

  /** To be called when somebody begins to wait. */
  start(): void {
    if (this.#isDue || !this.#poll.isNeeded()) return
    this.#isDue = true
    this.#after(this.#poll.everyMs, () => void this.#run())
  }

  async #run(): Promise<void> {
    // A store that fails for a while is no reason to end: nothing is lost by it.
    if (this.#poll.isNeeded()) await this.#poll.poll().catch(() => {})
    this.#isDue = false
    this.start()
  }
}
