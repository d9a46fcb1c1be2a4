import { Failure } from '../contract/failure.ts'

const MAX_LENGTH = 64
const CONTROL = /\p{Cc}/u

/**
 * A player's username as it is kept: trimmed, 1 to 64 UTF-16 code units.
 *
 * @throws Failure `bad_request` when it is empty, too long, or holds what no name holds.
 */
export const checkUsername = (text: string): string => {
  const username = text.trim()
  if (username.length < 1 || username.length > MAX_LENGTH) {
    throw new Failure('bad_request', `the username must have 1 to ${MAX_LENGTH} characters`)
  }
  if (CONTROL.test(username) || !username.isWellFormed()) {
    throw new Failure('bad_request', 'the username must not contain control characters')
  }
  return username
}
