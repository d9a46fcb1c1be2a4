import type { DatabaseSync } from 'node:sqlite'
import {
  type Dialect,
  type Driver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type TransactionSettings,
} from 'kysely'
import { type Engine, Mutex, statementLog, type StoreObserver } from '../engine.ts'
import type { Tables } from '../tables.ts'
import { CommitGroups } from './commits.ts'
import { AcquiredConnection, SqliteConnection } from './connection.ts'
import type { SqliteFile } from './file.ts'
import type { SqliteHealth } from './health.ts'
import { ReadCache, versionOf } from './read-cache.ts'

/** The embedded engine, with its writing connection for those who look after the file. */
export type SqliteEngine = Engine & { readonly writer: Kysely<Tables> }

/**
 * The embedded engine: one connection writes, another reads what is committed, so that no reader
 * waits for a writer.
 *
 * @param timeoutMs how long a request waits for a lock.
 */
export function createSqliteEngine(
  file: SqliteFile,
  timeoutMs: number,
  observer?: StoreObserver,
): SqliteEngine {
  const log = statementLog(observer)
  const db = new Kysely<Tables>({ ...log, dialect: sqliteDialect(file.reader, timeoutMs, null) })
  const writer = new Kysely<Tables>({
    ...log,
    dialect: sqliteDialect(file.writer, timeoutMs, file.health),
  })
  const cache = new ReadCache(versionOf(file.watcher))
  return {
    db,
    writer,
    read: (work) => db.transaction().setAccessMode('read only').execute(work),
    // One file, one writer: all scopes are one.
    async write(_scope, work) {
      try {
        return await writer.transaction().execute(work)
      } finally {
        cache.invalidate()
      }
    },
    newCache: (maxEntries) => cache.newCache(maxEntries),
  }
}

/**
 * Kysely over one `node:sqlite` connection. Callers queue for it, so that the statements of one
 * transaction stay together.
 *
 * @param timeoutMs how long a caller waits for a lock, its time in the queue included.
 * @param health of the store, for the connection that writes; null: nothing is written.
 */
function sqliteDialect(
  database: DatabaseSync,
  timeoutMs: number,
  health: SqliteHealth | null,
): Dialect {
  return {
    createDriver: () => new SqliteDriver(database, timeoutMs, health),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new UnqueuedAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
}

/** Keeps Kysely's own queue away: time spent there would not count toward the timeout. */
class UnqueuedAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

class SqliteDriver implements Driver {
  readonly #connection: SqliteConnection
  readonly #groups: CommitGroups
  readonly #mutex = new Mutex()
  readonly #timeoutMs: number

  constructor(database: DatabaseSync, timeoutMs: number, health: SqliteHealth | null) {
    this.#connection = new SqliteConnection(database, (error) => health?.noteFailure(error))
    this.#groups = new CommitGroups(this.#connection, this.#mutex, () => health?.checkFiles())
    this.#timeoutMs = timeoutMs
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<AcquiredConnection> {
    const deadline = performance.now() + this.#timeoutMs
    return new AcquiredConnection(this.#connection, deadline, await this.#mutex.acquire())
  }

  async releaseConnection(acquired: AcquiredConnection): Promise<void> {
    acquired.release()
  }

  async beginTransaction(
    acquired: AcquiredConnection,
    { accessMode }: TransactionSettings,
  ): Promise<void> {
    if (accessMode === 'read only') await acquired.run('begin')
    else await this.#groups.begin(acquired)
  }

  async commitTransaction(acquired: AcquiredConnection): Promise<void> {
    if (acquired.group === null) await acquired.run('commit')
    else await this.#groups.commit(acquired, acquired.group)
  }

  async rollbackTransaction(acquired: AcquiredConnection): Promise<void> {
    if (acquired.group === null) this.#connection.rollback()
    else await this.#groups.rollback(acquired, acquired.group)
  }

  async destroy(): Promise<void> {}
}
