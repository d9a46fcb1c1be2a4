import { setTimeout as pause } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import {
  type Db,
  type Engine,
  Line,
  type Realm,
  statementLog,
  type StoreObserver,
} from '../engine.ts'
import type { Tables } from '../tables.ts'
import { isCollision } from './errors.ts'
import type { PostgresLender } from './pool.ts'

/** Our advisory locks stand under this number; an installation has its database to itself. */
export const LOCKS = 0x6d61_7063

/** Each realm's lock. The numbers are the same in every version that may run beside this one. */
const realmLocks = {
  packs: 1,
  keys: 2,
  sessions: 3,
  beatmaps: 4,
  calls: 5,
  pages: 6,
} as const satisfies Readonly<Record<Realm, number>>

const ATTEMPTS = 4
/** No attempt begins later than this after the first: whoever asked is still to be answered in time. */
const LAST_ATTEMPT_MS = 1_200
const SHORTEST_PAUSE_MS = 5

/**
 * The engine over a PostgreSQL database that other processes use too.
 *
 * A write holds its realm's lock until it is committed, so that transactions of one realm come one
 * after the other, whichever process makes them. Within a process they stand in line first: those
 * that wait take no connection from those that read.
 */
export const createPostgresEngine = (lender: PostgresLender, observer?: StoreObserver): Engine => {
  const open = (line?: Line): Db =>
    new Kysely<Tables>({
      ...statementLog(observer),
      dialect: new PostgresDialect({ pool: lender.pool(line) }),
    })
  const db = open()
  const writers = Object.fromEntries(
    Object.keys(realmLocks).map((realm) => [realm, open(new Line())]),
  ) as Record<Realm, Db>

  const attempt = <T>(realm: Realm, work: (tx: Db) => Promise<T>): Promise<T> =>
    writers[realm]
      .transaction()
      .setIsolationLevel('read committed')
      .execute(async (tx) => {
        await sql`select pg_advisory_xact_lock(${LOCKS}, ${realmLocks[realm]})`.execute(tx)
        return work(tx)
      })

  return {
    db,

    read: (work) =>
      db
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute(work),

    async write(realm, work) {
      const begun = performance.now()
      for (let made = 1; ; made += 1) {
        try {
          return await attempt(realm, work)
        } catch (error) {
          const isLast = made === ATTEMPTS || performance.now() - begun > LAST_ATTEMPT_MS
          if (!isCollision(error) || isLast) throw error
        }
        await pause(SHORTEST_PAUSE_MS * made)
      }
    },

    asOne: (work) => lender.inTime(work),

    // Nothing tells for free whether another process has written: a key that was replaced elsewhere
    // must be refused from the next request on.
    newShelf: () => (_key, load) => load(),
  }
}
