import { sql } from 'kysely'
import type { DuePack, StatsWork } from '../../../ports/stats.ts'
import type { Db, Engine } from '../engine.ts'
import { prepareQuery } from '../query.ts'
import { packsWithOwner, toSavedPack } from './pack-queries.ts'
import { publicKey } from './public-list.ts'
import { sharedNumbers } from './shared-numbers.ts'

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
        const expired = await queries.expired(tx, { now, limit })
        const free = await queries.freeAndDue(tx, { now, limit })
        const chosen = [...expired, ...free]
          .toSorted((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0))
          .slice(0, limit)
        const taken: DuePack[] = []
        for (const { id } of chosen) taken.push(...(await take(tx, id, leaseUntil)))
        return taken
      }),

    finish: ({ pack: { slug, updatedAt }, lease }, { stats, dueAt, attempts }) =>
      write('packs', async (tx) => {
        const text = stats === null ? null : JSON.stringify(stats)
        const end = { slug, updatedAt, lease, stats: text, dueAt, attempts }
        const [row] = await queries.finish(tx, end)
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

/** How work on a pack ended, as its row tells. */
type WorkEnd = {
  readonly slug: string
  readonly updatedAt: number
  readonly lease: number
  /** JSON; null leaves those it has. */
  readonly stats: string | null
  readonly dueAt: number | null
  readonly attempts: number
}

/** The queries over the queue of stats work, compiled once. */
const statsWorkQueries = (db: Db) => {
  // Written out, not bound: only so do the engines see that an index holds these packs alone.
  const nobody = sql.lit(0)
  const free = db
    .selectFrom('pack')
    .where('stats_due_at', 'is not', null)
    .where('stats_lease_until', '=', nobody)
  const held = db.selectFrom('pack').where('stats_lease_until', '>', nobody)

  return {
    /** The longest due first. */
    freeAndDue: prepareQuery((ask: { now: number; limit: number }) =>
      free
        .select(['id', 'stats_due_at as dueAt'])
        .where('stats_due_at', '<=', ask.now)
        .orderBy('stats_due_at')
        .orderBy('id')
        .limit(ask.limit),
    ),

    /** Those that somebody took and has not settled in time. */
    expired: prepareQuery((ask: { now: number; limit: number }) =>
      held
        .select(['id', 'stats_due_at as dueAt'])
        .where('stats_lease_until', '<=', ask.now)
        .orderBy('stats_lease_until')
        .orderBy('id')
        .limit(ask.limit),
    ),

    take: prepareQuery((key: { id: number; leaseUntil: number }) =>
      db
        .updateTable('pack')
        .set((eb) => ({
          stats_lease_until: key.leaseUntil,
          stats_lease_token: eb('stats_lease_token', '+', 1),
          stats_attempts: eb('stats_attempts', '+', 1),
        }))
        .where('id', '=', key.id)
        .returning(['stats_attempts as attempt', 'stats_lease_token as lease']),
    ),

    byId: prepareQuery((key: { id: number }) => packsWithOwner(db).where('id', '=', key.id)),

    /** Returns no row when the pack has been saved, marked or taken since, or is gone. */
    finish: prepareQuery((end: WorkEnd) =>
      db
        .updateTable('pack')
        .set((eb) => ({
          stats: eb.fn.coalesce(eb.val(end.stats), 'stats'),
          stats_due_at: end.dueAt,
          stats_lease_until: 0,
          stats_attempts: end.attempts,
        }))
        .where('slug', '=', end.slug)
        .where('updated_at', '=', end.updatedAt)
        .where('stats_lease_token', '=', end.lease)
        .returning(['id', 'visibility', 'hidden_at', 'updated_at']),
    ),

    firstFree: prepareQuery(() =>
      free.select('stats_due_at as at').orderBy('stats_due_at').limit(1),
    ),

    firstHeld: prepareQuery(() =>
      held.select('stats_lease_until as at').orderBy('stats_lease_until').limit(1),
    ),

    free: prepareQuery((ask: { now: number }) =>
      free.select((eb) => [
        eb.fn.countAll<number>().as('total'),
        eb.fn.countAll<number>().filterWhere('stats_due_at', '<=', ask.now).as('due'),
        eb.fn.min('stats_due_at').as('oldestDueAt'),
      ]),
    ),

    held: prepareQuery((ask: { now: number }) =>
      held.select((eb) => [
        eb.fn.countAll<number>().as('total'),
        eb.fn.countAll<number>().filterWhere('stats_due_at', '<=', ask.now).as('due'),
        eb.fn.min('stats_due_at').as('oldestDueAt'),
      ]),
    ),

    markOne: prepareQuery((ask: { slug: string; now: number }) =>
      db
        .updateTable('pack')
        .set((eb) => ({
          stats_due_at: ask.now,
          stats_lease_until: 0,
          stats_lease_token: eb('stats_lease_token', '+', 1),
          stats_attempts: 0,
        }))
        .where('slug', '=', ask.slug)
        .returning('id'),
    ),

    /** Marks the next packs behind this id, in the order of their ids. */
    markSome: prepareQuery((ask: { after: number; now: number; limit: number }) =>
      db
        .updateTable('pack')
        .set((eb) => ({
          stats_due_at: ask.now,
          stats_lease_until: 0,
          stats_lease_token: eb('stats_lease_token', '+', 1),
          stats_attempts: 0,
        }))
        .where('id', 'in', (eb) =>
          eb
            .selectFrom('pack')
            .select('id')
            .where('id', '>', ask.after)
            .orderBy('id')
            .limit(ask.limit),
        )
        .returning('id'),
    ),
  }
}
