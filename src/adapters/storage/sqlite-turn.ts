import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import { whenFree } from './sqlite-busy.ts'
import type { SqliteConnection } from './sqlite-connection.ts'

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
