import { Failure } from '../contract/errors.ts'
import {
  ACCOUNT_POINTS_PER_MINUTE,
  ADDRESS_POINTS_PER_MINUTE,
  ANONYMOUS_NEW_BEATMAPS_PER_HOUR,
  NEW_BEATMAPS_PER_HOUR,
  type SiteCost,
  siteCosts,
} from '../contract/quotas.ts'
import type { ServiceName } from '../contract/services.ts'
import {
  hourResetSeconds,
  isAccount,
  minuteResetSeconds,
  type QuotaReport,
  type Requester,
} from '../domain/quotas.ts'
import type { QuotaStore } from '../ports/quotas.ts'
import type { Clock } from '../ports/system.ts'

type SharePorts = { readonly quotas: QuotaStore; readonly clock: Clock }

/** A share that is used up: what the headers say, and what the answer is. */
export type ShareRefusal = { readonly quota: QuotaReport; readonly failure: Failure }

/** Spends what a request to the site costs (D-56); null when the request may go on. */
export function spendSiteShare(
  { quotas, clock }: SharePorts,
  service: ServiceName,
  requester: Requester,
  cost: SiteCost,
): ShareRefusal | null {
  const limit = isAccount(requester) ? ACCOUNT_POINTS_PER_MINUTE : ADDRESS_POINTS_PER_MINUTE
  const share = { kind: 'site', service, name: requester } as const
  const { isRefused, resetMs } = quotas.spendShare(share, siteCosts[cost], limit, clock.now())
  if (!isRefused) return null
  const resetSeconds = minuteResetSeconds(resetMs)
  const who = isAccount(requester) ? 'your account' : 'your network'
  const message = `too many requests from ${who} in this minute; wait ${resetSeconds} seconds`
  return {
    quota: { limit, remaining: 0, resetSeconds },
    failure: new Failure('rate_limited', message, resetSeconds),
  }
}

/** Stands for all who are not signed in. */
const EVERYBODY = 'anonymous'

/**
 * Counts beatmaps that a visitor adds to the cache: those who are not signed in have so many in an
 * hour, each address and all together. A count of 0 only asks.
 *
 * @returns in how many seconds there may be more, when there may be none now; else null.
 */
export function spendNewBeatmaps(
  { quotas, clock }: SharePorts,
  requester: Requester,
  count: number,
): number | null {
  if (isAccount(requester)) return null
  const now = clock.now()
  const shares = [
    [requester, NEW_BEATMAPS_PER_HOUR],
    [EVERYBODY, ANONYMOUS_NEW_BEATMAPS_PER_HOUR],
  ] as const
  const refused = shares
    .map(([name, limit]) =>
      quotas.spendShare({ kind: 'new_beatmaps', service: 'packs', name }, count, limit, now),
    )
    .filter(({ isRefused }) => isRefused)
  if (refused.length === 0) return null
  return hourResetSeconds(Math.max(...refused.map(({ resetMs }) => resetMs)))
}
