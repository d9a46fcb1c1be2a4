import type { IncomingHttpHeaders } from 'node:http'
import { cookieName, cookieText, readCookie } from '../cookies.ts'
import type { SiteSettings } from '../site-context.ts'
import { isSecure } from '../site-headers.ts'
import { safeReturnPath } from './return-path.ts'

const NAME = 'sign-in'
const LASTS_SECONDS = 600

/** A sign-in that has begun in this browser. */
export type Pending = {
  /** What the platform has to send back. */
  readonly state: string
  /** ms since the epoch. */
  readonly begunAt: number
  readonly returnPath: string
}

const pendingCookie = (settings: SiteSettings, value: string, maxAgeSeconds: number): string => {
  const secure = isSecure(settings)
  return cookieText({ name: cookieName(NAME, secure), value, maxAgeSeconds, isSecure: secure })
}

/** Remembers a sign-in in the browser that began it, and nowhere else. */
export const keepPending = (settings: SiteSettings, pending: Pending): string => {
  const path = Buffer.from(pending.returnPath).toString('base64url')
  const value = [pending.state, pending.begunAt.toString(36), path].join('.')
  return pendingCookie(settings, value, LASTS_SECONDS)
}

/** A cookie that takes the one before away: a sign-in is finished once. */
export const dropPending = (settings: SiteSettings): string => pendingCookie(settings, '', 0)

/** The sign-in that this browser began not too long ago; null when there is none. */
export const readPending = (
  headers: IncomingHttpHeaders,
  settings: SiteSettings,
  now: number,
): Pending | null => {
  const value = readCookie(headers.cookie, cookieName(NAME, isSecure(settings)))
  const [state = '', time = '', path = ''] = value?.split('.') ?? []
  const begunAt = Number.parseInt(time, 36)
  // Another process may have begun it, by a clock of its own.
  const isFresh = Math.abs(now - begunAt) <= LASTS_SECONDS * 1000
  if (state === '' || !isFresh) return null
  // The cookie is the browser's to change: what it says is checked like any other wish.
  return { state, begunAt, returnPath: safeReturnPath(Buffer.from(path, 'base64url').toString()) }
}
