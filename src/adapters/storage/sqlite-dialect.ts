import type { DatabaseSync } from 'node:sqlite'
import {
  type Dialect,
  type Driver,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type TransactionSettings,
} from 'kysely'
import { Line } from './line.ts'
import { CommitGroups } from './sqlite-commit-group.ts'
import { SqliteConnection } from './sqlite-connection.ts'
import type { SqliteHealth } from './sqlite-health.ts'
import { SqliteTurn } from './sqlite-turn.ts'

/**
 * Kysely over one `node:sqlite` connection. Whoever wants it waits in line, so that the statements
 * of one transaction stand together.
 *
 * @param patience ms that a caller waits for a lock, its time in the line included.
 * @param health of the store, for the connection that writes; null: nothing is written.
 */
export const sqliteDialect = (
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
