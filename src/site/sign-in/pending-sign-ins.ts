import type { IncomingHttpHeaders } from 'node:http'
import { cookieName, cookieText, readCookie, serviceCookie } from '../../door/cookies.ts'
import { isSecure } from '../../door/wire.ts'
import { isSameSecret } from '../../door/sessions.ts'
import type { SiteContext } from '../site-context.ts'

/** Longer than the platform takes where it sends a code by mail first. */
const LASTS_SECONDS = 1_200
/** Sign-ins that may be pending in one browser: their cookies go with every request. */
const MAX_PENDING = 5

/** A sign-in that has begun in this browser. */
export type Pending = {
  /** Only this browser has it; who sends the browser back knows its SHA-256 (`stateOf`). */
  readonly secret: string
  /** ms since the epoch. */
  readonly begunAt: number
  readonly returnPath: string
  /** Whether the other site was asked, not the platform. */
  readonly isHandOver?: boolean
}

/** What has to be sent back. Who reads it in an address cannot complete the sign-in in another browser. */
export const stateOf = ({ ports }: Pick<SiteContext, 'ports'>, secret: string): string =>
  ports.hasher.sha256(secret)

/** The `Set-Cookie` headers that store a sign-in in the browser alone, and remove surplus old ones. */
export function keepPending(
  context: SiteContext,
  headers: IncomingHttpHeaders,
  { secret, begunAt, returnPath, isHandOver = false }: Pending,
): readonly string[] {
  const path = Buffer.from(returnPath).toString('base64url')
  const value = [secret, begunAt.toString(36), path, ...(isHandOver ? [HAND_OVER] : [])].join('.')
  return [
    pendingCookie(context, nameOf(context, stateOf(context, secret)), value),
    ...surplusNames(context, headers).map((name) => pendingCookie(context, name, null)),
  ]
}

/** The `Set-Cookie` header that removes a sign-in, which can be completed only once. */
export function dropPending(context: SiteContext, { secret }: Pending): string {
  return pendingCookie(context, nameOf(context, stateOf(context, secret)), null)
}

/** The sign-in with this state, if this browser began it in the last 20 minutes; otherwise null. */
export function readPending(
  context: SiteContext,
  { cookie }: IncomingHttpHeaders,
  askedState: string,
): Pending | null {
  const value = readCookie(cookie, nameOf(context, askedState))
  const [secret = '', time = '', path = '', kind] = value?.split('.') ?? []
  const begunAt = Number.parseInt(time, 36)
  // Another process may have begun it, by a clock of its own.
  const isFresh = Math.abs(context.ports.clock.now() - begunAt) <= LASTS_SECONDS * 1000
  if (!isFresh || !isSameSecret(askedState, stateOf(context, secret))) return null
  // Browsers can change their cookies: the path is checked again.
  const returnPath = safeReturnPath(Buffer.from(path, 'base64url').toString())
  return { secret, begunAt, returnPath, isHandOver: kind === HAND_OVER }
}

/** The last part of the cookie of a sign-in that asked the other site. */
const HAND_OVER = 'h'
/** The other site answers at once; a second press of an impatient reader is sooner. */
const UNANSWERED_MS = 5_000

/** Whether the other site was asked from this browser, and has not sent it back: it may be down. */
export function isUnanswered(context: SiteContext, { cookie }: IncomingHttpHeaders): boolean {
  const now = context.ports.clock.now()
  return [...pendingValues(context, cookie)].some(([, value]) => {
    const [, time = '', , kind] = value.split('.')
    return kind === HAND_OVER && now - Number.parseInt(time, 36) > UNANSWERED_MS
  })
}

/** Each sign-in has a cookie of its own, so that tabs do not interfere. */
function nameOf(context: SiteContext, state: string): string {
  return prefixOf(context) + state.slice(0, NAME_LENGTH)
}

const NAME_LENGTH = 16

function prefixOf({ service, settings }: SiteContext): string {
  return cookieName(`${serviceCookie(service, 'sign-in')}-`, isSecure(settings))
}

/** @param value null removes the cookie. */
function pendingCookie({ settings }: SiteContext, name: string, value: string | null): string {
  const maxAgeSeconds = value === null ? 0 : LASTS_SECONDS
  return cookieText({ name, value: value ?? '', maxAgeSeconds, isSecure: isSecure(settings) })
}

/** The oldest pending sign-ins, to be removed to make room for one more. */
function surplusNames(context: SiteContext, { cookie }: IncomingHttpHeaders): string[] {
  const begun = [...pendingValues(context, cookie)].map(
    ([name, value]) => [name, Number.parseInt(value.split('.')[1] ?? '', 36) || 0] as const,
  )
  const newestFirst = begun.toSorted(([, one], [, other]) => other - one)
  return newestFirst.slice(MAX_PENDING - 1).map(([name]) => name)
}

/** The cookies of pending sign-ins. What the browser sent is repeated in a header only if its name has our form. */
function pendingValues(context: SiteContext, cookie = ''): ReadonlyMap<string, string> {
  const prefix = prefixOf(context)
  const pairs = cookie.split(';').map((pair) => pair.trim().split('=') as [string, string?])
  const own = pairs.filter(
    ([name]) => name.startsWith(prefix) && /^[A-Za-z0-9_-]{16}$/.test(name.slice(prefix.length)),
  )
  return new Map(own.map(([name, value = '']) => [name, value]))
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
