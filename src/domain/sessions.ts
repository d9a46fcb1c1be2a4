import { SESSION_ID_LENGTH, type SessionFacts, type Viewer } from '../contract/accounts.ts'
import { DAY_MS, MINUTE_MS } from '../contract/quotas.ts'
import type { ServiceName } from '../contract/services.ts'
import { toBase64url } from '../pool/pack-key/pack-key.ts'
import { UNKNOWN_PLAYER } from './accounts.ts'
import { timestamp } from './quotas.ts'

/** Who is signed in, and by which session. */
export type Session = {
  /** SHA-256 of the token, by which the store finds the session. */
  readonly hash: string
  readonly accountId: string
  /** The service that it was begun on; the other one does not accept it. */
  readonly service: ServiceName
  readonly gameId: number
  /** The current one; null when none is known. */
  readonly username: string | null
  readonly isModerator: boolean
  /** That the account has chosen for the pages; null: none. */
  readonly language: string | null
  /** What every state change has to send back. */
  readonly csrf: string
  /** ms since the epoch, as the next. */
  readonly createdAt: number
  /** Moved every few minutes while the session is used. */
  readonly lastSeenAt: number
}

/** What decides which packs a signed-in viewer may see. */
export type PackViewer = Pick<Session, 'accountId' | 'isModerator'>

/** A session as its account's list shows it. */
export type ListedSession = Pick<Session, 'hash' | 'service' | 'createdAt' | 'lastSeenAt'> & {
  /** `Firefox on Windows`; null when the browser did not say. */
  readonly device: string | null
}

/** Sessions last seen before `seenSince`, or begun before `createdSince`, have ended (ms since the epoch). */
export type SessionLimits = { readonly seenSince: number; readonly createdSince: number }

/** A sign-in that one site hands to the other, found by the SHA-256 of its code. */
export type HandOver = {
  readonly hash: string
  /** Where the code is valid. */
  readonly service: ServiceName
  /** SHA-256 of a secret that only the browser has that asked for it, there. */
  readonly challenge: string
}

/**
 * How far apart its two ends may be. Each may be in another process, whose clock may be off by as much: a code is valid for
 * a minute at most.
 */
export const HAND_OVER_MS = MINUTE_MS / 2

/** A session ends when it is not used for so long. */
export const SESSION_IDLE_MS = 30 * DAY_MS
/** A session ends after so long in any case. */
const SESSION_MAX_MS = 90 * DAY_MS
/** Sessions of one account; beyond that, a new one ends the least recently used. */
export const MAX_SESSIONS = 100
/** Moving it more often would cost a write and be of no use. */
const SEEN_LASTS_MS = 10 * MINUTE_MS

/** How many random bytes a session's token, and its CSRF token, are made from. */
export const TOKEN_BYTES = 32

/** A token: 43 characters of base64url. */
export const makeToken = (random: Uint8Array): string => toBase64url(random)

export const isToken = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text)

export const sessionLimits = (now: number): SessionLimits => ({
  seenSince: now - SESSION_IDLE_MS,
  createdSince: now - SESSION_MAX_MS,
})

export const isLive = (
  { createdAt, lastSeenAt }: Pick<Session, 'createdAt' | 'lastSeenAt'>,
  { seenSince, createdSince }: SessionLimits,
): boolean => lastSeenAt >= seenSince && createdAt >= createdSince

/** How long the browser keeps the cookie of a session that is used now: as long as the session can last. */
export const cookieSeconds = ({ createdAt }: Pick<Session, 'createdAt'>, now: number): number =>
  Math.max(1, Math.floor(Math.min(SESSION_IDLE_MS, createdAt + SESSION_MAX_MS - now) / 1000))

/** What a page names a session by. It is a part of a hash, so that it opens nothing. */
export const sessionId = (hash: string): string => hash.slice(0, SESSION_ID_LENGTH)

/** A session as the account page shows it; `current` is the hash of the one that asks. */
export const presentSession = (session: ListedSession, current: string): SessionFacts => ({
  id: sessionId(session.hash),
  service: session.service,
  device: session.device,
  createdAt: timestamp(session.createdAt),
  lastSeenAt: timestamp(session.lastSeenAt),
  isCurrent: session.hash === current,
})

/** Whether it is time to store again that the session is used. */
export const isSeenAnew = ({ lastSeenAt }: Session, now: number): boolean =>
  now - lastSeenAt >= SEEN_LASTS_MS

/** `Firefox on Windows` from a `User-Agent` header, in words of our tables; null for neither. */
export function describeDevice(userAgent: string | undefined): string | null {
  // Longer texts are no browser's own.
  const text = (userAgent ?? '').slice(0, 512)
  const [browser, system] = [nameIn(browsers, text), nameIn(systems, text)]
  if (browser !== null && system !== null) return `${browser} on ${system}`
  return browser ?? system
}

/** The first that matches: browsers name those that they descend from too. */
const browsers: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\b(?:Edg|EdgA|EdgiOS)\//, 'Edge'],
  [/\b(?:OPR|OPT|OPX)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bYaBrowser\//, 'Yandex Browser'],
  [/\bDuckDuckGo\/|\bDdg\//, 'DuckDuckGo'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*\bSafari\//, 'Safari'],
]

const systems: typeof browsers = [
  [/\biPhone\b|\biPod\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
]

function nameIn(table: typeof browsers, text: string): string | null {
  return table.find(([pattern]) => pattern.test(text))?.[1] ?? null
}

/** Who is signed in, as their own pages show it. */
export const presentViewer = (session: Session): Viewer => ({
  id: session.accountId,
  gameId: session.gameId,
  username: session.username ?? UNKNOWN_PLAYER,
  isModerator: session.isModerator,
  ...(session.language !== null && { language: session.language }),
  csrf: session.csrf,
})
