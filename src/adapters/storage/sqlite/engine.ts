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
import { type Engine, Line, statementLog, type StoreObserver } from '../engine.ts'
import type { Tables } from '../tables.ts'
import { CommitGroups } from './commits.ts'
import { SqliteConnection, SqliteTurn } from './connection.ts'
import type { SqliteFile } from './file.ts'
import type { SqliteHealth } from './health.ts'
import { ReadCache } from './read-cache.ts'

/** The embedded engine, with its writing connection for those who look after the file. */
export type SqliteEngine = Engine & { readonly writer: Kysely<Tables> }

/**
 * The embedded engine: one connection writes, another reads what is committed, so that no reader
 * waits for a writer.
 *
 * @param patience ms that a request waits for a lock.
 */
export const createSqliteEngine = (
  file: SqliteFile,
  patience: number,
  observer?: StoreObserver,
): SqliteEngine => {
  const log = statementLog(observer)
  const db = new Kysely<Tables>({ ...log, dialect: sqliteDialect(file.reader, patience) })
  const writer = new Kysely<Tables>({
    ...log,
    dialect: sqliteDialect(file.writer, patience, file.health),
  })
  const cache = new ReadCache(versionOf(file.watcher))
  return {
    db,
    writer,
    read: (work) => db.transaction().setAccessMode('read only').execute(work),
    // One file, one writer: all realms are one.
    async write(_realm, work) {
      try {
        return await writer.transaction().execute(work)
      } finally {
        cache.lookAgain()
      }
    },
    // Reading waits for nobody.
    asOne: (work) => work(),
    newShelf: (bound) => cache.newShelf(bound),
  }
}

/** A number that changes with each commit by any other connection, of this process or another. */
const versionOf = (watcher: DatabaseSync): (() => number | null) => {
  const statement = watcher.prepare('pragma data_version')
  statement.setReturnArrays(true)
  return () => {
    try {
      const [version] = statement.get() as unknown as [number]
      return version
    } catch {
      // Locked for a moment or already closed: then nothing remembered can be trusted.
      return null
    }
  }
}

/**
 * Kysely over one `node:sqlite` connection. Whoever wants it waits in line, so that the statements
 * of one transaction stand together.
 *
 * @param patience ms that a caller waits for a lock, its time in the line included.
 * @param health of the store, for the connection that writes; null: nothing is written.
 */
const sqliteDialect = (
  database: DatabaseSync,
  patience: number,
  health: SqliteHealth | null = null,
): Dialect => ({
  createDriver: () => new SqliteDriver(database, patience, health),
  createQueryCompiler: () => new SqliteQueryCompiler(),
  createAdapter: () => new UnqueuedAdapter(),
  createIntrospector: (db) => new SqliteIntrospector(db),
})

/** Keeps Kysely's own line away: time spent there would not count toward the patience. */
class UnqueuedAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

class SqliteDriver implements Driver {
  readonly #connection: SqliteConnection
  readonly #groups: CommitGroups
  readonly #line = new Line()
  readonly #patience: number

  constructor(database: DatabaseSync, patience: number, health: SqliteHealth | null) {
    this.#connection = new SqliteConnection(database, (error) => health?.noteFailure(error))
    this.#groups = new CommitGroups(this.#connection, this.#line, () => health?.checkFiles())
    this.#patience = patience
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<SqliteTurn> {
    const deadline = performance.now() + this.#patience
    return new SqliteTurn(this.#connection, deadline, await this.#line.enter())
  }

  async releaseConnection(turn: SqliteTurn): Promise<void> {
    turn.end()
  }

  async beginTransaction(turn: SqliteTurn, { accessMode }: TransactionSettings): Promise<void> {
    if (accessMode === 'read only') await turn.run('begin')
    else await this.#groups.begin(turn)
  }

  async commitTransaction(turn: SqliteTurn): Promise<void> {
    if (turn.group === null) await turn.run('commit')
    else await this.#groups.commit(turn, turn.group)
  }

  async rollbackTransaction(turn: SqliteTurn): Promise<void> {
    if (turn.group === null) this.#connection.rollback()
    else await this.#groups.rollback(turn, turn.group)
  }

  async destroy(): Promise<void> {}
}
