import { FAILED_CODES_WINDOW_MS, HOUR_MS, MINUTE_MS } from '../../contract/quotas.ts'
import { BoundedMap, chunksOf } from '../../domain/loading.ts'
import type { Share, ShareKind, ShareName } from '../../ports/quotas.ts'

/** Points spent since the last time. */
type Spending = ShareName & { readonly spent: number }

/** What all processes together have spent of a share. */
export type Settled = Spending & { readonly resetMs: number }

/** Adds to what all processes have spent; returns the sums. */
type Settle = (spendings: readonly Spending[], now: number) => Promise<readonly Settled[]>

export const shareWindowsMs: Readonly<Record<ShareKind, number>> = {
  site: MINUTE_MS,
  edits: MINUTE_MS,
  failed_codes: FAILED_CODES_WINDOW_MS,
  new_beatmaps: HOUR_MS,
}

const MAX_NAMES = 100_000
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
