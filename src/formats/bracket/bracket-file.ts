import { decodeText, editText } from '../file-content.ts'
import { rulesetsOf, type Sheet } from '../sheet.ts'
import { roundNames } from './read-bracket.ts'
import { mergeRounds, rulesetOfMost, writeRounds } from './write-bracket.ts'

/**
 * The pools as rounds of a new bracket.json, or of one that is there, of which all else stays as it is.
 *
 * @throws FormatError as `mergeRounds`, and for bytes that would not come back from their text.
 */
export function writeBracketFile({ rounds, ruleset }: Sheet, into: Uint8Array | undefined) {
  if (into !== undefined) return editText(into, (text) => mergeRounds(text, rounds))
  const slots = rounds.flatMap(({ pool }) => pool.slots)
  const known = new Map(rounds.flatMap((round) => [...rulesetsOf(round)]))
  return writeRounds(rounds, ruleset ?? rulesetOfMost({ slots }, known))
}

/** The names of the rounds in a file. Throws a `FormatError` for a damaged one. */
export function namesInBracket(file: Uint8Array): string[] {
  return roundNames(decodeText(file))
}
