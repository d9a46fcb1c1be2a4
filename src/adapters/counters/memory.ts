import { BoundedMap, whenKnown } from '../../domain/loading.ts'
import {
  FAILURES_PER_MINUTE,
  HOUR_MS,
  MINUTE_MS,
  NEW_KEYS_PER_HOUR,
  REQUESTS_PER_MINUTE,
  WRITES_PER_MINUTE,
} from '../../contract/quotas.ts'
import { type ServiceName, serviceNames } from '../../contract/services.ts'
import type { ApiKeyStore } from '../../ports/keys.ts'
import type { Admission, Count, QuotaStore, Spent } from '../../ports/quotas.ts'
import { ShareCounter } from './shares.ts'

/** Names kept in one window of failures or new keys. */
const MAX_NAMES = 100_000

type Spending = { requests: number; writes: number }

/** Quotas counted in the memory of one process, by the clock of its callers. */
export function createMemoryQuotaStore(apiKeys: Pick<ApiKeyStore, 'findOwner'>): QuotaStore {
  const spendings = eachService(() => createWindow<Spending>(MINUTE_MS, Infinity))
  const failures = eachService(() => createWindow<number>(MINUTE_MS, MAX_NAMES))
  const newKeys = eachService(() => createWindow<number>(HOUR_MS, MAX_NAMES))
  const shares = new ShareCounter(null)

  function spend(
    service: ServiceName,
    accountId: string,
    isWrite: boolean,
    now: number,
  ): Admission {
    const { byName, resetMs } = spendings[service](now)
    let mine = byName.peek(accountId)
    if (mine === undefined) {
      mine = { requests: 0, writes: 0 }
      byName.set(accountId, mine)
    }
    const refused = spendFrom(mine, isWrite)
    return { accountId, spent: { ...mine }, refused, resetMs }
  }

  return {
    admit(service, keyHash, isWrite, now) {
      return whenKnown(apiKeys.findOwner(service, keyHash), (accountId) =>
        accountId === null ? null : spend(service, accountId, isWrite, now),
      )
    },

    async spend(service, accountId, isWrite, now) {
      return spend(service, accountId, isWrite, now)
    },

    async spent(service, accountId, now) {
      const { byName, resetMs } = spendings[service](now)
      return { ...(byName.peek(accountId) ?? NOTHING), resetMs }
    },

    async countNewKey(service, accountId, now) {
      return countOne(newKeys[service](now), accountId, NEW_KEYS_PER_HOUR)
    },

    async newKeys(service, accountId, now) {
      const { byName, resetMs } = newKeys[service](now)
      return { count: Math.min(byName.peek(accountId) ?? 0, NEW_KEYS_PER_HOUR), resetMs }
    },

    async countFailure(service, address, now) {
      return countOne(failures[service](now), address, FAILURES_PER_MINUTE)
    },

    failures(service, address, now) {
      const { byName, resetMs } = failures[service](now)
      return { count: byName.peek(address) ?? 0, resetMs }
    },

    spendShare: (share, cost, limit, now) => shares.spend(share, cost, limit, now),
  }
}

const NOTHING: Spent = { requests: 0, writes: 0 }

/** The counters of the present window, by name. */
type Window<V> = { readonly byName: BoundedMap<string, V>; readonly resetMs: number }

function eachService<T>(make: () => T): Record<ServiceName, T> {
  return Object.fromEntries(serviceNames.map((service) => [service, make()])) as Record<
    ServiceName,
    T
  >
}

/** Counters last while the clock is in their window or the one before; else begin anew (D-53). */
function createWindow<V>(windowMs: number, maxEntries: number): (now: number) => Window<V> {
  let window = Number.NaN
  let byName = new BoundedMap<string, V>({ maxEntries })
  return (now) => {
    const present = Math.floor(now / windowMs)
    if (window !== present && window !== present + 1) {
      window = present
      byName = new BoundedMap({ maxEntries })
    }
    return { byName, resetMs: (window + 1) * windowMs - now }
  }
}

/** Counts one more for this name, to one over the quota. */
function countOne({ byName, resetMs }: Window<number>, name: string, quota: number): Count {
  const before = byName.peek(name) ?? 0
  if (before > quota) return { count: before, resetMs }
  byName.set(name, before + 1)
  return { count: before + 1, resetMs }
}

/** Spends what there is left to spend (D-8); names the quota that was used up. */
function spendFrom(mine: Spending, isWrite: boolean): Admission['refused'] {
  if (mine.requests >= REQUESTS_PER_MINUTE) return 'requests'
  mine.requests += 1
  if (!isWrite) return null
  if (mine.writes >= WRITES_PER_MINUTE) return 'writes'
  mine.writes += 1
  return null
}
