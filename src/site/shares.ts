import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { AppError } from '../contract/errors.ts'
import type { SiteCost } from '../contract/quotas.ts'
import { hook } from '../door/admission.ts'
import { sendJsonError } from '../door/answer.ts'
import { charge, isTooMany } from '../door/sessions.ts'
import { createUnrouted, type KnownPath } from '../door/unrouted.ts'
import { homeward } from './pages/html.ts'
import { sendNotFound, sendNotice, wantsPage } from './pages/send-page.ts'
import type { SiteContext } from './site-context.ts'

/** Answers a request beyond its quota: browsers get a page, programs a JSON error. */
export function sendTooMany(
  context: SiteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  failure: AppError,
): FastifyReply | Promise<FastifyReply> {
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

/** Charges a request for something other than a page or a session endpoint, then answers it. */
export async function answerCharged(
  context: SiteContext,
  request: FastifyRequest,
  reply: FastifyReply,
  cost: SiteCost,
  answer: () => FastifyReply | Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    charge(context, request, cost)
    return await answer()
  } catch (error) {
    if (isTooMany(error)) return sendTooMany(context, request, reply, error)
    throw error
  }
}

/** Answers what matches no route of the site, as the API does (D-12). */
export function answerUnrouted(
  context: SiteContext,
  paths: () => readonly KnownPath[],
): onRequestHookHandler {
  const answer = createUnrouted('site', paths, (request, reply) =>
    sendNotFound(context, request, reply),
  )
  return hook((request, reply) =>
    request.is404
      ? answerCharged(context, request, reply, 'page', () => answer(request, reply))
      : undefined,
  )
}
