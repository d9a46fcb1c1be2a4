import type { SavedPack } from '../../src/domain/packs.ts'
import type { DuePack, StatsBacklog, StatsResult, StatsWork } from '../../src/ports/stats.ts'

type Row = {
  pack: SavedPack
  dueAt: number | null
  leaseUntil: number
  lease: number
  attempts: number
  askAgainAt: number | null
}

/** Packs whose stats are due, for as long as the test runs. */
export class MemoryStatsWork implements StatsWork {
  readonly #rows = new Map<string, Row>()
  /** Slugs in the order in which they were settled. */
  readonly settled: string[] = []
  /** Slugs that a recomputation has not come to yet, the next one last. */
  #left: string[] = []

  /** Saves a pack, for the first time or again. */
  save(pack: SavedPack, now: number): void {
    this.#rows.set(pack.slug, {
      pack,
      dueAt: now,
      leaseUntil: 0,
      lease: 0,
      attempts: 0,
      askAgainAt: null,
    })
  }

  row(slug: string): Row {
    const row = this.#rows.get(slug)
    if (row === undefined) throw new Error(`no pack ${slug}`)
    return row
  }

  async takeDue(now: number, leaseUntil: number, limit: number): Promise<readonly DuePack[]> {
    const rows = [...this.#rows.values()]
      .filter((row) => row.dueAt !== null && row.dueAt <= now && row.leaseUntil <= now)
      .toSorted((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0))
      .slice(0, limit)
    for (const row of rows) {
      row.leaseUntil = leaseUntil
      row.lease += 1
      row.attempts += 1
    }
    return rows.map(({ pack, attempts, lease }) => ({ pack, attempt: attempts, lease }))
  }

  async finish({ pack, lease }: Omit<DuePack, 'attempt'>, result: StatsResult): Promise<boolean> {
    const row = this.#rows.get(pack.slug)
    if (row === undefined || row.pack.updatedAt !== pack.updatedAt) return false
    if (row.lease !== lease) return false
    this.settled.push(pack.slug)
    row.pack = { ...row.pack, stats: result.stats ?? row.pack.stats }
    row.dueAt = result.dueAt
    row.attempts = result.attempts
    row.askAgainAt = result.askAgainAt ?? null
    row.leaseUntil = 0
    return true
  }

  async markDue(slug: string | null, now: number): Promise<number> {
    const rows = [...this.#rows.values()].filter(({ pack }) => slug === null || pack.slug === slug)
    for (const row of rows) {
      const lease = row.lease + 1
      Object.assign(row, { dueAt: now, leaseUntil: 0, lease, attempts: 0 })
    }
    return rows.length
  }

  /** When packs are to be asked about again. */
  askAgainTimes(): number[] {
    return [...this.#rows.values()].flatMap(({ askAgainAt }) => askAgainAt ?? [])
  }

  async askAgain(now: number, limit: number): Promise<number> {
    const rows = [...this.#rows.values()]
      .filter(({ askAgainAt }) => askAgainAt !== null && askAgainAt <= now)
      .toSorted((a, b) => (a.askAgainAt ?? 0) - (b.askAgainAt ?? 0))
      .slice(0, limit)
    for (const row of rows) Object.assign(row, { dueAt: row.dueAt ?? now, askAgainAt: null })
    return rows.length
  }

  async beginRecomputation(): Promise<void> {
    this.#left = [...this.#rows.keys()]
  }

  async markNext(now: number, limit: number): Promise<number> {
    const slugs = this.#left.splice(Math.max(0, this.#left.length - limit)).toReversed()
    for (const slug of slugs) await this.markDue(slug, now)
    return slugs.length
  }

  async leftToMark(): Promise<number> {
    return this.#left.length
  }

  async backlog(now: number, withinMs = 0): Promise<StatsBacklog> {
    const dueAts = [...this.#rows.values()].flatMap(({ dueAt }) => dueAt ?? [])
    const due = dueAts.filter((dueAt) => dueAt <= now + withinMs)
    return {
      length: due.length,
      oldestDueAt: due.length === 0 ? null : Math.min(...due),
      total: dueAts.length,
    }
  }

  async nextDueAt(_now: number): Promise<number | null> {
    const moments = [...this.#rows.values()].flatMap(({ dueAt, leaseUntil }) =>
      dueAt === null ? [] : [Math.max(dueAt, leaseUntil)],
    )
    return moments.length === 0 ? null : Math.min(...moments)
  }
}
