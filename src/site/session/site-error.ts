import type { FastifyReply, FastifyRequest } from 'fastify'
import { RETRY_AFTER_FAILURE } from '../../contract/error-codes.ts'
import type { Failure } from '../../contract/failure.ts'
import { siteErrorCodes, type SiteErrorReply, SiteFailure } from '../../contract/site-errors.ts'
import { bodyCutShort, failureOf, internalError } from '../../domain/reading/requests.ts'

/** What went wrong, in our words; null when it is a failure on our side. */
const knownFailure = (error: unknown, { raw }: FastifyRequest): Failure | SiteFailure | null => {
  if (error instanceof SiteFailure) return error
  return error === raw.errored ? bodyCutShort() : failureOf(error)
}

/**
 * What went wrong, in our words. A failure on our side is logged under the request's id, and told
 * as nothing more than that. Throws what was refused at the door before the site was reached: the
 * door answers that, and knows what there is to say of the address (D-10).
 */
export const explainError = (error: unknown, request: FastifyRequest): Failure | SiteFailure => {
  if (request.quota === null) throw error
  const failure = knownFailure(error, request)
  if (failure === null) request.log.error({ requestId: request.id, err: error }, 'internal error')
  return failure ?? internalError()
}

/** Answers a session endpoint that failed, as the API would (spec 2.9). */
export const sendJsonError = (
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply => {
  const failure = explainError(error, request)
  const { code, message } = failure
  const { status } = siteErrorCodes[code]
  const wait = failure instanceof SiteFailure ? failure.retryAfter : request.quota?.resetSeconds
  if (status === 429 && wait) void reply.header('retry-after', String(wait))
  if (status === 500) void reply.header('retry-after', String(RETRY_AFTER_FAILURE))
  return reply
    .code(status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify({ error: { code, message } } satisfies SiteErrorReply))
}
