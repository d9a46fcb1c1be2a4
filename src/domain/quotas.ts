import type { SiteQuota } from '../contract/accounts.ts'
import {
  DAY_MS,
  FAILED_CODES_WINDOW_MS,
  FAILURES_PER_MINUTE,
  HOUR_MS,
  MINUTE_MS,
  REQUESTS_PER_MINUTE,
  WRITES_PER_MINUTE,
} from '../contract/quotas.ts'
import { BoundedMap } from './loading.ts'

/** A point in time as it goes over the wire: ISO 8601, UTC, milliseconds. */
export const timestamp = (ms: number): string => new Date(ms).toISOString()

/** The day that a moment lies in, by UTC: whole days since the epoch. */
export const dayOf = (now: number): number => Math.floor(now / DAY_MS)

/** What the `RateLimit-*` headers say. */
export type QuotaReport = {
  readonly limit: number
  readonly remaining: number
  /** Whole seconds to the top of the next minute, 1 to 60 (D-9). */
  readonly resetSeconds: number
}

/** At most as many as the window has: after a clock was set back, a counter may be in the next. */
const wholeSeconds = (resetMs: number, windowMs: number): number =>
  Math.min(Math.max(1, Math.ceil(resetMs / 1000)), windowMs / 1000)

/** Whole seconds to the reset of a counter in minutes, 1 to 60 (D-9). */
export const minuteResetSeconds = (resetMs: number): number => wholeSeconds(resetMs, MINUTE_MS)

/** Whole seconds to the reset of a counter in hours, 1 to 3600 (spec 8). */
export const hourResetSeconds = (resetMs: number): number => wholeSeconds(resetMs, HOUR_MS)

/** Whole seconds to the reset of a counter of failed codes, 1 to 600 (D-91). */
export const failedCodesResetSeconds = (resetMs: number): number =>
  wholeSeconds(resetMs, FAILED_CODES_WINDOW_MS)

/** The requests quota; for a write the one with less left, on a tie the write quota (D-9). */
export function reportAccount(
  spent: { requests: number; writes: number },
  isWrite: boolean,
  resetMs: number,
): QuotaReport {
  const { requests, writes, resetSeconds } = presentQuota(spent, resetMs)
  const { limit, left } = isWrite && writes.left <= requests.left ? writes : requests
  return { limit, remaining: left, resetSeconds }
}

/** What the headers say after a wait: in a later window the quota is full again, as far as is known here. */
export function reportLater(quota: QuotaReport, waitedMs: number): QuotaReport {
  const resetMs = quota.resetSeconds * 1000 - waitedMs
  if (resetMs > 0) return { ...quota, resetSeconds: minuteResetSeconds(resetMs) }
  const { limit } = quota
  const resetSeconds = minuteResetSeconds(MINUTE_MS + (resetMs % MINUTE_MS))
  return { limit, remaining: limit, resetSeconds }
}

/** The failed-attempt quota of an address (D-5, D-10). */
export const reportAddress = ({ count, resetMs }: FailureCount): QuotaReport => ({
  limit: FAILURES_PER_MINUTE,
  remaining: Math.max(0, FAILURES_PER_MINUTE - count),
  resetSeconds: minuteResetSeconds(resetMs),
})

type FailureCount = { readonly count: number; readonly resetMs: number }

/** The same when the counter cannot be asked: an unused one, until the top of the next minute (D-9). */
export function reportUncounted(now: number): QuotaReport {
  const sinceTop = ((now % MINUTE_MS) + MINUTE_MS) % MINUTE_MS
  return reportAddress({ count: 0, resetMs: MINUTE_MS - sinceTop })
}

/** Both quotas of an account, for its own page. */
export const presentQuota = (
  spent: { requests: number; writes: number },
  resetMs: number,
): SiteQuota => ({
  requests: shareLeft(REQUESTS_PER_MINUTE, spent.requests),
  writes: shareLeft(WRITES_PER_MINUTE, spent.writes),
  resetSeconds: minuteResetSeconds(resetMs),
})

function shareLeft(limit: number, spent: number) {
  return { limit, left: Math.max(0, limit - spent) }
}

/** Who asks, as fair shares are counted (D-56): an account, or the address of one not signed in. */
export type Requester = `account ${string}` | `address ${string}`

/** @param address where the request came from; only counts when there is no account. */
export function requesterOf(accountId: string | null, address: string): Requester {
  return accountId === null ? `address ${address}` : `account ${accountId}`
}

/** The /48 of an IPv6 address, of whose /64 an address as it is counted has the four groups; null for all others. */
export function networkOf(address: string): string | null {
  const groups = address.split(':')
  return groups.length === 4 ? `${groups.slice(0, 3).join(':')}::/48` : null
}

export function isAccount(requester: string): boolean {
  return requester.startsWith('account ')
}

type Allowance = {
  /** Of one second, how many ms each name may use in the long run. */
  readonly msPerSecond: number
  /** What a name that was idle may use at once. */
  readonly burstMs: number
}

const MAX_NAMES = 100_000

/** How much CPU time each of many names may use: token buckets, which may be overdrawn. Times are in ms. */
export class CpuAllowance {
  readonly #allowance: Allowance
  /** When the bucket of a name will be full. */
  readonly #fullAt = new BoundedMap<string, number>({ maxEntries: MAX_NAMES })

  constructor(allowance: Allowance) {
    this.#allowance = allowance
  }

  /** @param now of a clock that never goes back. */
  charge(name: string, ms: number, now: number): void {
    const since = Math.max(this.#fullAt.peek(name) ?? now, now)
    this.#fullAt.set(name, since + ms / this.#rate)
  }

  /** How long until the name has something left; 0 if it has. */
  waitMs(name: string, now: number): number {
    const fullAt = this.#fullAt.peek(name) ?? now
    return Math.max(0, fullAt - now - this.#allowance.burstMs / this.#rate)
  }

  get #rate(): number {
    return this.#allowance.msPerSecond / 1000
  }
}
