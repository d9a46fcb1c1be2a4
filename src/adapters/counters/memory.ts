import { BoundedMap, chunksOf, whenKnown } from '../../domain/loading.ts'
import {
  FAILED_CODES_WINDOW_MS,
  FAILURES_PER_MINUTE,
  HOUR_MS,
  MINUTE_MS,
  NEW_KEYS_PER_HOUR,
  REQUESTS_PER_MINUTE,
  WRITES_PER_MINUTE,
} from '../../contract/quotas.ts'
import { type ServiceName, serviceNames } from '../../contract/services.ts'
import type { ApiKeyStore } from '../../ports/accounts.ts'
import type {
  Admission,
  Count,
  QuotaStore,
  Share,
  ShareKind,
  ShareName,
  Spent,
} from '../../ports/quotas.ts'

/** Names kept in one window of failures or new keys, and of shares. */
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

    async uncountNewKey(service, accountId, now) {
      const { byName } = newKeys[service](now)
      const count = Math.min(byName.peek(accountId) ?? 0, NEW_KEYS_PER_HOUR)
      if (count > 0) byName.set(accountId, count - 1)
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

/** Points spent since the last time. */
type ShareSpending = ShareName & { readonly spent: number }

/** What all processes together have spent of a share. */
export type Settled = ShareSpending & { readonly resetMs: number }

/** Adds to what all processes have spent; returns the sums. */
type Settle = (spendings: readonly ShareSpending[], now: number) => Promise<readonly Settled[]>

export const shareWindowsMs: Readonly<Record<ShareKind, number>> = {
  site: MINUTE_MS,
  edits: MINUTE_MS,
  failed_codes: FAILED_CODES_WINDOW_MS,
  new_beatmaps: HOUR_MS,
}

/** So often a process shares what was spent, while anything was. */
const SETTLE_EACH_MS = 1_000
const SETTLED_AT_ONCE = 500

type Entry = ShareName & { spent: number; unsettled: number; endsAt: number }

/**
 * Counts shares in memory, so that no request waits for a database. Where processes share one, each
 * settles with it once a second: what they spend within that second may exceed a share.
 */
export class ShareCounter {
  readonly #settle: Settle | null
  readonly #entries = new BoundedMap<string, Entry>({ maxEntries: MAX_NAMES })
  #dirty = new Set<Entry>()
  #isDue = false
  #lastNow = 0

  /** @param settle null: there is one process. */
  constructor(settle: Settle | null) {
    this.#settle = settle
  }

  /** Spends `cost` unless `limit` was reached before; a cost below 0 gives back, at most what was spent. */
  spend(name: ShareName, cost: number, limit: number, now: number): Share {
    this.#lastNow = now
    const entry = this.#entryOf(name, now)
    const resetMs = entry.endsAt - now
    const { spent } = entry
    if (spent >= limit) return { isRefused: true, resetMs, spent }
    const change = Math.max(cost, -spent)
    entry.spent += change
    entry.unsettled += change
    if (change !== 0) this.#settleSoon(entry)
    return { isRefused: false, resetMs, spent }
  }

  /** An entry that does not end within two windows was made by a clock that has been put right (D-53). */
  #entryOf(name: ShareName, now: number): Entry {
    const windowMs = shareWindowsMs[name.kind]
    const key = keyOf(name)
    const current = this.#entries.peek(key)
    if (current && now < current.endsAt && current.endsAt <= now + 2 * windowMs) return current
    const endsAt = (Math.floor(now / windowMs) + 1) * windowMs
    const entry = { ...name, spent: 0, unsettled: 0, endsAt }
    this.#entries.set(key, entry)
    return entry
  }

  #settleSoon(entry: Entry): void {
    if (this.#settle === null) return
    this.#dirty.add(entry)
    if (this.#isDue) return
    this.#isDue = true
    setTimeout(() => void this.#settleAll(this.#settle!), SETTLE_EACH_MS).unref()
  }

  async #settleAll(settle: Settle): Promise<void> {
    const dirty = [...this.#dirty]
    this.#dirty = new Set()
    try {
      for (const entries of chunksOf(dirty, SETTLED_AT_ONCE))
        await this.#settleSome(settle, entries)
    } catch {
      // A database that is away is noticed elsewhere; this process continues with its own counts.
    } finally {
      this.#isDue = false
      const [next] = this.#dirty
      if (next !== undefined) this.#settleSoon(next)
    }
  }

  async #settleSome(settle: Settle, entries: readonly Entry[]): Promise<void> {
    const begun = this.#lastNow
    // A window that is over is never asked for, and what was spent in it must not count in the next one.
    const present = new Map(
      entries.filter(({ endsAt }) => begun < endsAt).map((entry) => [keyOf(entry), entry]),
    )
    if (present.size === 0) return
    const spendings = Array.from(present.values(), (entry) => ({
      ...entry,
      spent: entry.unsettled,
    }))
    for (const entry of present.values()) entry.unsettled = 0
    for (const { spent, resetMs, ...name } of await settle(spendings, begun)) {
      // Not the entry by that name: a new window may have begun meanwhile.
      const entry = present.get(keyOf(name))
      if (entry === undefined) continue
      entry.spent = spent + entry.unsettled
      entry.endsAt = begun + resetMs
    }
  }
}

function keyOf({ kind, service, name }: ShareName): string {
  return `${kind} ${service} ${name}`
}
