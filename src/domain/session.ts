import { MINUTE_MS } from '../contract/quotas.ts'
import { toBase64url } from '../pool/pack-key/base64url.ts'

/** Who is signed in, and by which session. */
export type Session = {
  /** SHA-256 of the token: what the store knows the session by. */
  readonly hash: string
  readonly accountId: string
  readonly gameId: number
  /** Now; null when none is known. */
  readonly username: string | null
  /** Now. */
  readonly isModerator: boolean
  /** What every state change has to send back. */
  readonly csrf: string
  /** ms since the epoch, as the next. */
  readonly createdAt: number
  /** Moved every few minutes while the session is used. */
  readonly lastSeenAt: number
}

/** A session ends when it has not been used for 30 days. */
export const SESSION_IDLE_MS = 30 * 24 * 60 * MINUTE_MS
/** Moving it more often would cost a write and tell nobody more. */
const SEEN_LASTS_MS = 10 * MINUTE_MS

/** How many random bytes a session's token, and its CSRF token, are made from. */
export const TOKEN_BYTES = 32
const TOKEN = /^[A-Za-z0-9_-]{43}$/

/** A token: 43 characters of base64url. */
export const makeToken = (random: Uint8Array): string => toBase64url(random)

/** Could this be a token? */
export const isToken = (text: string): boolean => TOKEN.test(text)

/** Sessions last seen before this moment have ended. */
export const idleBefore = (now: number): number => now - SESSION_IDLE_MS

/** Is it time to write down again that the session is used? */
export const isSeenAnew = ({ lastSeenAt }: Session, now: number): boolean =>
  now - lastSeenAt >= SEEN_LASTS_MS
