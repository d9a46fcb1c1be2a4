import type { ErrorCode } from '../contract/errors.ts'

/**
 * The codes of the service (spec 7), and three of the client. `unreachable`: no answer came. `timed_out`:
 * none came in time. `unexpected_answer`: something answered that is not the service, such as a proxy.
 */
export type MapcrateErrorCode = ErrorCode | 'unreachable' | 'timed_out' | 'unexpected_answer'

export type ErrorDetails = {
  readonly status?: number
  readonly requestId?: string | null
  readonly retryAfter?: number | null
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

  constructor(code: MapcrateErrorCode, message: string, details: ErrorDetails = {}) {
    const { status = null, requestId = null, retryAfter = null, cause } = details
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'MapcrateError'
    this.code = code
    this.status = status
    this.requestId = requestId
    this.retryAfter = retryAfter
  }
}
