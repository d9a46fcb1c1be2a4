import type { IncomingHttpHeaders } from 'node:http'
import {
  cookieName,
  cookieText,
  isSameSecret,
  isSecure,
  readCookie,
  serviceCookie,
} from '../../door/sessions.ts'
import type { SiteContext } from '../site-context.ts'

/** Longer than the platform takes where it sends a code by mail first. */
const LASTS_SECONDS = 1_200
/** Sign-ins that may be pending in one browser: their cookies go with every request. */
const MAX_PENDING = 5

/** A sign-in that has begun in this browser. */
type Pending = {
  /** What the platform has to send back. */
  readonly state: string
  /** ms since the epoch. */
  readonly begunAt: number
  readonly returnPath: string
}

/** The `Set-Cookie` headers that store a sign-in in the browser alone, and remove surplus old ones. */
export function keepPending(
  context: SiteContext,
  headers: IncomingHttpHeaders,
  { state, begunAt, returnPath }: Pending,
): readonly string[] {
  const path = Buffer.from(returnPath).toString('base64url')
  const value = [state, begunAt.toString(36), path].join('.')
  return [
    pendingCookie(context, nameOf(context, state), value),
    ...surplusNames(context, headers).map((name) => pendingCookie(context, name, null)),
  ]
}

/** The `Set-Cookie` header that removes a sign-in, which can be completed only once. */
export function dropPending(context: SiteContext, { state }: Pending): string {
  return pendingCookie(context, nameOf(context, state), null)
}

/** The sign-in with this state, if this browser began it in the last 20 minutes; otherwise null. */
export function readPending(
  context: SiteContext,
  { cookie }: IncomingHttpHeaders,
  askedState: string,
): Pending | null {
  const value = readCookie(cookie, nameOf(context, askedState))
  const [state = '', time = '', path = ''] = value?.split('.') ?? []
  const begunAt = Number.parseInt(time, 36)
  // Another process may have begun it, by a clock of its own.
  const isFresh = Math.abs(context.ports.clock.now() - begunAt) <= LASTS_SECONDS * 1000
  if (state === '' || !isFresh || !isSameSecret(askedState, state)) return null
  // Browsers can change their cookies: the path is checked again.
  return { state, begunAt, returnPath: safeReturnPath(Buffer.from(path, 'base64url').toString()) }
}

/** Each sign-in has a cookie of its own, so that tabs do not interfere. */
function nameOf(context: SiteContext, state: string): string {
  return prefixOf(context) + context.ports.hasher.sha256(state).slice(0, 16)
}

function prefixOf({ service, settings }: SiteContext): string {
  return cookieName(`${serviceCookie(service, 'sign-in')}-`, isSecure(settings))
}

/** @param value null removes the cookie. */
function pendingCookie({ settings }: SiteContext, name: string, value: string | null): string {
  const maxAgeSeconds = value === null ? 0 : LASTS_SECONDS
  return cookieText({ name, value: value ?? '', maxAgeSeconds, isSecure: isSecure(settings) })
}

/** The oldest pending sign-ins, to be removed to make room for one more. */
function surplusNames(context: SiteContext, { cookie = '' }: IncomingHttpHeaders): string[] {
  const prefix = prefixOf(context)
  const begun = new Map<string, number>()
  for (const pair of cookie.split(';')) {
    const [name = '', value = ''] = pair.trim().split('=')
    // What the browser sent is repeated in a header only if it has the form of our own names.
    if (!name.startsWith(prefix) || !/^[A-Za-z0-9_-]{16}$/.test(name.slice(prefix.length))) continue
    begun.set(name, Number.parseInt(value.split('.')[1] ?? '', 36) || 0)
  }
  const newestFirst = [...begun].toSorted(([, one], [, other]) => other - one)
  return newestFirst.slice(MAX_PENDING - 1).map(([name]) => name)
}

/** Longer ones would make the cookie too large. */
const MAX_LENGTH = 512

/** Returning to the sign-in itself would be a loop. */
const signInPaths = /^\/(?:sign-in|session)(?:[/?#]|$)/i

/**
 * A path of this site to return to after signing in, or `/` for anything else. What a browser
 * would read as another site's address (`//host`, `/\host`, a tab or line break in between) is
 * refused in the plain and in the percent-encoded spelling.
 */
export function safeReturnPath(path: unknown): string {
  if (typeof path !== 'string' || path.length > MAX_LENGTH) return '/'
  try {
    return [path, decodeURIComponent(path)].every(isOwnPath) ? path : '/'
  } catch {
    return '/'
  }
}

function isOwnPath(path: string): boolean {
  return (
    path.startsWith('/') &&
    !path.startsWith('//') &&
    !path.includes('\\') &&
    !/\p{C}/u.test(path) &&
    !signInPaths.test(path) &&
    isOwnToBrowsers(path)
  )
}

/** As a browser reads the path: dots and slashes may hide what the text alone does not show. */
function isOwnToBrowsers(path: string): boolean {
  const site = 'https://site.invalid'
  if (!URL.canParse(path, site)) return false
  const { origin, pathname } = new URL(path, site)
  return origin === site && !pathname.startsWith('//') && !signInPaths.test(pathname)
}
