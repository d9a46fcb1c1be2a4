import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { QueryResult } from 'kysely'

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
