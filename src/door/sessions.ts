import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { CSRF_HEADER, type Endpoint } from '../contract/endpoint.ts'
import { AppError, refusal } from '../contract/errors.ts'
import type { ServiceName } from '../contract/services.ts'
import { CPU_MS_PER_POINT, type SiteCost, siteCosts } from '../contract/quotas.ts'
import { otherService, sharedDomain, signedInCookie } from '../contract/visitor.ts'
import { refuseOthers } from '../domain/moderation.ts'
import { type Requester, requesterOf } from '../domain/quotas.ts'
import { failureOf } from '../domain/reading/requests.ts'
import { cookieSeconds, isSeenAnew, type Session } from '../domain/sessions.ts'
import { spendEdit, spendSiteShare, spendWrite } from '../operations/admission.ts'
import { findViewer } from '../operations/sessions.ts'
import { hook } from './admission.ts'
import { setCookies } from './answer.ts'
import type { Context, ServiceParts, Settings } from './context.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The session; null if there is none, and before `loadViewer`. */
    viewer: Session | null
  }
}

/** A hook that loads the session: one row for requests with a session cookie, nothing for others. */
export const loadViewer = (context: Context): onRequestHookHandler =>
  hook((request, reply) => {
    const token = readSessionToken(request, context)
    return token === null ? undefined : findOut(context, request, reply, token)
  })

async function findOut(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
): Promise<void> {
  const { ports, service } = context
  const viewer = await findViewer(ports, service, token)
  request.viewer = viewer
  // The cookie is extended with the session.
  const now = ports.clock.now()
  if (viewer !== null && isSeenAnew(viewer, now)) {
    setCookies(reply, keepSession(context, token, cookieSeconds(viewer, now)))
  }
}

/**
 * Admits a request to its session endpoint. Checks in this order: without a session, the share of the
 * address (429); who it is (401, 403); that it comes from our own page (403); the share and the quota of
 * the account (429). A forged request is charged to its address, not to the account.
 */
export function admitSession(context: Context, endpoint: Endpoint): onRequestHookHandler {
  const { spendsWrite, spendsEdit, cost = 'session' } = endpoint
  return hook((request) => {
    const { viewer, clientAddress } = request
    const chargeAddress = () => charge(context, request, cost, requesterOf(null, clientAddress))
    if (viewer === null) chargeAddress()
    try {
      check(endpoint, request, context.settings.ownUrl)
    } catch (refused) {
      if (viewer !== null) chargeAddress()
      throw refused
    }
    if (viewer !== null) charge(context, request, cost)
    if (spendsEdit) chargeEdit(context, request)
    return spendsWrite ? spend(context, request, signedIn(viewer)) : undefined
  })
}

function check(
  { who, proof }: Endpoint,
  { headers, viewer }: FastifyRequest,
  ownUrl: string,
): void {
  if (who !== 'anyone') signedIn(viewer)
  if (proof !== undefined) refuseOtherPages(headers, ownUrl)
  if (proof === 'token') refuseWithoutToken(headers, signedIn(viewer))
  if (who === 'moderators') refuseOthers(signedIn(viewer))
}

function signedIn(viewer: Session | null): Session {
  if (viewer === null) throw refusal('notSignedIn')
  return viewer
}

/** `Sec-Fetch-Site` of requests from pages of other sites. */
const foreign: ReadonlySet<string> = new Set(['cross-site', 'same-site'])

/**
 * Refuses requests that do not come from a page of this site: by `Origin` if the browser sends it,
 * otherwise by `Sec-Fetch-Site`. A request with neither does not come from a page.
 */
function refuseOtherPages(headers: IncomingHttpHeaders, ownUrl: string): void {
  const from = headers['sec-fetch-site']?.toString()
  const isOwn =
    headers.origin === undefined
      ? from === 'same-origin'
      : headers.origin === originOf(headers, ownUrl)
  if (isOwn && !(from !== undefined && foreign.has(from))) return
  throw new AppError(
    'forbidden:other_page',
    `this request must come from a page of this site; open ${ownUrl}`,
  )
}

/** Refuses requests without the session's CSRF token, which only our own pages can read. */
function refuseWithoutToken(headers: IncomingHttpHeaders, { csrf }: Session): void {
  const given = headers[CSRF_HEADER]
  if (typeof given !== 'string' || !isSameSecret(given, csrf)) throw refusal('staleToken')
}

/** Compares in constant time. */
export function isSameSecret(given: string, held: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(held)]
  return a.length === b.length && timingSafeEqual(a, b)
}

