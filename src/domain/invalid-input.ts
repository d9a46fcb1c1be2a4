import { AppError } from '../contract/errors.ts'
import { inputEnglish, type InputProblem, wrong } from '../pool/input-words.ts'

const MOST_PROBLEMS = 10
/** A refusal stays below 1 KB as UTF-8, and within the bound of its schema. */
const LONGEST_BYTES = 900

/** A `bad_request` with the first ten problems (place, remedy), so that one request shows all. */
export function invalidInput(
  problems: readonly InputProblem[],
  reason: 'invalid_field' | 'invalid_query' | 'slur' = 'invalid_field',
): AppError {
  const shown: InputProblem[] = []
  let message = ''
  for (const problem of problems.slice(0, MOST_PROBLEMS)) {
    const text = sentenceOf(problem)
    const longer = shown.length === 0 ? text : `${message}; ${text}`
    if (shown.length > 0 && utf8Length(longer) > LONGEST_BYTES) break
    message = longer
    shown.push(problem)
  }
  return new AppError(`bad_request:${reason}`, message, null, { problems: onWire(shown) })
}

/** Throws a `bad_request` for a text to be found that no store takes (D-18). */
export function refuseUnsearchable(text: string, place: string): void {
  if (!text.includes('\0') && text.isWellFormed()) return
  throw invalidInput([{ place, what: wrong('unsearchable') }], 'invalid_query')
}

/** For API and command line: `slots[3].index must be from 1 to 99`. */
export const sentenceOf = (problem: InputProblem): string =>
  `${problem.place || 'the body'} ${inputEnglish(problem)}`

/** As pages get them. */
export const onWire = (problems: readonly InputProblem[]) =>
  problems.map(({ place, what }) => ({ place, what }))

/** An upper bound: no UTF-16 code unit takes more than three bytes. */
function utf8Length(text: string): number {
  return text.length + 2 * text.replaceAll(/[ -~]+/g, '').length
}
