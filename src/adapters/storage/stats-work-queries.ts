import { sql } from 'kysely'
import type { Db } from './engine.ts'
import { packsWithOwner } from './pack-queries.ts'
import { prepareQuery } from './prepared-query.ts'

/** How work on a pack ended, as its row tells. */
export type Settlement = {
  readonly slug: string
  readonly updatedAt: number
  readonly lease: number
  /** JSON; null leaves those it has. */
  readonly stats: string | null
  readonly dueAt: number | null
  readonly attempts: number
}

/** The queries over the queue of stats work, compiled once. */
export const statsWorkQueries = (db: Db) => {
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
    forsaken: prepareQuery((ask: { now: number; limit: number }) =>
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
    settle: prepareQuery((end: Settlement) =>
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
