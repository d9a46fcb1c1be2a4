import { AppError } from './errors.ts'

const MOST_PROBLEMS = 10
/** A refusal stays below 1 KB as UTF-8, and within the bound of its schema. */
const LONGEST_BYTES = 900

/** A `bad_request` with the first ten problems (place, remedy), so that one request shows all. */
export function invalidInput(
  problems: readonly string[],
  reason: 'invalid_field' | 'invalid_query' | 'slur' | 'no_such_place' = 'invalid_field',
): AppError {
  let message = problems[0] ?? 'the body is not valid'
  for (const problem of problems.slice(1, MOST_PROBLEMS)) {
    const longer = `${message}; ${problem}`
    if (utf8Length(longer) > LONGEST_BYTES) break
    message = longer
  }
  return new AppError(`bad_request:${reason}`, message)
}

/** An upper bound: no UTF-16 code unit takes more than three bytes. */
function utf8Length(text: string): number {
  return text.length + 2 * text.replaceAll(/[ -~]+/g, '').length
}
