import type { ErrorCode } from './error-codes.ts'

/** The one error that is thrown on purpose; whatever else is thrown becomes `internal_error`. */
export class Failure extends Error {
  readonly code: ErrorCode

  /** @param message for people: names the place and the remedy, never an internal detail (D-14). */
  constructor(code: ErrorCode, message: string) {
    super(message)
    this.name = 'Failure'
    this.code = code
  }
}
