import type { QuotaReport } from './quota-report.ts'

/** The headers that tell a quota (spec 4, D-9). */
export const quotaHeaders = (quota: QuotaReport): Record<string, string> => ({
  'ratelimit-limit': String(quota.limit),
  'ratelimit-remaining': String(quota.remaining),
  'ratelimit-reset': String(quota.resetSeconds),
})
