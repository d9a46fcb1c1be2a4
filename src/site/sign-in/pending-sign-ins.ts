import type { IncomingHttpHeaders } from 'node:http'
import { isSecure } from '../../door/context.ts'
import {
  cookieName,
  type CookieOwner,
  cookieText,
  readCookie,
  serviceCookie,
} from '../../door/cookies.ts'
import type { Hasher } from '../../ports/system.ts'
import type { SiteContext } from '../site-context.ts'

const LASTS_SECONDS = 600
/** Characters of the state's hash in a cookie's name. */
const NAME_LENGTH = 16
/** Sign-ins that may be under way in one browser: their cookies go with every request. */
const MAX_PENDING = 5

/** A sign-in that has begun in this browser. */
export type Pending = {
  /** What the platform has to send back. */
  readonly state: string
  /** ms since the epoch. */
  readonly begunAt: number
  readonly returnPath: string
}

/**
 * The cookies that remember a sign-in in the browser that began it, and nowhere else: one for this
 * one, and the removal of the oldest where too many are under way.
 */
export function keepPending(
  context: SiteContext,
  headers: IncomingHttpHeaders,
  pending: Pending,
): readonly string[] {
  const path = Buffer.from(pending.returnPath).toString('base64url')
  const value = [pending.state, pending.begunAt.toString(36), path].join('.')
  const name = nameOf(context, context.ports.hasher, pending.state)
  return [
    pendingCookie(context, name, value, LASTS_SECONDS),
    ...surplusNames(context, headers).map((old) => pendingCookie(context, old, '', 0)),
  ]
}

/** A cookie that takes the one of this sign-in away: it is finished once. */
export function dropPending(context: SiteContext, { state }: Pending): string {
  return pendingCookie(context, nameOf(context, context.ports.hasher, state), '', 0)
}

/** The sign-in with this state that this browser began not too long ago; null when there is none. */
export function readPending(
  context: SiteContext,
  headers: IncomingHttpHeaders,
  askedState: string,
): Pending | null {
  const { hasher, clock } = context.ports
  const value = readCookie(headers.cookie, nameOf(context, hasher, askedState))
  const [state = '', time = '', path = ''] = value?.split('.') ?? []
  const begunAt = Number.parseInt(time, 36)
  // Another process may have begun it, by a clock of its own.
  const isFresh = Math.abs(clock.now() - begunAt) <= LASTS_SECONDS * 1000
  if (state === '' || !isFresh) return null
  // The cookie is the browser's to change: what it says is checked like any other wish.
  return { state, begunAt, returnPath: safeReturnPath(Buffer.from(path, 'base64url').toString()) }
}

/** What the names of all pending sign-ins begin with; a name of its own for each keeps tabs apart. */
function prefixOf({ service, settings }: CookieOwner): string {
  return cookieName(`${serviceCookie(service, 'sign-in')}-`, isSecure(settings))
}

function nameOf(owner: CookieOwner, hasher: Hasher, state: string): string {
  return prefixOf(owner) + hasher.sha256(state).slice(0, NAME_LENGTH)
}

function pendingCookie(
  { settings }: CookieOwner,
  name: string,
  value: string,
  maxAgeSeconds: number,
): string {
  return cookieText({ name, value, maxAgeSeconds, isSecure: isSecure(settings) })
}

/** Those that must go so that one more may come, the oldest first to go. */
function surplusNames(owner: CookieOwner, { cookie }: IncomingHttpHeaders): readonly string[] {
  const prefix = prefixOf(owner)
  const begun = new Map<string, number>()
  for (const pair of (cookie ?? '').split(';')) {
    const [name = '', value = ''] = pair.trim().split('=')
    if (!isOwnName(name, prefix)) continue
    begun.set(name, Number.parseInt(value.split('.')[1] ?? '', 36) || 0)
  }
  return [...begun]
    .toSorted(([, one], [, other]) => other - one)
    .slice(MAX_PENDING - 1)
    .map(([name]) => name)
}

/** What the browser sent is repeated in a header only where it has the form of our own names. */
function isOwnName(name: string, prefix: string): boolean {
  return name.startsWith(prefix) && /^[A-Za-z0-9_-]{16}$/.test(name.slice(prefix.length))
}

/** Longer ones would crowd the cookie that they travel in. */
const MAX_LENGTH = 512

/** Where signing in itself happens: to come back there would go round in circles. */
const ownEnds = /^\/(?:sign-in|session)(?:[/?#]|$)/i

/**
 * Where somebody goes after signing in: a path of ours, or `/` for anything else. What a browser
 * would read as another site's address (`//host`, `/\host`, a tab or line break in between) is
 * refused in the plain and in the percent-encoded spelling.
 */
export function safeReturnPath(wish: unknown): string {
  if (typeof wish !== 'string' || wish.length > MAX_LENGTH) return '/'
  let decoded: string
  try {
    decoded = decodeURIComponent(wish)
  } catch {
    return '/'
  }
  return [wish, decoded].every(isOwnPath) ? wish : '/'
}

function isOwnPath(text: string): boolean {
  return (
    text.startsWith('/') &&
    !text.startsWith('//') &&
    !text.includes('\\') &&
    !/\p{C}/u.test(text) &&
    !ownEnds.test(text) &&
    // As a browser reads it: dots and slashes may have hidden what the text alone does not show.
    isOnOrigin(text)
  )
}

const ORIGIN = 'https://site.invalid'

function isOnOrigin(text: string): boolean {
  if (!URL.canParse(text, ORIGIN)) return false
  const { origin, pathname } = new URL(text, ORIGIN)
  return origin === ORIGIN && !pathname.startsWith('//') && !ownEnds.test(pathname)
}
