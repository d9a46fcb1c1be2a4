import {
  CALL_WINDOW_MS,
  type Caller,
  callerKind,
  callMayBeginAt,
  CALLS_PER_WINDOW,
  type CallRequest,
  isOfOwnShare,
  refusedCaller,
} from '../../src/domain/platform.ts'
import {
  afterFailure,
  afterProbe,
  afterResume,
  afterSuccess,
  type Failure,
  pauseAt,
  type PlatformReport,
  type PlatformState,
  reportAt,
  stopOf,
  type Stops,
  unknownState,
} from '../../src/domain/platform-state.ts'
import type { CallBudget, CallPermit } from '../../src/ports/platform.ts'

/** The budget of one process, for as long as the test runs. */
export class MemoryCallBudget implements CallBudget {
  readonly taken: { readonly id: number; caller: Caller; at: number }[] = []
  #lastId = 0
  #state: PlatformState = unknownState

  async take(
    caller: Caller,
    now: number,
    calls = 1,
    spare = 0,
    isForToken = false,
  ): Promise<CallPermit> {
    const leave = this.#leave({ caller, calls, spare, now }, isForToken)
    if (!leave.granted) return leave
    const ids = Array.from({ length: calls }, () => (this.#lastId += 1))
    for (const id of ids) this.taken.push({ id, caller, at: now })
    const pause = callerKind(caller) === 'sign-in' ? null : pauseAt(this.#state, now)
    if (pause !== null) this.#state = afterProbe(this.#state, pause, now)
    return { ...leave, calls: ids }
  }

  async refund(call: number): Promise<void> {
    const index = this.taken.findIndex(({ id }) => id === call)
    if (index >= 0) this.taken.splice(index, 1)
  }

  async answered(call: number, now: number, isRefusedCode = false): Promise<void> {
    const made = this.taken.find(({ id }) => id === call)
    if (made === undefined) return
    made.at = now
    if (isRefusedCode) made.caller = refusedCaller(made.caller)
  }

  async look(spare: number, now: number): Promise<CallPermit> {
    return this.#leave({ caller: 'background', calls: 1, spare, now }, false)
  }

  async fail(failure: Failure, now: number, stops: Stops | null = null): Promise<void> {
    this.#state = afterFailure(this.#state, failure, stops, now)
  }

  async succeed(caller: Caller, now: number, pause?: number): Promise<void> {
    this.#state = afterSuccess(this.#state, caller, pause ?? null, now)
  }

  async resume(now: number): Promise<boolean> {
    const { pause, tokensStoppedAt } = await this.report(now)
    this.#state = afterResume(this.#state, now)
    return pause !== null || tokensStoppedAt !== null
  }

  async left(now: number): Promise<number> {
    if (pauseAt(this.#state, now) !== null) return 0
    return CALLS_PER_WINDOW - this.#recent(now).length
  }

  async report(now: number): Promise<PlatformReport> {
    return reportAt(this.#state, this.#recent(now), now)
  }

  /** The most calls in any 60 seconds. */
  busiestMinute(): number {
    const counts = this.taken.map(({ at }) => this.#recent(at).length)
    return Math.max(0, ...counts)
  }

  #recent(now: number): readonly { readonly caller: Caller; readonly at: number }[] {
    return this.taken
      .filter(({ at }) => at > now - CALL_WINDOW_MS && at <= now)
      .toSorted((one, other) => one.at - other.at)
  }

  #leave(wish: CallRequest, isForToken: boolean): CallPermit {
    const { caller, now } = wish
    const stop = stopOf(this.#state, caller, isForToken, now)
    const retryAt = Math.max(stop?.until ?? now, callMayBeginAt(this.#recent(now), wish))
    if (retryAt > now) {
      const own = isOfOwnShare(this.#recent(now), wish) && { isOfOwnShare: true as const }
      return { granted: false, retryAt, ...own, ...(stop !== null && { pausedBy: stop.by }) }
    }
    const pause = pauseAt(this.#state, now)
    return { granted: true, calls: [], ...(pause !== null && { pause: pause.since }) }
  }
}
