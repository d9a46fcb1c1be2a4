import { NAME_LENGTH } from '../contract/bounds.ts'

/**
 * The nearest name that a pool can have (D-19): controls and line breaks become spaces, what is
 * too long is cut between characters.
 *
 * @param fallback the name when nothing is left.
 */
export function fitName(text: string, fallback: string): string {
  const line = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .trim()
  const cut = line.slice(0, NAME_LENGTH)
  const name = (cut.isWellFormed() ? cut : cut.slice(0, -1)).trim()
  return name === '' ? fallback : name
}
