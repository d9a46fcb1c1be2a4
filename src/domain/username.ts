import { Failure } from '../contract/failure.ts'
import { checkName, cleanLine } from '../pool/text.ts'

const MAX_LENGTH = 64

/**
 * A player's username as the operator entered it: trimmed, 1 to 64 UTF-16 code units.
 *
 * @throws Failure `bad_request` when it is empty, too long, or holds what no name holds (D-47).
 */
export const checkUsername = (text: string): string => {
  const username = text.trim()
  if (username.length < 1 || username.length > MAX_LENGTH) {
    throw new Failure('bad_request', `the username must have 1 to ${MAX_LENGTH} characters`)
  }
  const remedy = checkName(username, MAX_LENGTH)
  if (remedy !== null) throw new Failure('bad_request', `the username ${remedy}`)
  return username
}

/**
 * A username as the platform reports it: players cannot change it here, so what `checkUsername`
 * refuses because of how it would be shown is removed rather than refused.
 *
 * @throws Failure `bad_request` when nothing is left, or when it is too long.
 */
export const takeUsername = (text: string): string => checkUsername(cleanLine(text))
