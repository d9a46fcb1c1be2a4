import { setTimeout as pause } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import {
  type Db,
  type Engine,
  type LockScope,
  Mutex,
  statementLog,
  type StoreObserver,
} from '../engine.ts'
import type { Tables } from '../tables.ts'
import { isCollision } from './errors.ts'
import type { ConnectionPool } from './pool.ts'

/** The first number of all our advisory locks; an installation has its database to itself. */
export const LOCKS = 0x6d61_7063

/** Each scope's lock. The numbers are the same in every version that may run at the same time. */
const scopeLocks: Readonly<Record<LockScope, number>> = {
  packs: 1,
  keys: 2,
  sessions: 3,
  beatmaps: 4,
  calls: 5,
  pages: 6,
}

const ATTEMPTS = 4
/** No attempt begins later than this after the first: the request is still to be answered in time. */
const LAST_ATTEMPT_MS = 1_200
const SHORTEST_PAUSE_MS = 5

/**
 * A write holds its scope's lock until it is committed, so that transactions of one scope run one after
 * the other in all processes. Within a process they queue for a mutex first: those that wait take no
 * connection from those that read.
 */
export function createPostgresEngine(pool: ConnectionPool, observer?: StoreObserver): Engine {
  const open = (mutex?: Mutex): Db =>
    new Kysely<Tables>({
      ...statementLog(observer),
      dialect: new PostgresDialect({ pool: pool.forKysely(mutex) }),
    })
  const db = open()
  const writers = Object.fromEntries(
    Object.keys(scopeLocks).map((scope) => [scope, open(new Mutex())]),
  ) as Record<LockScope, Db>

  const attempt = <T>(scope: LockScope, work: (tx: Db) => Promise<T>): Promise<T> =>
    writers[scope]
      .transaction()
      .setIsolationLevel('read committed')
      .execute(async (tx) => {
        await sql`select pg_advisory_xact_lock(${LOCKS}, ${scopeLocks[scope]})`.execute(tx)
        return work(tx)
      })

  return {
    db,

    read(work) {
      const transaction = db.transaction().setIsolationLevel('repeatable read')
      return transaction.setAccessMode('read only').execute(work)
    },

    async write(scope, work) {
      const begun = performance.now()
      for (let made = 1; ; made += 1) {
        try {
          return await attempt(scope, work)
        } catch (error) {
          const isLast = made === ATTEMPTS || performance.now() - begun > LAST_ATTEMPT_MS
          if (!isCollision(error) || isLast) throw error
        }
        await pause(SHORTEST_PAUSE_MS * made)
      }
    },

    // Nothing shows for free whether another process has written: a key that was replaced elsewhere
    // must be refused from the next request on.
    newCache: () => (_key, load) => load(),
  }
}
