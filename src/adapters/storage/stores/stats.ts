import { type RawBuilder, sql } from 'kysely'
import type { DuePack, StatsBacklog, StatsResult, StatsWork } from '../../../ports/stats.ts'
import type { Db, Engine } from '../engine.ts'
import { prepareQuery, prepareSql } from '../query.ts'
import { packsWithOwner, toSavedPack } from './pack-queries.ts'
import { indexVersions, publicKey, publicKeyColumns } from './public-list.ts'

/** So many packs are marked in one transaction: other saves run in between. */
const MARKED_AT_ONCE = 1_000

/** The packs whose stats are to be computed, in an SQL database: their own rows are the queue. */
export function createStatsWork({ db, read, write }: Engine): StatsWork {
  const queries = statsWorkQueries(db)
  const versions = indexVersions(db)

  async function take(tx: Db, id: number, leaseUntil: number): Promise<DuePack[]> {
    const [taken] = await queries.take(tx, { id, leaseUntil })
    const [row] = await queries.byId(tx, { id })
    return taken && row ? [{ pack: toSavedPack(row), ...taken }] : []
  }

  async function markAll(now: number): Promise<number> {
    let marked = 0
    for (let after = 0; ;) {
      const portion = { after, now, limit: MARKED_AT_ONCE }
      const rows = await write('packs', (tx) => queries.markSome(tx, portion))
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
        const chosen = [...expired, ...free].toSorted((a, b) => a.dueAt - b.dueAt).slice(0, limit)
        const taken: DuePack[] = []
        for (const { id } of chosen) taken.push(...(await take(tx, id, leaseUntil)))
        return taken
      }),

    finish: ({ pack: { slug, updatedAt }, lease }, { stats, dueAt, attempts }) =>
      write('packs', async (tx) => {
        const text = stats && JSON.stringify(stats)
        const end = { slug, updatedAt, lease, stats: text, dueAt, attempts }
        const [row] = await queries.finish(tx, end)
        if (row === undefined) return false
        if (stats !== null && publicKey(row) !== null) await versions.bump(tx)
        return true
      }),

    async markDue(slug, now) {
      if (slug === null) return markAll(now)
      return (await write('packs', (tx) => queries.markOne(tx, { slug, now }))).length
    },

    backlog: (now) =>
      read(async (tx) => {
        const parts = [...(await queries.free(tx, { now })), ...(await queries.held(tx, { now }))]
        const sum = (of: 'length' | 'total') => parts.reduce((all, part) => all + part[of], 0)
        const length = sum('length')
        const oldest = Math.min(...parts.map(({ oldestDueAt }) => oldestDueAt ?? Infinity))
        return { length, oldestDueAt: length === 0 ? null : oldest, total: sum('total') }
      }),

    nextDueAt: () =>
      read(async (tx) => {
        const moments = [...(await queries.firstFree(tx, {})), ...(await queries.firstHeld(tx, {}))]
        return moments.length === 0 ? null : Math.min(...moments.map(({ at }) => at))
      }),
  }
}

/** The queries over the queue of stats work, compiled once. */
function statsWorkQueries(db: Db) {
  // Written out, not bound: only so do the engines see that an index holds these packs alone.
  const isFree = sql`stats_due_at is not null and stats_lease_until = 0`
  const isHeld = sql`stats_lease_until > 0`

  /** The packs of which `moment` has passed, the earliest first. */
  const passed = (condition: RawBuilder<unknown>, moment: RawBuilder<unknown>) =>
    prepareSql(
      db,
      ({ now, limit }: { now: number; limit: number }) => sql<{ id: number; dueAt: number }>`
        select id, stats_due_at as "dueAt" from pack where ${condition} and ${moment} <= ${now}
        order by ${moment}, id limit ${limit}`,
    )

  const first = (condition: RawBuilder<unknown>, moment: RawBuilder<unknown>) =>
    prepareSql(
      db,
      () => sql<{ at: number }>`
        select ${moment} as at from pack where ${condition} order by ${moment} limit 1`,
    )

  const count = (condition: RawBuilder<unknown>) =>
    prepareSql(
      db,
      ({ now }: { now: number }) => sql<StatsBacklog>`
        select count(*) as total, count(*) filter (where stats_due_at <= ${now}) as length,
          min(stats_due_at) as "oldestDueAt"
        from pack where ${condition}`,
    )

  const mark = (now: number) =>
    db.updateTable('pack').set((eb) => ({
      stats_due_at: now,
      stats_lease_until: 0,
      stats_lease_token: eb('stats_lease_token', '+', 1),
      stats_attempts: 0,
    }))

  return {
    freeAndDue: passed(isFree, sql`stats_due_at`),
    /** Those whose lease has expired. */
    expired: passed(isHeld, sql`stats_lease_until`),
    firstFree: first(isFree, sql`stats_due_at`),
    firstHeld: first(isHeld, sql`stats_lease_until`),
    free: count(isFree),
    held: count(isHeld),

    take: prepareSql(
      db,
      ({ id, leaseUntil }: { id: number; leaseUntil: number }) => sql<Omit<DuePack, 'pack'>>`
        update pack set stats_lease_until = ${leaseUntil},
          stats_lease_token = stats_lease_token + 1, stats_attempts = stats_attempts + 1
        where id = ${id} returning stats_attempts as attempt, stats_lease_token as lease`,
    ),

    byId: prepareQuery(({ id }: { id: number }) => packsWithOwner(db).where('id', '=', id)),

    /** Returns no row when the pack has been saved, marked or taken since, or is gone. */
    finish: prepareQuery(
      (
        end: Omit<StatsResult, 'stats'> & {
          slug: string
          updatedAt: number
          lease: number
          /** JSON; null leaves those it has. */
          stats: string | null
        },
      ) =>
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
          .returning(publicKeyColumns),
    ),

    markOne: prepareQuery(({ slug, now }: { slug: string; now: number }) =>
      mark(now).where('slug', '=', slug).returning('id'),
    ),

    /** Marks the next packs after this id, in the order of their ids. */
    markSome: prepareQuery((portion: { after: number; now: number; limit: number }) =>
      mark(portion.now)
        .where('id', 'in', (eb) =>
          eb
            .selectFrom('pack')
            .select('id')
            .where('id', '>', portion.after)
            .orderBy('id')
            .limit(portion.limit),
        )
        .returning('id'),
    ),
  }
}
