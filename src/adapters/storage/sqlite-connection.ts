import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import type { QueryResult } from 'kysely'

type Prepared = { readonly statement: StatementSync; readonly givesRows: boolean }

/** One connection to the file, with its statements kept prepared. */
export class SqliteConnection {
  readonly #database: DatabaseSync
  readonly #prepared = new Map<string, Prepared>()

  constructor(database: DatabaseSync) {
    this.#database = database
  }

  /** false also when SQLite has rolled back by itself, as it does on a full disk. */
  get isInTransaction(): boolean {
    return this.#database.isTransaction
  }

  run<R>(sql: string, parameters: readonly unknown[] = []): QueryResult<R> {
    const { statement, givesRows } = this.#prepared.get(sql) ?? this.#prepare(sql)
    const values = parameters as SQLInputValue[]
    if (givesRows) return { rows: statement.all(...values) as R[] }
    const { changes } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes) }
  }

  /** Undoes the whole transaction, if there still is one. */
  rollback(): void {
    if (this.isInTransaction) this.run('rollback')
  }

  #prepare(sql: string): Prepared {
    const statement = this.#database.prepare(sql)
    const prepared = { statement, givesRows: statement.columns().length > 0 }
    this.#prepared.set(sql, prepared)
    return prepared
  }
}
