import type { Caller } from '../../src/domain/beatmap.ts'
import { CALL_WINDOW_MS, CALLS_PER_WINDOW, callMayBeginAt } from '../../src/domain/call-leave.ts'
import type { CallBudget, Leave } from '../../src/ports/call-budget.ts'

/** The budget of one process, for as long as the test runs. */
export class MemoryCallBudget implements CallBudget {
  readonly taken: { readonly caller: Caller; readonly at: number }[] = []
  #pausedUntil = 0

  async take(caller: Caller, now: number): Promise<Leave> {
    const leave = this.#leave(caller, 0, now)
    if (leave.granted) this.taken.push({ caller, at: now })
    return leave
  }

  async look(spare: number, now: number): Promise<Leave> {
    return this.#leave('background', spare, now)
  }

  async pause(until: number): Promise<void> {
    this.#pausedUntil = Math.max(this.#pausedUntil, until)
  }

  async left(now: number): Promise<number> {
    return now < this.#pausedUntil ? 0 : CALLS_PER_WINDOW - this.#recent(now).length
  }

  /** The most calls in any 60 seconds. */
  busiestMinute(): number {
    const counts = this.taken.map(({ at }) => this.#recent(at).length)
    return Math.max(0, ...counts)
  }

  #recent(now: number): readonly { readonly caller: Caller; readonly at: number }[] {
    return this.taken.filter(({ at }) => at > now - CALL_WINDOW_MS && at <= now)
  }

  #leave(caller: Caller, spare: number, now: number): Leave {
    const retryAt = Math.max(
      this.#pausedUntil,
      callMayBeginAt(this.#recent(now), { caller, spare, now }),
    )
    return retryAt <= now ? { granted: true } : { granted: false, retryAt }
  }
}
