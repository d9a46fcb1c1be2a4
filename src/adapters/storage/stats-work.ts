import type { DuePack, StatsWork } from '../../ports/stats.ts'
import type { Db, Engine } from './engine.ts'
import { publicKey } from './list-key.ts'
import { toSavedPack } from './pack-row.ts'
import { sharedNumbers } from './shared-number.ts'
import { statsWorkQueries } from './stats-work-queries.ts'

/** So many packs are marked in one transaction: saves go on in between. */
const MARKED_AT_ONCE = 1_000

/** The packs whose stats are to be computed, in an SQL database: their own rows are the queue. */
export const createStatsWork = ({ db, read, write }: Engine): StatsWork => {
  const queries = statsWorkQueries(db)
  const numbers = sharedNumbers(db)

  const take = async (tx: Db, id: number, leaseUntil: number): Promise<DuePack[]> => {
    const [taken] = await queries.take(tx, { id, leaseUntil })
    const [row] = await queries.byId(tx, { id })
    return taken && row ? [{ pack: toSavedPack(row), ...taken }] : []
  }

  const markAll = async (now: number): Promise<number> => {
    let marked = 0
    let after = 0
    for (;;) {
      const from = after
      const rows = await write('packs', (tx) =>
        queries.markSome(tx, { after: from, now, limit: MARKED_AT_ONCE }),
      )
      marked += rows.length
      if (rows.length < MARKED_AT_ONCE) return marked
      after = rows.reduce((highest, { id }) => Math.max(highest, id), after)
    }
  }

  return {
    takeDue: (now, leaseUntil, limit) =>
      write('packs', async (tx) => {
        const forsaken = await queries.forsaken(tx, { now, limit })
        const free = await queries.freeAndDue(tx, { now, limit })
        const chosen = [...forsaken, ...free]
          .toSorted((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0))
          .slice(0, limit)
        const taken: DuePack[] = []
        for (const { id } of chosen) taken.push(...(await take(tx, id, leaseUntil)))
        return taken
      }),

    settle: ({ pack: { slug, updatedAt }, lease }, { stats, dueAt, attempts }) =>
      write('packs', async (tx) => {
        const text = stats === null ? null : JSON.stringify(stats)
        const end = { slug, updatedAt, lease, stats: text, dueAt, attempts }
        const [row] = await queries.settle(tx, end)
        if (row === undefined) return false
        if (stats !== null && publicKey(row) !== null) await numbers.bumpIndex(tx)
        return true
      }),

    async markDue(slug, now) {
      if (slug === null) return markAll(now)
      const rows = await write('packs', (tx) => queries.markOne(tx, { slug, now }))
      return rows.length
    },

    backlog: (now) =>
      read(async (tx) => {
        const parts = [...(await queries.free(tx, { now })), ...(await queries.held(tx, { now }))]
        const sum = (of: 'due' | 'total') => parts.reduce((all, part) => all + part[of], 0)
        const due = sum('due')
        const oldest = Math.min(...parts.map(({ oldestDueAt }) => oldestDueAt ?? Infinity))
        return { length: due, oldestDueAt: due === 0 ? null : oldest, total: sum('total') }
      }),

    nextDueAt: () =>
      read(async (tx) => {
        const moments = [...(await queries.firstFree(tx, {})), ...(await queries.firstHeld(tx, {}))]
        const known = moments.flatMap(({ at }) => at ?? [])
        return known.length === 0 ? null : Math.min(...known)
      }),
  }
}
