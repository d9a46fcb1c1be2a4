import {
  CALL_WINDOW_MS,
  type Caller,
  callMayBeginAt,
  CALLS_PER_WINDOW,
  type CallRequest,
} from '../../src/domain/platform.ts'
import type { CallBudget, CallPermit } from '../../src/ports/platform.ts'

/** The budget of one process, for as long as the test runs. */
export class MemoryCallBudget implements CallBudget {
  readonly taken: { readonly caller: Caller; readonly at: number }[] = []
  #pausedUntil = 0
  #pausedAt = 0

  async take(caller: Caller, now: number, calls = 1, spare = 0): Promise<CallPermit> {
    const leave = this.#leave({ caller, calls, spare, now })
    if (leave.granted)
      for (let call = 0; call < calls; call += 1) this.taken.push({ caller, at: now })
    return leave
  }

  async refund(of: Caller): Promise<void> {
    const last = this.taken.findLastIndex(({ caller }) => caller === of)
    if (last >= 0) this.taken.splice(last, 1)
  }

  async look(spare: number, now: number): Promise<CallPermit> {
    return this.#leave({ caller: 'background', calls: 1, spare, now })
  }

  async pause(until: number, now: number): Promise<void> {
    if (until <= this.#pause(now)) return
    this.#pausedUntil = until
    this.#pausedAt = now
  }

  async left(now: number): Promise<number> {
    return now < this.#pause(now) ? 0 : CALLS_PER_WINDOW - this.#recent(now).length
  }

  /** The most calls in any 60 seconds. */
  busiestMinute(): number {
    const counts = this.taken.map(({ at }) => this.#recent(at).length)
    return Math.max(0, ...counts)
  }

  #recent(now: number): readonly { readonly caller: Caller; readonly at: number }[] {
    return this.taken.filter(({ at }) => at > now - CALL_WINDOW_MS && at <= now)
  }

  #pause(now: number): number {
    return this.#pausedAt > now ? 0 : this.#pausedUntil
  }

  #leave(wish: CallRequest): CallPermit {
    const { now } = wish
    const retryAt = Math.max(this.#pause(now), callMayBeginAt(this.#recent(now), wish))
    return retryAt <= now ? { granted: true } : { granted: false, retryAt }
  }
}
