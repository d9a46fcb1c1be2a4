import { DESCRIPTION_LENGTH } from '../contract/bounds.ts'
import { Failure } from '../contract/failure.ts'
import { checkText } from './check-text.ts'
import type { PoolProblem } from './pool.ts'

/** What keeps a text from being a description (D-19): at most one problem. */
export function findDescriptionProblems(text: string | undefined): PoolProblem[] {
  const remedy = checkText(text?.trim() ?? '', DESCRIPTION_LENGTH, true)
  return remedy === null ? [] : [{ place: 'description', remedy }]
}

/**
 * A pack's description as it is stored: trimmed, null when nothing is left (D-19).
 *
 * @throws Failure `bad_request`: over 500 UTF-16 code units, controls other than line breaks, half a surrogate pair.
 */
export function completeDescription(text: string | undefined): string | null {
  const [problem] = findDescriptionProblems(text)
  if (problem !== undefined) throw new Failure('bad_request', `description ${problem.remedy}`)
  const trimmed = text?.trim() ?? ''
  return trimmed === '' ? null : trimmed
}
