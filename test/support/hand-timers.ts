import type { After } from '../../src/operations/poll-loop.ts'

/** Everything that needs no time to pass is done after this. */
export const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
}

/** Timers that run when they are told to. */
export class HandTimers {
  readonly #timers = new Set<{ ms: number; work: () => void }>()

  readonly after: After = (ms, work) => {
    const timer = { ms, work }
    this.#timers.add(timer)
    return () => void this.#timers.delete(timer)
  }

  /** Runs those that were set for so long; returns how many. */
  async run(ms: number): Promise<number> {
    const due = [...this.#timers].filter((timer) => timer.ms === ms)
    for (const timer of due) {
      this.#timers.delete(timer)
      timer.work()
    }
    await settle()
    return due.length
  }
}