async function spend(
  { ports }: Context,
  request: FastifyRequest,
  { accountId }: Session,
): Promise<void> {
  const { quota, failure } = await spendWrite(ports, accountId)
  request.quota = quota
  if (failure !== null) throw failure
}

/** Whose share a request counts toward: the viewer's, or without a session the address's. */
export function requesterOfRequest({ viewer, clientAddress }: FastifyRequest): Requester {
  return requesterOf(viewer?.accountId ?? null, clientAddress)
}

/** Spends the cost of a request (D-56). Throws `rate_limited` with the seconds to wait. */
export function charge(
  { ports, service }: Context,
  request: FastifyRequest,
  cost: SiteCost,
  requester: Requester = requesterOfRequest(request),
): void {
  const points = siteCosts[cost]
  refuseIf(request, spendSiteShare(ports, service, requester, points))
  request.paidMs += points * CPU_MS_PER_POINT
}

/** Spends one of the account's edits of tournaments (D-64). */
function chargeEdit({ ports, service }: Context, request: FastifyRequest): void {
  refuseIf(request, spendEdit(ports, service, requesterOfRequest(request)))
}

function refuseIf(request: FastifyRequest, refused: ReturnType<typeof spendSiteShare>): void {
  if (refused === null) return
  request.quota = refused.quota
  throw refused.failure
}

/** A hook that charges each request of a scope. */
export const chargeEach = (context: Context, cost: SiteCost): onRequestHookHandler =>
  hook((request) => charge(context, request, cost))

/** Whether a request was refused because a share is used up. */
export function isTooMany(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'rate_limited'
}

const ALL = { seenSince: 0, createdSince: 0 }

/**
 * The error to respond with if the viewer may have signed out or deleted their account in another
 * window after admission: `not_signed_in` if that made the request fail, otherwise `error`.
 */
export async function orSignedOut(
  { ports, service }: Context,
  { viewer }: FastifyRequest,
  error: unknown,
): Promise<unknown> {
  const failure = failureOf(error, service)
  const isKnown = failure !== null && failure.code !== 'invalid_api_key'
  if (viewer === null || isKnown) return error
  // If the store fails, that is the error.
  const now = await ports.sessions.find(viewer.hash, ALL).catch(() => viewer)
  return now === null ? refusal('notSignedIn') : error
}

/** Whether this site is reached over TLS, ours or a proxy's. */
export const isSecure = ({ ownUrl }: Pick<Settings, 'ownUrl'>): boolean =>
  ownUrl.startsWith('https://')

const loopback = ['127.0.0.1', 'localhost', '[::1]'] as const

/**
 * Every origin of a site: its public one, and if that is a loopback address, the other names of
 * the machine.
 */
export function originsOf(ownUrl: string): readonly string[] {
  const { origin, protocol, hostname, port } = new URL(ownUrl)
  if (!loopback.some((name) => name === hostname)) return [origin]
  const colonPort = port === '' ? '' : `:${port}`
  return [
    origin,
    ...loopback
      .filter((name) => name !== hostname)
      .map((name) => `${protocol}//${name}${colonPort}`),
  ]
}

/** The origin in the request's `Host`; the public one if it names none of the site's. */
export function originOf({ host }: IncomingHttpHeaders, ownUrl: string): string {
  const origins = originsOf(ownUrl)
  const scheme = new URL(ownUrl).protocol
  return origins.find((origin) => origin === `${scheme}//${host}`) ?? origins[0]!
}

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
export type CookieOwner = Pick<ServiceParts, 'service' | 'settings'>

/** A cookie's name on one service. */
export const serviceCookie = (service: ServiceName, name: string): string =>
  service === 'packs' ? name : `${service}-${name}`

/** The browser's session token; null if it has none. */
export const readSessionToken = (
  { headers }: Pick<FastifyRequest, 'headers'>,
  owner: CookieOwner,
): string | null => readCookie(headers.cookie, sessionCookie(owner))

/** The `Set-Cookie` values of a browser that is signed in: its session, and what tells the other site of that. */
export function keepSession(owner: CookieOwner, value: string, maxAgeSeconds: number): string[] {
  const { service, settings } = owner
  const [secure, domain] = [isSecure(settings), sharedDomain(settings.siteUrl, settings.poolsUrl)]
  const session = { name: sessionCookie(owner), value, maxAgeSeconds, isSecure: secure }
  const said = value === '' ? '' : '1'
  const hint = { ...session, name: signedInCookie(service), value: said }
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
