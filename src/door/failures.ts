import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type AppError,
  type ErrorReply,
  refusal,
  RETRY_AFTER_FAILURE,
  siteErrorCodes,
} from '../contract/errors.ts'
import { failureOf } from '../domain/reading/requests.ts'
import type { CompressedAnswers } from '../operations/compression.ts'
import { StoreUnavailable } from '../ports/store.ts'
import { sendErrorText } from './answer.ts'
import { hasReasons } from './wire.ts'

/** The error to respond with; null for an internal error. An unavailable store is logged. */
export function expectedError(error: unknown, request: FastifyRequest): AppError | null {
  const { raw, server } = request
  if (error === raw.errored) return refusal('bodyCutShort')
  if (!(error instanceof StoreUnavailable)) return failureOf(error, server.service)
  request.log.error({ requestId: request.id, err: error }, 'the store is not available')
  return refusal('storeAway')
}

/**
 * The error to respond with. Internal errors are logged under the request's id and not shown. Rethrows
 * what was thrown before the quota was known: the app's handler adds the quota of the address (D-10).
 */
export function errorFor(error: unknown, request: FastifyRequest): AppError {
  if (request.quota === null) throw error
  const failure = expectedError(error, request)
  if (failure === null) request.log.error({ requestId: request.id, err: error }, 'internal error')
  return failure ?? refusal('internal')
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly compressed: CompressedAnswers
  }
  interface FastifyContextConfig {
    /** Of an endpoint: the fields and parameters that it ignores, as far as the request was read; null for none (D-88). */
    readonly ignoredOf?: (request: FastifyRequest) => string | null
    /** Of an endpoint: what its body may be sent as. */
    readonly mediaTypes?: readonly string[]
  }
}

/** Sends an error's status, headers and body (spec 2.9, 7). */
export function sendFailure(
  { code, message, reason, retryAfter, details: { slots, problems } }: AppError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { status } = siteErrorCodes[code]
  const wait = retryAfter ?? request.quota?.resetSeconds
  void reply.code(status)
  const ignored = request.routeOptions.config.ignoredOf?.(request) ?? null
  if (ignored !== null) void reply.header('x-ignored-fields', ignored)
  if (status === 429 && wait) void reply.header('retry-after', String(wait))
  if (status === 503 && retryAfter !== null) void reply.header('retry-after', String(retryAfter))
  if (status === 500) void reply.header('retry-after', String(RETRY_AFTER_FAILURE))
  const isOfPage = isSession(request.url)
  const isTold = hasReasons(request.server.service) || isOfPage
  const error = {
    code,
    message,
    ...(isTold && { reason }),
    ...(isOfPage && problems && { problems }),
  }
  const body: ErrorReply = { error, ...(slots && { slots }) }
  const isSecret = isOfPage && request.viewer !== null
  return sendErrorText(request.server.compressed, reply, JSON.stringify(body), isSecret)
}

/** Pages say the reason and what is wrong in the language of their reader. */
const isSession = (url: string): boolean => /^\/session(?:[/?#]|$)/.test(url)

/** The error handler of session endpoints (spec 2.9). */
export const sendJsonError = (
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply => sendFailure(errorFor(error, request), request, reply)
