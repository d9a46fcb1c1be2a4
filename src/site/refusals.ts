import type { FastifyReply } from 'fastify'
import type { AppError } from '../contract/errors.ts'
import type { SiteCost } from '../contract/quotas.ts'
import { errorFor, sendJsonError } from '../door/answer.ts'
import { charge, isTooMany } from '../door/sessions.ts'
import { homeward, type Notice } from './pages/notice-html.ts'
import { sendNotFound, sendNotice, wantsPage } from './pages/send-page.ts'
import type { SiteContext } from './site-context.ts'

type Sent = FastifyReply | Promise<FastifyReply>

/** Answers what failed in a route for browsers. */
export function sendError(context: SiteContext, reply: FastifyReply, error: unknown): Sent {
  if (isTooMany(error)) return sendTooMany(context, reply, error)
  const { code } = errorFor(error, reply.request)
  if (code === 'not_found') return sendNotFound(context, reply)
  if (code === 'unavailable') return sendNotice(context, reply, 503, storeAway)
  return sendNotice(context, reply, 500, {
    title: 'Something went wrong on our side',
    text: `Nothing was lost. Try again in a moment. If the problem persists, give the operator this request id: ${reply.request.id}.`,
    ways: [homeward, ...contactOf(context)],
  })
}

/** Where the operator is reached, if visitors are told. */
function contactOf({ settings }: SiteContext): Notice['ways'] {
  const { contact } = settings.installation
  return contact === null ? [] : [{ label: 'Contact the operator', href: contact }]
}

const storeAway: Notice = {
  title: 'The service cannot reach its database',
  text: 'Nothing you have saved is lost. Reload this page in a few seconds.',
  ways: [homeward],
}

/** Charges a request for something other than a page or a session endpoint, then answers it. */
export async function answerCharged(
  context: SiteContext,
  reply: FastifyReply,
  cost: SiteCost,
  answer: () => Sent,
): Promise<FastifyReply> {
  try {
    charge(context, reply.request, cost)
    return await answer()
  } catch (error) {
    if (isTooMany(error)) return sendTooMany(context, reply, error)
    throw error
  }
}

/** Answers a request beyond its quota: browsers get a page, programs a JSON error. */
export function sendTooMany(context: SiteContext, reply: FastifyReply, failure: AppError): Sent {
  const { request } = reply
  void reply.header('cache-control', 'private, no-store').header('vary', 'Accept')
  if (!wantsPage(request)) return sendJsonError(failure, request, reply)
  const seconds = failure.retryAfter ?? 1
  const source = request.viewer === null ? 'your network' : 'your account'
  void reply.header('retry-after', String(seconds))
  return sendNotice(context, reply, 429, {
    title: 'Too many requests',
    text: `There were too many requests from ${source} this minute. Wait ${seconds} seconds, then reload the page.`,
    ways: [homeward],
  })
}
