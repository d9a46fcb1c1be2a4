import type { QuotaReport } from '../domain/quota-report.ts'

/** The headers that tell a quota (spec 4, D-9). */
export const quotaHeaders = (quota: QuotaReport): Record<string, string> => ({
  'ratelimit-limit': String(quota.limit),
  'ratelimit-remaining': String(quota.remaining),
  'ratelimit-reset': String(quota.resetSeconds),
})

/** The headers that every answer carries, whatever it is (D-13). */
export const standingHeaders = (requestId: string): Record<string, string> => ({
  'x-request-id': requestId,
  'x-content-type-options': 'nosniff',
  'cache-control': 'private, no-cache',
})
