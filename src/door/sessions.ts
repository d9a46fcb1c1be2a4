import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { CSRF_HEADER, type Endpoint } from '../contract/endpoint.ts'
import { AppError, refusal } from '../contract/errors.ts'
import { CPU_MS_PER_POINT, type SiteCost, siteCosts } from '../contract/quotas.ts'
import { keepSession, readSessionToken } from './cookies.ts'
import { refuseOthers } from '../domain/moderation.ts'
import { type Requester, requesterOf } from '../domain/quotas.ts'
import { failureOf } from '../domain/reading/requests.ts'
import { cookieSeconds, isSeenAnew, type Session } from '../domain/sessions.ts'
import { spendEdit, spendSiteShare, spendWrite } from '../operations/admission.ts'
import { findViewer } from '../operations/sessions.ts'
import { hook } from './admission.ts'
import { setCookies } from './answer.ts'
import type { Context } from './context.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The session; null if there is none, and before `loadViewer`. */
    viewer: Session | null
  }
}

/** A hook that loads the session: one row for requests with a session cookie, nothing for others. */
export const loadViewer = (context: Context): onRequestHookHandler =>
  hook((request, reply) => {
    if (request.headers.cookie === undefined) return undefined
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
export function isSameSecret(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
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

/**
 * Throws `not_signed_in` if the session of an admitted request has ended since: it may have waited. Else its viewer is a
 * moderator only if they are one now.
 */
export async function readmitSession({ ports }: Context, request: FastifyRequest): Promise<void> {
  if (request.viewer === null) return
  const viewer = await ports.sessions.find(request.viewer.hash, ALL)
  if (viewer === null) throw refusal('notSignedIn')
  request.viewer = viewer
}

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
