import {
  type ErrorReply,
  type Failure,
  RETRY_AFTER_FAILURE,
  siteErrorCodes,
} from '../contract/errors.ts'
import type { QuotaReport } from '../domain/quotas.ts'

/** An error's status, headers and body (spec 2.9, 7). */
export const errorAnswer = (failure: Failure, quota: QuotaReport) => {
  const { status } = siteErrorCodes[failure.code]
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
