import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { type Lock, Mutex } from '../../../domain/loading.ts'
import {
  type Db,
  type Engine,
  type LockScope,
  statementLog,
  type StoreObserver,
} from '../engine.ts'
import { prepareQuery } from '../query.ts'
import type { Tables } from '../tables.ts'
import type { PostgresCaches } from './caches.ts'
import { isCollision } from './errors.ts'
import type { ConnectionPool } from './pool.ts'
import type { WorkMeter } from '../../../ports/system.ts'
import { postgresWords } from './words.ts'

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
  tournaments: 8,
  presence: 9,
  search: 10,
}

/** The lock of `tryWrite`, in addition to those of the scopes. */
const TRYING = 7
/** Seeds the hash of an owner's id, of which their lock has its number. */
const OWNER_SEED = 7
/** Writes of owners hold this share of the connections at most; reads have the others. */
const OWNERS_SHARE = 0.4

const ATTEMPTS = 4
/** No attempt begins later than this after the first: the request is still to be answered in time. */
const LAST_ATTEMPT_MS = 1_200
const SHORTEST_PAUSE_MS = 5

/**
 * A write holds its scope's lock until it is committed: exclusively, or shared with those of other owners
 * while it holds its owner's. Within a process, writes queue before they take a connection: those of a
 * scope or an owner one by one, those of all owners for a part of the connections.
 */
export function createPostgresEngine(
  pool: ConnectionPool,
  observer?: StoreObserver,
  work?: WorkMeter,
  clock: 'database' | 'caller' = 'database',
  caches: PostgresCaches | null = null,
): Engine {
  const open = (lock?: Lock): Db =>
    new Kysely<Tables>({
      ...statementLog(observer),
      dialect: new PostgresDialect({ pool: pool.forKysely(lock) }),
    })
  const db = open()
  const writers = Object.fromEntries(
    Object.keys(scopeLocks).map((scope) => [scope, open(new Mutex())]),
  ) as Record<LockScope, Db>
  const owners = new OwnerLock(Math.max(1, Math.floor(pool.size * OWNERS_SHARE)))
  const ownersWriter = open(owners)

  function attempt<T>(
    scope: LockScope,
    work: (tx: Db) => Promise<T>,
    owner: string | null | undefined,
  ): Promise<T> {
    const writer = owner === undefined ? writers[scope] : ownersWriter
    const transaction = writer.transaction().setIsolationLevel('read committed')
    return owners.runAs(owner, () =>
      transaction.execute(async (tx) => {
        await lockStatement(scopeLocks[scope], owner).execute(tx)
        return work(tx)
      }),
    )
  }

  return {
    db,
    skipLocked: sql`for update skip locked`,
    timeOf: async (on, callerNow) => (clock === 'caller' ? callerNow : databaseTime(on)),
    presentTime: (time) =>
      clock === 'caller' ? sql`least(${time}::bigint, ${sharedNow})` : sharedNow,
    writesInWith: true,
    nextSeq: () => sql`null`,
    alongIndex: (tx) => alongIndex(tx, { off: 'off' }),
    charge: work === undefined ? null : (ms) => work.add(ms),
    words: postgresWords,

    read(work) {
      const transaction = db.transaction().setIsolationLevel('repeatable read')
      return transaction.setAccessMode('read only').execute(work)
    },

    async write(scope, work, owner) {
      const begun = performance.now()
      for (let made = 1; ; made += 1) {
        try {
          return await attempt(scope, work, owner)
        } catch (error) {
          const isLast = made === ATTEMPTS || performance.now() - begun > LAST_ATTEMPT_MS
          if (!isCollision(error) || isLast) throw error
        }
        await pause(SHORTEST_PAUSE_MS * made)
      }
    },

    async lock(tx, scope, owner) {
      await lockStatement(scopeLocks[scope], owner).execute(tx)
    },

    async tryWrite(work) {
      const transaction = db.transaction().setIsolationLevel('repeatable read')
      try {
        return await transaction.execute(async (tx) => {
          // The scope's lock keeps those away that write without the lock of an owner.
          const { rows } = await sql<{ isHeld: boolean }>`
            select pg_try_advisory_xact_lock(${LOCKS}, ${TRYING})
              and pg_try_advisory_xact_lock_shared(${LOCKS}, ${scopeLocks.packs}) as "isHeld"
          `.execute(tx)
          return rows[0]?.isHeld === true ? await work(tx) : null
        })
      } catch (error) {
        if (isCollision(error)) return null
        throw error
      }
    },

    newCache: (maxEntries, tagsOf) =>
      caches === null ? (_key, load) => load() : caches.newCache(maxEntries, tagsOf),
  }
}

// Planned for values that are not known, a query would sort the few rows that most of them have.
const alongIndex = prepareQuery(
  ({ off }: { off: string }) => sql`
    select set_config('enable_sort', ${off}, true), set_config('enable_seqscan', ${off}, true),
      set_config('jit', ${off}, true),
      set_config('plan_cache_mode', 'force_generic_plan', true)`,
)

/** The database's clock, ms since the epoch. */
const sharedNow = sql<number>`floor(extract(epoch from clock_timestamp()) * 1000)::bigint`

async function databaseTime(on: Db): Promise<number> {
  const { rows } = await sql<{ now: number }>`select ${sharedNow} as now`.execute(on)
  return rows[0]!.now
}

const PLAIN_ID = /^[\w-]+$/

/**
 * In one statement, the scope's lock first: all take them in this order. Without parameters, so that it can be sent with
 * what begins the transaction.
 */
function lockStatement(scope: number, owner: string | null | undefined) {
  const place = sql`${sql.lit(LOCKS)}, ${sql.lit(scope)}`
  if (owner === undefined) return sql`select pg_advisory_xact_lock(${place})`
  const shared = sql`select pg_advisory_xact_lock_shared(${place})`
  if (owner === null) return shared
  const id = PLAIN_ID.test(owner) ? sql.lit(owner) : sql`${owner}`
  return sql`${shared}, pg_advisory_xact_lock(hashtextextended(${id}, ${sql.lit(OWNER_SEED)}))`
}

/** A queue for each owner, and behind them one for the connections that writes of owners may hold. */
class OwnerLock implements Lock {
  readonly #owner = new AsyncLocalStorage<string | null | undefined>()
  /** The end of each queue that is in use. */
  readonly #last = new Map<string, Promise<void>>()
  readonly #slots: Semaphore

  constructor(slots: number) {
    this.#slots = new Semaphore(slots)
  }

  /** Calls `work`, which acquires the lock for this owner; null: for none. */
  runAs<T>(owner: string | null | undefined, work: () => T): T {
    return this.#owner.run(owner, work)
  }

  async acquire(): Promise<() => void> {
    const owner = this.#owner.getStore()
    const leaveQueue = await this.#join(owner ?? null)
    const releaseSlot = await this.#slots.acquire()
    return () => {
      releaseSlot()
      leaveQueue()
    }
  }

  async #join(owner: string | null): Promise<() => void> {
    if (owner === null) return () => {}
    const before = this.#last.get(owner)
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last.set(owner, promise)
    await before
    return () => {
      if (this.#last.get(owner) === promise) this.#last.delete(owner)
      resolve()
    }
  }
}

/** At most so many holders at a time, first come, first served. */
class Semaphore implements Lock {
  readonly #waiting: (() => void)[] = []
  #free: number

  constructor(size: number) {
    this.#free = size
  }

  async acquire(): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      const next = this.#waiting.shift()
      if (next === undefined) this.#free += 1
      else next()
    }
  }
}
