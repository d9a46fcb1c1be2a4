import { AppError } from '../contract/errors.ts'
import { type InputMessage, wrong } from '../pool/input-words.ts'
import { invalidInput } from './invalid-input.ts'
import { cleanLine, findInName } from '../pool/text.ts'
import { NO_LIVE_KEY } from './keys.ts'

/** An owner of keys and packs: a player, or the one system account. */
export type Account = {
  /** Account identifier (spec 2.1). */
  readonly id: string
  /** The player's id on the game platform; null for the system account. */
  readonly gameId: number | null
  /** null while no name is known. */
  readonly username: string | null
  /** Set by the operator (spec 1). */
  readonly isModerator: boolean
  /** That was chosen for the pages; null: none. */
  readonly language: string | null
  /** ms since the epoch; 0 for the system account. */
  readonly createdAt: number
}

/** The account that owns the tournament pools (D-28). */
export const SYSTEM_ACCOUNT_ID = 'tournament-pools'

/** Shown in place of a name that is not known (spec 2.2). */
export const UNKNOWN_PLAYER = 'Unknown player'

/** An operator's spelling, trimmed: 1 to 64 UTF-16 code units; else throws `bad_request` (D-47). */
export function checkUsername(text: string): string {
  return checkLine('the username', text, 64, findInName)
}

/**
 * A line of text, trimmed: 1 to `longest` UTF-16 code units. Throws `bad_request`.
 *
 * @param find returns what else is wrong; null when nothing is.
 */
export function checkLine(
  place: string,
  text: string,
  longest: number,
  find: (text: string, longest: number, lines: false) => InputMessage | null,
): string {
  const line = text.trim()
  const isFitting = line.length >= 1 && line.length <= longest
  const what = isFitting ? find(line, longest, false) : wrongLength(line, longest)
  if (what !== null) throw invalidInput([{ place, what }])
  return line
}

function wrongLength(line: string, longest: number): InputMessage {
  // Who counts characters sees a line that fits.
  const isSeenToFit = line !== '' && Array.from(line).length <= longest
  return wrong(isSeenToFit ? 'charactersOfEmoji' : 'characters', { least: 1, most: longest })
}

/**
 * A username from the platform. Players cannot change it here, so characters that must not be shown
 * are removed. Throws `bad_request` when nothing is left, or when it is too long.
 */
export const takeUsername = (text: string): string => checkUsername(cleanLine(text))

/**
 * The account was deleted or suspended while the request was under way, and its key no longer works: it is answered as
 * a revoked one is (spec 5, D-76).
 */
export function accountGone(): AppError {
  return new AppError('invalid_api_key:key_not_live', NO_LIVE_KEY)
}
