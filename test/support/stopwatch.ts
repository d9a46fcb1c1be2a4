const STEP_MS = 50

/**
 * Counts the steps that a timer of this process makes. On a busy machine they come later, as whatever is
 * measured does: a bound on them says how long something waits, and nothing about the machine.
 */
export class Stopwatch {
  #steps = 0
  readonly #timer = setInterval(() => (this.#steps += 1), STEP_MS).unref()

  /** How long it was, in ms of such steps. */
  stop(): number {
    clearInterval(this.#timer)
    return this.#steps * STEP_MS
  }
}
