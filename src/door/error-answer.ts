import { errorCodes, RETRY_AFTER_FAILURE } from '../contract/error-codes.ts'
import type { ErrorReply } from '../contract/error-reply.ts'
import type { Failure } from '../contract/failure.ts'
import type { QuotaReport } from '../domain/quotas.ts'

/** An error's status, headers and body (spec 2.9, 7). */
export const errorAnswer = (failure: Failure, quota: QuotaReport) => {
  const { status } = errorCodes[failure.code]
  const body: ErrorReply = { error: { code: failure.code, message: failure.message } }
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(status === 401 && { 'www-authenticate': 'Bearer' }),
      ...(status === 429 && { 'retry-after': String(quota.resetSeconds) }),
      ...(status === 500 && { 'retry-after': String(RETRY_AFTER_FAILURE) }),
    },
    body: JSON.stringify(body),
  }
}
