import { Failure } from '../contract/errors.ts'
import { REQUESTS_PER_MINUTE, WRITES_PER_MINUTE } from '../contract/quotas.ts'

const messages = {
  requests: `more than ${REQUESTS_PER_MINUTE} requests in this minute; wait for the next`,
  writes: `more than ${WRITES_PER_MINUTE} writes in this minute; wait for the next`,
}

/** What somebody is told whose quota is used up. */
export const quotaFailure = (quota: keyof typeof messages): Failure =>
  new Failure('rate_limited', messages[quota])
