import {
  FAILURES_PER_MINUTE,
  NEW_KEYS_PER_HOUR,
  REQUESTS_PER_MINUTE,
  WRITES_PER_MINUTE,
} from '../../contract/quotas.ts'
import { type ServiceName, serviceNames } from '../../contract/services.ts'
import type { Admission, QuotaStore, Spent } from '../../ports/quota-store.ts'

/** Names remembered in one window; beyond it the one that came first is forgotten. */
const MOST_NAMES = 100_000

type Counters = {
  window: number
  spent: Map<string, { requests: number; writes: number }>
  failures: Map<string, number>
}

/** How many new keys there were in an hour, by account. */
type NewKeys = { hour: number; counts: Map<string, number> }

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

  const newKeys = Object.fromEntries(
    serviceNames.map((service) => [service, { hour: Number.NEGATIVE_INFINITY, counts: new Map() }]),
  ) as Record<ServiceName, NewKeys>

  const newKeysAt = (service: ServiceName, hour: number): Map<string, number> => {
    if (hour > newKeys[service].hour) newKeys[service] = { hour, counts: new Map() }
    return newKeys[service].counts
  }

  const spendOf = (
    service: ServiceName,
    accountId: string,
    isWrite: boolean,
    window: number,
  ): Admission => {
    const { spent } = at(service, window)
    let mine = spent.get(accountId)
    if (mine === undefined) {
      mine = { requests: 0, writes: 0 }
      spent.set(accountId, mine)
    }
    const refused = spend(mine, isWrite)
    return { accountId, spent: { requests: mine.requests, writes: mine.writes }, refused }
  }

  return {
    async admit(service, keyHash, isWrite, window) {
      const accountId = await findOwner(service, keyHash)
      return accountId === null ? null : spendOf(service, accountId, isWrite, window)
    },

    async spend(service, accountId, isWrite, window) {
      return spendOf(service, accountId, isWrite, window)
    },

    async spent(service, accountId, window) {
      const { requests, writes } = at(service, window).spent.get(accountId) ?? NOTHING
      return { requests, writes }
    },

    async countNewKey(service, accountId, hour) {
      return countOne(newKeysAt(service, hour), accountId, NEW_KEYS_PER_HOUR)
    },

    async newKeys(service, accountId, hour) {
      return Math.min(newKeysAt(service, hour).get(accountId) ?? 0, NEW_KEYS_PER_HOUR)
    },

    async countFailure(service, address, window) {
      return countOne(at(service, window).failures, address, FAILURES_PER_MINUTE)
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

const NOTHING: Spent = { requests: 0, writes: 0 }

/** Counts one more for this name, to one over the quota; says how many there are. */
const countOne = (counts: Map<string, number>, name: string, quota: number): number => {
  const before = counts.get(name) ?? 0
  if (before > quota) return before
  const oldest = counts.size >= MOST_NAMES ? counts.keys().next().value : undefined
  if (before === 0 && oldest !== undefined) counts.delete(oldest)
  counts.set(name, before + 1)
  return before + 1
}

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
