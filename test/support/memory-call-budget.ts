import type { Caller } from '../../src/domain/beatmap.ts'
import type { CallBudget, Leave } from '../../src/ports/call-budget.ts'

const WINDOW_MS = 60_000
const CALLS = 50
const VISITOR_CALLS = 30

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
    return now < this.#pausedUntil ? 0 : CALLS - this.#recent(now).length
  }

  /** The most calls in any 60 seconds. */
  busiestMinute(): number {
    const counts = this.taken.map(({ at }) => this.#recent(at).length)
    return Math.max(0, ...counts)
  }

  #recent(now: number): readonly { readonly caller: Caller; readonly at: number }[] {
    return this.taken.filter(({ at }) => at > now - WINDOW_MS && at <= now)
  }

  #leave(caller: Caller, spare: number, now: number): Leave {
    if (now < this.#pausedUntil) return { granted: false, retryAt: this.#pausedUntil }
    const recent = this.#recent(now)
    const own = recent.filter((call) => call.caller === caller)
    const hasVisitors = recent.some((call) => call.caller === 'visitor')
    const most = caller === 'visitor' ? VISITOR_CALLS : hasVisitors ? CALLS - VISITOR_CALLS : CALLS
    const count = hasVisitors || caller === 'visitor' ? own.length : recent.length
    if (count + spare < most && recent.length + spare < CALLS) return { granted: true }
    const leaver = recent[Math.max(0, recent.length + spare - CALLS)]
    return { granted: false, retryAt: (leaver?.at ?? now) + WINDOW_MS }
  }
}
