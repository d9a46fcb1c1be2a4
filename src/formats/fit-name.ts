import { NAME_LENGTH } from '../contract/bounds.ts'
import { cleanLine, isVisible } from '../pool/text.ts'

/**
 * The nearest name that a pool can have (D-19, D-47): controls and line breaks become spaces,
 * directional formatting is removed, and a name that is too long is cut between characters.
 *
 * @param fallback the name when nothing visible is left.
 */
export function fitName(text: string, fallback: string): string {
  const cut = cleanLine(text.toWellFormed()).slice(0, NAME_LENGTH)
  const name = (cut.isWellFormed() ? cut : cut.slice(0, -1)).trim()
  return isVisible(name) ? name : fallback
}
