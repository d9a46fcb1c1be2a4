import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import { resultCodeOf } from '../store-check.ts'

type Prepared = { readonly statement: StatementSync; readonly givesRows: boolean }

/** Statements that a connection keeps prepared: more than we have; beyond it, those used last stay. */
const MOST_STATEMENTS = 500

/** One connection to the file, with its statements kept prepared. */
export class SqliteConnection {
  readonly #database: DatabaseSync
  readonly #prepared = new Map<string, Prepared>()
  readonly #onFailure: (error: unknown) => void

  /** @param onFailure called with what a statement fails with. */
  constructor(database: DatabaseSync, onFailure: (error: unknown) => void = () => {}) {
    this.#database = database
    this.#onFailure = onFailure
  }

  /** false also when SQLite has rolled back by itself, as it does on a full disk. */
  get isInTransaction(): boolean {
    return this.#database.isTransaction
  }

  /** How many statements it keeps prepared. */
  get statements(): number {
    return this.#prepared.size
  }

  run<R>(sql: string, parameters: readonly unknown[] = []): QueryResult<R> {
    try {
      return this.#run(sql, parameters)
    } catch (error) {
      this.#onFailure(error)
      throw error
    }
  }

  /** Undoes the whole transaction, if there still is one. */
  rollback(): void {
    if (this.isInTransaction) this.run('rollback')
  }

  #run<R>(sql: string, parameters: readonly unknown[]): QueryResult<R> {
    const { statement, givesRows } = this.#take(sql)
    const values = parameters as SQLInputValue[]
    if (givesRows) return { rows: statement.all(...values) as R[] }
    const { changes } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes) }
  }

  /** A map gives its keys in the order in which they were set: the first was used the longest ago. */
  #take(sql: string): Prepared {
    const known = this.#prepared.get(sql)
    const prepared = known ?? this.#prepare(sql)
    if (known !== undefined) this.#prepared.delete(sql)
    this.#prepared.set(sql, prepared)
    return prepared
  }

  #prepare(sql: string): Prepared {
    const statement = this.#database.prepare(sql)
    const oldest = this.#prepared.keys().next().value
    if (oldest !== undefined && this.#prepared.size >= MOST_STATEMENTS) {
      this.#prepared.delete(oldest)
    }
    return { statement, givesRows: statement.columns().length > 0 }
  }
}

const SQLITE_BUSY = 5
const LONGEST_PAUSE_MS = 20

/** Does this error say that another connection holds the lock? */
export const isBusy = (error: unknown): boolean => resultCodeOf(error) === SQLITE_BUSY

/**
 * Tries until another connection lets go of the lock. SQLite's own waiting would block the event
 * loop, so it is switched off and the waiting is done here.
 *
 * @param deadline on the scale of `performance.now()`; behind it, one try is still made.
 * @throws what `attempt` threw last.
 */
export const whenFree = async <T>(attempt: () => T, deadline: number): Promise<T> => {
  for (let wait = 1; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadline) throw error
    }
    await pause(wait)
  }
}

/** Transactions that reach the disk together. */
export type CommitGroup = {
  /** Settles when the group is on the disk, or is not. */
  readonly ended: Promise<void>
  readonly settle: (failure?: unknown) => void
  /** Is there anything to commit? */
  hasWritten: boolean
}

/** Somebody's turn to use a connection alone. */
export class SqliteTurn implements DatabaseConnection {
  readonly #connection: SqliteConnection
  readonly #deadline: number
  readonly end: () => void
  /** The group that a writing transaction is part of. */
  group: CommitGroup | null = null

  /** @param deadline until when to wait for a lock, on the scale of `performance.now()`. */
  constructor(connection: SqliteConnection, deadline: number, end: () => void) {
    this.#connection = connection
    this.#deadline = deadline
    this.end = end
  }

  executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return this.run(sql, parameters)
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query)
  }

  run<R>(sql: string, parameters?: readonly unknown[]): Promise<QueryResult<R>> {
    return whenFree(() => this.#connection.run<R>(sql, parameters), this.#deadline)
  }
}
