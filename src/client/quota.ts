import { FAILURES_PER_MINUTE, REQUESTS_PER_MINUTE } from '../contract/quotas.ts'

/** Where one quota stands (spec 4, D-9). */
export type Quota = {
  readonly limit: number
  readonly remaining: number
  /** Whole seconds until it begins anew. */
  readonly resetSeconds: number
}

/** Where both quotas of the account stand, as far as answers have told; null before one has. */
export type Quotas = {
  readonly requests: Quota | null
  readonly writes: Quota | null
}

/** A header of plain digits; null when it is missing or anything else. */
export const readCount = (headers: Headers, name: string): number | null => {
  const text = headers.get(name) ?? ''
  return /^\d{1,9}$/.test(text) ? Number(text) : null
}

/** What the RateLimit headers say; null when they do not all say something. */
export const readQuota = (headers: Headers): Quota | null => {
  const limit = readCount(headers, 'ratelimit-limit')
  const remaining = readCount(headers, 'ratelimit-remaining')
  const resetSeconds = readCount(headers, 'ratelimit-reset')
  if (limit === null || remaining === null || resetSeconds === null) return null
  return { limit, remaining, resetSeconds }
}

/**
 * Which quota the headers tell of: those of a read tell of the requests, those of a write of
 * whichever has fewer left (D-9), those that belong to no account of the failed attempts (D-10).
 */
export const kindOfQuota = (
  { limit }: Quota,
  isWrite: boolean,
): 'requests' | 'writes' | 'failures' => {
  if (limit === FAILURES_PER_MINUTE) return 'failures'
  return isWrite && limit !== REQUESTS_PER_MINUTE ? 'writes' : 'requests'
}
