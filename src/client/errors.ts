import type { ErrorCode } from '../contract/errors.ts'

/**
 * What `code` can be: the codes of the service (spec 7), and three for when the service did not say
 * one. `unreachable`: no answer came. `timed_out`: none came in time. `unexpected_answer`: something
 * answered that is not the service, a proxy's page for example.
 */
export type MapcrateErrorCode = ErrorCode | 'unreachable' | 'timed_out' | 'unexpected_answer'

/** What is known of a failed call beside its code and message. */
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
  /** Of the answer; null when there was none. */
  readonly status: number | null
  /** Names the request in the logs of the service; null when the answer had none. */
  readonly requestId: string | null
  /** Whole seconds to wait before another attempt; null where nobody said. */
  readonly retryAfter: number | null

  constructor(
    code: MapcrateErrorCode,
    message: string,
    { status, requestId = null, retryAfter = null, cause }: ErrorDetails = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'MapcrateError'
    this.code = code
    this.status = status ?? null
    this.requestId = requestId
    this.retryAfter = retryAfter
  }
}
