import {
  FAILURES_PER_MINUTE,
  REQUESTS_PER_MINUTE,
  WRITES_PER_MINUTE,
} from '../../contract/quotas.ts'
import { type ServiceName, serviceNames } from '../../contract/services.ts'
import type { Admission, QuotaStore, Spent } from '../../ports/quota-store.ts'

/** Addresses remembered in one window; beyond it the one that failed first is forgotten. */
const MOST_ADDRESSES = 100_000

type Counters = {
  window: number
  spent: Map<string, { requests: number; writes: number }>
  failures: Map<string, number>
}

/**
 * Quotas counted in the memory of one process. Counters of a minute that is over are dropped.
 *
 * @param findOwner whose live key has this hash; null when nobody's.
 */
export const createMemoryQuotaStore = (
  findOwner: (service: ServiceName, keyHash: string) => Promise<string | null>,
): QuotaStore => {
  const counters = Object.fromEntries(
    serviceNames.map((service) => [service, newCounters(Number.NEGATIVE_INFINITY)]),
  ) as Record<ServiceName, Counters>

  /** The counters of the latest window seen, begun anew when this one is later. */
  const at = (service: ServiceName, window: number): Counters => {
    if (window > counters[service].window) counters[service] = newCounters(window)
    return counters[service]
  }

  return {
    async admit(service, keyHash, isWrite, window) {
      const accountId = await findOwner(service, keyHash)
      if (accountId === null) return null
      const { spent } = at(service, window)
      let mine = spent.get(accountId)
      if (mine === undefined) {
        mine = { requests: 0, writes: 0 }
        spent.set(accountId, mine)
      }
      const refused = spend(mine, isWrite)
      return { accountId, spent: { requests: mine.requests, writes: mine.writes }, refused }
    },

    async countFailure(service, address, window) {
      const { failures } = at(service, window)
      const before = failures.get(address) ?? 0
      if (before > FAILURES_PER_MINUTE) return before
      const oldest = failures.size >= MOST_ADDRESSES ? failures.keys().next().value : undefined
      if (before === 0 && oldest !== undefined) failures.delete(oldest)
      failures.set(address, before + 1)
      return before + 1
    },

    async failures(service, address, window) {
      return at(service, window).failures.get(address) ?? 0
    },
  }
}

const newCounters = (window: number): Counters => ({
  window,
  spent: new Map(),
  failures: new Map(),
})

/** Spends what there is left to spend (D-8); names the quota that was used up. */
const spend = (
  mine: { -readonly [K in keyof Spent]: number },
  isWrite: boolean,
): Admission['refused'] => {
  if (mine.requests >= REQUESTS_PER_MINUTE) return 'requests'
  mine.requests += 1
  if (!isWrite) return null
  if (mine.writes >= WRITES_PER_MINUTE) return 'writes'
  mine.writes += 1
  return null
}
