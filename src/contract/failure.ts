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

const MOST_PROBLEMS = 10
/** A refusal stays below 1 KB as UTF-8, and within the bound of its schema. */
const LONGEST_BYTES = 900

/**
 * What is wrong with an input, the first problem first: ten at most, so that nobody spends a request
 * on each. One problem reads as it does alone.
 *
 * @param problems place and remedy of each; at least one.
 */
export const invalidInput = (problems: readonly string[]): Failure => {
  let message = problems[0] ?? 'the body is not valid'
  for (const problem of problems.slice(1, MOST_PROBLEMS)) {
    const longer = `${message}; ${problem}`
    if (utf8Length(longer) > LONGEST_BYTES) break
    message = longer
  }
  return new Failure('bad_request', message)
}

/** An upper bound: no UTF-16 code unit takes more than three bytes. */
function utf8Length(text: string): number {
  return text.length + 2 * text.replaceAll(/[ -~]+/g, '').length
}
