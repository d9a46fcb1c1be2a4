import { DESCRIPTION_LENGTH } from '../contract/bounds.ts'
import { Failure } from '../contract/failure.ts'
import { checkText } from './check-text.ts'

/**
 * A pack's description as it is stored: trimmed, null when nothing is left (D-19).
 *
 * @throws Failure `bad_request`: over 500 UTF-16 code units, controls other than line breaks, half a surrogate pair.
 */
export function completeDescription(text: string | undefined): string | null {
  const trimmed = text?.trim() ?? ''
  const remedy = checkText(trimmed, DESCRIPTION_LENGTH, true)
  if (remedy !== null) throw new Failure('bad_request', `description ${remedy}`)
  return trimmed === '' ? null : trimmed
}
