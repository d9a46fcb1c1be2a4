import { sql } from 'kysely'
import type { SavedPack } from '../../../domain/packs.ts'
import type { DuePack, StatsBacklog, StatsResult, StatsWork } from '../../../ports/stats.ts'
import type { Db, Engine } from '../engine.ts'
import { prepareQueries } from '../query.ts'
import { packsWithOwner, toSavedPack } from './pack-queries.ts'
import { indexVersions, publicKey, type PublicKeyRow } from './public-list.ts'

/** In one transaction: other saves run in between. */
const MARKED_AT_ONCE = 1_000

export function createStatsWork({ db, write }: Engine): StatsWork {
  const queries = statsWorkQueries(db)
  const versions = indexVersions()

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
        const taken: DuePack[] = []
        for (const { id } of await queries.due(tx, { now, limit })) {
          taken.push(...(await take(tx, id, leaseUntil)))
        }
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

    async backlog(now) {
      const [backlog] = await queries.backlog(db, { now })
      return backlog ?? { length: 0, oldestDueAt: null, total: 0 }
    },

    async nextDueAt() {
      const [next] = await queries.next(db, {})
      return next?.at ?? null
    },
  }
}

function statsWorkQueries(db: Db) {
  // Written out, not bound: only so do the engines see that an index holds these packs alone.
  const isFree = sql`stats_due_at is not null and stats_lease_until = 0`
  const isHeld = sql`stats_lease_until > 0`

  const mark = (now: number) => sql`
    update pack set stats_due_at = ${now}, stats_lease_until = 0,
      stats_lease_token = stats_lease_token + 1, stats_attempts = 0`

  return prepareQueries({
    /** Those that are free, and those whose lease has expired; the longest due first. */
    due: ({ now, limit }: { now: number; limit: number }) => sql<{ id: number }>`
      select * from (
        select id, stats_due_at from pack where ${isFree} and stats_due_at <= ${now}
        order by stats_due_at, id limit ${limit}
      ) as free
      union all select * from (
        select id, stats_due_at from pack where ${isHeld} and stats_lease_until <= ${now}
        order by stats_lease_until, id limit ${limit}
      ) as expired
      order by stats_due_at, id limit ${limit}`,

    backlog: ({ now }: { now: number }) => sql<StatsBacklog>`
      select count(*) as total, count(*) filter (where stats_due_at <= ${now}) as length,
        min(stats_due_at) filter (where stats_due_at <= ${now}) as "oldestDueAt"
      from (
        select stats_due_at from pack where ${isFree}
        union all select stats_due_at from pack where ${isHeld}
      ) as work`,

    next: () => sql<{ at: number | null }>`
      select min(at) as at from (
        select min(stats_due_at) as at from pack where ${isFree}
        union all select min(stats_lease_until) from pack where ${isHeld}
      ) as moments`,

    take: ({ id, leaseUntil }: { id: number; leaseUntil: number }) => sql<Omit<DuePack, 'pack'>>`
      update pack set stats_lease_until = ${leaseUntil},
        stats_lease_token = stats_lease_token + 1, stats_attempts = stats_attempts + 1
      where id = ${id} returning stats_attempts as attempt, stats_lease_token as lease`,

    byId: ({ id }: { id: number }) => packsWithOwner(db).where('id', '=', id),

    /** Returns no row when the pack has been saved, marked or taken since, or is gone. */
    finish: (end: FinishedWork) => sql<PublicKeyRow>`
      update pack set stats = coalesce(${end.stats}, stats), stats_due_at = ${end.dueAt},
        stats_lease_until = 0, stats_attempts = ${end.attempts}
      where slug = ${end.slug} and updated_at = ${end.updatedAt} and stats_lease_token = ${end.lease}
      returning id, visibility, hidden_at as "hiddenAt", updated_at as "updatedAt"`,

    markOne: ({ slug, now }: { slug: string; now: number }) =>
      sql<{ id: number }>`${mark(now)} where slug = ${slug} returning id`,

    /** Marks the next packs after this id, in the order of their ids. */
    markSome: ({ after, now, limit }: { after: number; now: number; limit: number }) =>
      sql<{ id: number }>`${mark(now)}
        where id in (select id from pack where id > ${after} order by id limit ${limit})
        returning id`,
  })
}

type FinishedWork = Omit<StatsResult, 'stats'> &
  Pick<SavedPack, 'slug' | 'updatedAt'> &
  Pick<DuePack, 'lease'> & {
    /** JSON; null leaves those it has. */
    stats: string | null
  }
