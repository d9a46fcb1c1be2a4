import type { FastifyReply } from 'fastify'
import type { AppError } from '../contract/errors.ts'
import type { SiteCost } from '../contract/quotas.ts'
import { errorFor, sendJsonError } from '../door/failures.ts'
import { charge, isTooMany } from '../door/sessions.ts'
import { queryOf, type SiteTexts } from './language.ts'
import { homeward, type Notice } from './pages/notice-html.ts'
import { noticeVary, sendNotFound, sendNotice, wantsPage } from './pages/send-page.ts'
import type { SiteContext } from './site-context.ts'

type Sent = FastifyReply | Promise<FastifyReply>

/** Answers what failed in a route for browsers. */
export function sendError(context: SiteContext, reply: FastifyReply, error: unknown): Sent {
  if (isTooMany(error)) return sendTooMany(context, reply, error)
  const { code } = errorFor(error, reply.request)
  if (code === 'not_found') return sendNotFound(context, reply)
  // In another language, the same is asked for again (D-110).
  const again = queryOf(reply.request)
  if (code === 'unavailable') {
    return sendNotice(context, reply, 503, (texts) => ({ ...storeAway(texts), again }))
  }
  return sendNotice(context, reply, 500, (texts) => ({
    title: texts.failed,
    text: texts.failedText({ id: reply.request.id }),
    ways: [homeward(texts), ...contactOf(context, texts)],
    again,
  }))
}

/** Where the operator is reached, if visitors are told. */
export function contactOf({ settings }: SiteContext, texts: SiteTexts): Notice['ways'] {
  const { contact } = settings.installation
  return contact === null ? [] : [{ label: texts.contactOperator, href: contact }]
}

const storeAway = (texts: SiteTexts): Notice => ({
  title: texts.storeAway,
  text: texts.storeAwayText,
  ways: [homeward(texts)],
})

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
  void reply.header('cache-control', 'private, no-store')
  if (!wantsPage(request)) {
    void reply.header('vary', 'Accept')
    return sendJsonError(failure, request, reply)
  }
  const n = failure.retryAfter ?? 1
  void reply.header('retry-after', String(n))
  const notice = (texts: SiteTexts): Notice => ({
    title: texts.tooManyRequests,
    text: (request.viewer === null ? texts.tooManyFromNetwork : texts.tooManyFromAccount)({ n }),
    ways: [homeward(texts)],
    again: queryOf(request),
  })
  return sendNotice(context, reply, 429, notice, noticeVary)
}
