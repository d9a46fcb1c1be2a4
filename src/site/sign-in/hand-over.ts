import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { otherService } from '../../contract/visitor.ts'
import { isToken, makeToken, TOKEN_BYTES } from '../../domain/sessions.ts'
import { setCookies } from '../../door/answer.ts'
import { hasSignedOut, isSignedInThere, readSessionToken } from '../../door/cookies.ts'
import { originOf, originsOf } from '../../door/sessions.ts'
import { acceptHandOver, type HandOverEnding, offerHandOver } from '../../operations/sessions.ts'
import type { SiteContext } from '../site-context.ts'
import { isUnanswered, keepPending, type Pending, stateOf } from './pending-sign-ins.ts'

// A sign-in that carries over from the other site (D-96): this site sends the browser there, with the SHA-256 of a secret
// that the browser keeps here; the other one sends it back, with a code if somebody is signed in there.

/** Where a site is asked who is signed in. */
export const OFFER_PATH = '/sign-in/hand-over'
/** Where the other site sends the browser back to. */
export const RETURN_PATH = '/sign-in/handed-over'

/**
 * Whether the other site is to be asked before the platform: a page of it led here, or a cookie says that somebody was
 * signed in there. Nobody who has signed out here lately is signed in again without the platform's page.
 */
export function isToAsk(
  context: SiteContext,
  { headers }: FastifyRequest,
  from: string | null,
): boolean {
  const { service, settings } = context
  if (settings.isAlone || hasSignedOut(headers, context)) return false
  if (isUnanswered(context, headers)) return false
  return from === otherService(service) || isSignedInThere(headers, context)
}

/** Sends the browser to the other site. */
export function askOther(
  context: SiteContext,
  reply: FastifyReply,
  returnPath: string,
): FastifyReply {
  const { ports } = context
  const { headers } = reply.request
  const secret = makeToken(ports.random.bytes(TOKEN_BYTES))
  const pending = { secret, begunAt: ports.clock.now(), returnPath, isHandOver: true }
  setCookies(reply, keepPending(context, headers, pending))
  return reply.redirect(thereOf(context, headers, OFFER_PATH, { state: stateOf(context, secret) }))
}

/** Where to send a browser of the other site back to, with a code if it is signed in here; null: it does not come from there. */
export async function answerOther(
  context: SiteContext,
  { headers, viewer }: FastifyRequest,
  state: string | null,
): Promise<string | null> {
  const { ports, service, settings } = context
  if (settings.isAlone || state === null || !isToken(state)) return null
  const code = viewer && (await offerHandOver(ports, viewer, otherService(service), state))
  const query = { state, ...(code !== null && { code }) }
  return thereOf(context, headers, RETURN_PATH, query)
}

/** Redeems what the other site has sent the browser back with. */
export async function takeAnswer(
  context: SiteContext,
  request: FastifyRequest,
  { secret }: Pending,
  code: string | null,
): Promise<HandOverEnding> {
  if (code === null) return { outcome: 'gone' }
  return acceptHandOver(context.ports, {
    service: context.service,
    code,
    secret,
    formerToken: readSessionToken(request, context),
    userAgent: request.headers['user-agent'],
  })
}

/** An address of the other site, by the name of the host that the browser uses here, where both have it. */
function thereOf(
  { service, settings }: SiteContext,
  headers: IncomingHttpHeaders,
  path: string,
  query: Readonly<Record<string, string>>,
): string {
  const { hostname } = new URL(originOf(headers, settings.ownUrl))
  const origins = originsOf(service === 'packs' ? settings.poolsUrl : settings.siteUrl)
  const there = origins.find((origin) => new URL(origin).hostname === hostname) ?? origins[0]!
  return `${there}${path}?${new URLSearchParams(query).toString()}`
}
