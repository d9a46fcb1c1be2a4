import type { ApiErrorCode } from '../contract/error-codes.ts'
import type { ApiErrorReason } from '../contract/error-reasons.ts'
import type { RoundSlot } from '../contract/rounds.ts'

/**
 * The codes of the services (spec 7, D-61, D-62), and three of the client. `unreachable`: no answer came. `timed_out`:
 * none came in time. `unexpected_answer`: something answered that is not the service, such as a proxy.
 */
export type MapcrateErrorCode = ApiErrorCode | 'unreachable' | 'timed_out' | 'unexpected_answer'

export type ErrorDetails = {
  readonly status?: number
  readonly requestId?: string | null
  readonly retryAfter?: number | null
  readonly reason?: ApiErrorReason | null
  readonly slots?: readonly RoundSlot[] | null
  readonly cause?: unknown
}

/** The one error that a call throws on purpose. A call that is aborted throws the signal's reason. */
export class MapcrateError extends Error {
  /** Stable: check this. */
  readonly code: MapcrateErrorCode
  /** Of the answer; null if there was none. */
  readonly status: number | null
  /** Identifies the request in the logs of the service; null if the answer had none. */
  readonly requestId: string | null
  /** Whole seconds to wait before another attempt; null if unknown. */
  readonly retryAfter: number | null
  /**
   * The cause, of the tournament-pools service: `no_such_slot`, or the code itself where that has one cause. null of
   * the packs service, and where no answer came. New ones may be added.
   */
  readonly reason: ApiErrorReason | null
  /** Of a refused `changeSlots`: the slots that are no longer as in `from`, as they are now; else null. */
  readonly slots: readonly RoundSlot[] | null

  constructor(code: MapcrateErrorCode, message: string, details: ErrorDetails = {}) {
    const { status = null, requestId = null, retryAfter = null, cause } = details
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'MapcrateError'
    this.code = code
    this.status = status
    this.requestId = requestId
    this.retryAfter = retryAfter
    this.reason = details.reason ?? null
    this.slots = details.slots ?? null
  }
}
