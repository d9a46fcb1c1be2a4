import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { ServiceName } from '../contract/services.ts'
import { otherService, sharedDomain, signedInCookie } from '../contract/visitor.ts'
import type { ServiceParts, Settings } from './context.ts'
import { isSecure } from './wire.ts'

type NewCookie = {
  readonly name: string
  readonly value: string
  /** 0 removes it. */
  readonly maxAgeSeconds: number
  readonly isSecure: boolean
  /** Left out or empty: the host of the response alone. */
  readonly domain?: string
}

/** A `Set-Cookie` value that scripts cannot read and other sites' forms do not send. */
export function cookieText(cookie: NewCookie): string {
  const { name, value, maxAgeSeconds, isSecure, domain = '' } = cookie
  return [
    `${name}=${value}`,
    ...(domain === '' ? [] : [`Domain=${domain}`]),
    'Path=/',
    `Max-Age=${maxAgeSeconds}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure ? ['Secure'] : []),
  ].join('; ')
}

/**
 * A cookie's name: over TLS with the prefix that binds it to this host and to TLS, so that no
 * neighbouring host can set it.
 */
export function cookieName(name: string, isSecure: boolean): string {
  return isSecure ? `__Host-${name}` : name
}

/** The value of a cookie in a `Cookie` header; null if it is missing or sent twice. */
export function readCookie(header: string | undefined, name: string): string | null {
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
  return values.length === 1 ? (values[0]?.slice(name.length + 1) ?? null) : null
}

/** The service of a cookie: two services on one host share their cookies. */
type CookieOwner = Pick<ServiceParts, 'service' | 'settings'>

/** A cookie's name on one service. */
export const serviceCookie = (service: ServiceName, name: string): string =>
  service === 'packs' ? name : `${service}-${name}`

/** The browser's session token; null if it has none. */
export const readSessionToken = (
  { headers }: Pick<FastifyRequest, 'headers'>,
  owner: CookieOwner,
): string | null => readCookie(headers.cookie, sessionCookie(owner))

/** The `Set-Cookie` values of a browser that is signed in: its session, and what informs the other site of that. */
export function keepSession(owner: CookieOwner, value: string, maxAgeSeconds: number): string[] {
  const { service, settings } = owner
  const [secure, domain] = [isSecure(settings), sharedDomain(settings.siteUrl, settings.poolsUrl)]
  const session = { name: sessionCookie(owner), value, maxAgeSeconds, isSecure: secure }
  const hinted = value === '' ? '' : '1'
  const hint = { ...session, name: signedInCookie(service), value: hinted }
  return [session, ...(domain === null ? [] : [{ ...hint, domain }])].map(cookieText)
}

/** For so long, signing in after signing out leads to the platform, where another player can sign in. */
const SIGNED_OUT_SECONDS = 3600

/** The `Set-Cookie` values of a browser that signs out. */
export const dropSession = (owner: CookieOwner): string[] => [
  ...keepSession(owner, '', 0),
  signedOutText(owner, SIGNED_OUT_SECONDS),
]

/** The `Set-Cookie` values that keep a session which has just begun, in answer to a request with these headers. */
export const beginSession = (
  owner: CookieOwner,
  headers: IncomingHttpHeaders,
  token: string,
  maxAgeSeconds: number,
): string[] => [
  ...keepSession(owner, token, maxAgeSeconds),
  ...(hasSignedOut(headers, owner) ? [signedOutText(owner, 0)] : []),
]

function signedOutText(owner: CookieOwner, maxAgeSeconds: number): string {
  const value = maxAgeSeconds === 0 ? '' : '1'
  const secure = isSecure(owner.settings)
  return cookieText({ name: signedOutCookie(owner), value, maxAgeSeconds, isSecure: secure })
}

function signedOutCookie({ service, settings }: CookieOwner): string {
  return cookieName(serviceCookie(service, 'signed-out'), isSecure(settings))
}

/** Whether this browser has signed out of this service lately. */
export const hasSignedOut = ({ cookie }: IncomingHttpHeaders, owner: CookieOwner): boolean =>
  readCookie(cookie, signedOutCookie(owner)) !== null

/** Whether this browser was signed in on the other service, as far as it says. */
export const isSignedInThere = (
  { cookie }: IncomingHttpHeaders,
  { service }: Pick<CookieOwner, 'service'>,
): boolean => readCookie(cookie, signedInCookie(otherService(service))) !== null

function sessionCookie({ service, settings }: CookieOwner): string {
  return cookieName(serviceCookie(service, 'session'), isSecure(settings))
}

const KNOWN_SECONDS = 365 * 24 * 3600

/** A `Set-Cookie` value that says that somebody has signed in with this browser; both sites of a host share it. */
export const keepKnownBrowser = (
  { settings }: Pick<CookieOwner, 'settings'>,
  value: string,
  maxAgeSeconds: number = KNOWN_SECONDS,
): string =>
  cookieText({
    name: knownBrowserCookie(settings),
    value,
    maxAgeSeconds,
    isSecure: isSecure(settings),
  })

export const dropKnownBrowser = (owner: CookieOwner): string => keepKnownBrowser(owner, '', 0)

export function knownBrowserCookie(settings: Pick<Settings, 'ownUrl'>): string {
  return cookieName('known-browser', isSecure(settings))
}
