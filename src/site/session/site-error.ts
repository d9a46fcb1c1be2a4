import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type ErrorReply,
  type Failure,
  RETRY_AFTER_FAILURE,
  siteErrorCodes,
} from '../../contract/errors.ts'
import { bodyCutShort, failureOf, internalError } from '../../domain/reading/requests.ts'

/**
 * What went wrong, in our words. A failure on our side is logged under the request's id, and told
 * as nothing more than that. Throws what was refused at the door before the site was reached: the
 * door answers that, and knows what there is to say of the address (D-10).
 */
export const explainError = (error: unknown, request: FastifyRequest): Failure => {
  if (request.quota === null) throw error
  const failure = error === request.raw.errored ? bodyCutShort() : failureOf(error)
  if (failure === null) request.log.error({ requestId: request.id, err: error }, 'internal error')
  return failure ?? internalError()
}

/** Answers a session endpoint that failed, as the API would (spec 2.9). */
export const sendJsonError = (
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply => {
  const { code, message, retryAfter } = explainError(error, request)
  const { status } = siteErrorCodes[code]
  const wait = retryAfter ?? request.quota?.resetSeconds
  if (status === 429 && wait) void reply.header('retry-after', String(wait))
  if (status === 500) void reply.header('retry-after', String(RETRY_AFTER_FAILURE))
  return reply
    .code(status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify({ error: { code, message } } satisfies ErrorReply))
}
