import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { Failure } from '../contract/errors.ts'
import type { SiteCost } from '../contract/quotas.ts'
import { quotaHeaders, type Requester, requesterOf } from '../domain/quotas.ts'
import { spendSiteShare } from '../operations/spend-share.ts'
import { wantsPage } from './pages/not-found.ts'
import { homeward } from './pages/notice.ts'
import { sendNotice } from './pages/send-page.ts'
import { sendJsonError } from './session/site-error.ts'
import type { SiteContext } from './site-context.ts'

/** Whose share a request counts toward: the viewer's, when that is known, else the address's. */
export function requesterOfRequest({ viewer, clientAddress }: FastifyRequest): Requester {
  return requesterOf(viewer?.accountId ?? null, clientAddress)
}

/** Spends what a request costs (D-56). Throws `rate_limited` with the seconds to wait. */
export function charge(
  { ports, service }: SiteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  cost: SiteCost,
  requester: Requester = requesterOfRequest(request),
): void {
  const refusal = spendSiteShare(ports, service, requester, cost)
  if (refusal === null) return
  request.quota = refusal.quota
  void reply.headers(quotaHeaders(refusal.quota))
  throw refusal.failure
}

/** A hook that charges each request of a scope. */
export function chargeEach(context: SiteContext, cost: SiteCost): onRequestHookHandler {
  return (request, reply, done) => {
    try {
      charge(context, request, reply, cost)
      done()
    } catch (error) {
      done(error as Error)
    }
  }
}

/** Whether a request was refused because a share is used up. */
export function isTooMany(error: unknown): error is Failure {
  return error instanceof Failure && error.code === 'rate_limited'
}

/** Answers a request whose share is used up: people get a page, programs what the API would say. */
export async function sendTooMany(
  context: SiteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  failure: Failure,
): Promise<FastifyReply> {
  void reply.header('cache-control', 'private, no-store')
  if (!wantsPage(request)) return sendJsonError(failure, request, reply)
  const seconds = failure.retryAfter ?? 1
  void reply.header('retry-after', String(seconds))
  return sendNotice(context, request, reply, 429, {
    title: 'Too many requests',
    text: `More was asked for from ${request.viewer === null ? 'your network' : 'your account'} in this minute than the site serves. Wait ${seconds} seconds, then load the page again.`,
    ways: [homeward],
  })
}

/** Charges a request that is answered outside of the pages and session endpoints, then answers it. */
export async function answerCharged(
  context: SiteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  cost: SiteCost,
  answer: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    charge(context, request, reply, cost)
    return await answer()
  } catch (error) {
    if (isTooMany(error)) return sendTooMany(context, request, reply, error)
    throw error
  }
}
