import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import type { QueryResult } from 'kysely'
import { BoundedMap } from '../../../domain/bounded-map.ts'

/** Statements that a connection keeps prepared: more than we have. */
const MAX_STATEMENTS = 500

/** One connection to the file, with its statements kept prepared. */
export class SqliteConnection {
  readonly #database: DatabaseSync
  readonly #prepared = new BoundedMap<string, { statement: StatementSync; returnsRows: boolean }>({
    maxEntries: MAX_STATEMENTS,
  })
  readonly #onFailure: (error: unknown) => void

  /** @param onFailure called with what a statement fails with. */
  constructor(database: DatabaseSync, onFailure: (error: unknown) => void = () => {}) {
    this.#database = database
    this.#onFailure = onFailure
  }

  /** How many statements it keeps prepared. */
  get statements(): number {
    return this.#prepared.size
  }

  run<R>(sql: string, parameters: readonly unknown[] = []): QueryResult<R> {
    try {
      const { statement, returnsRows } = this.#prepared.get(sql) ?? this.#prepare(sql)
      const values = parameters as SQLInputValue[]
      if (returnsRows) return { rows: statement.all(...values) as R[] }
      return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) }
    } catch (error) {
      this.#onFailure(error)
      throw error
    }
  }

  /** Undoes the whole transaction, unless SQLite has done that by itself, as it does on a full disk. */
  rollback(): void {
    if (this.#database.isTransaction) this.run('rollback')
  }

  #prepare(sql: string) {
    const statement = this.#database.prepare(sql)
    const prepared = { statement, returnsRows: statement.columns().length > 0 }
    this.#prepared.set(sql, prepared)
    return prepared
  }
}

const SQLITE_BUSY = 5
const MAX_PAUSE_MS = 20

/**
 * Tries until another connection releases the lock. SQLite's own waiting would block the event
 * loop, so it is switched off and the waiting is done here.
 *
 * @param deadline on the scale of `performance.now()`; after it, one try is still made.
 * @throws what `attempt` threw last.
 */
export async function whenFree<T>(attempt: () => T, deadline: number): Promise<T> {
  for (let wait = 1; ; wait = Math.min(wait * 2, MAX_PAUSE_MS)) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadline) throw error
    }
    await pause(wait)
  }
}

/** Does this error say that another connection holds the lock? */
export function isBusy(error: unknown): boolean {
  return resultCodeOf(error) === SQLITE_BUSY
}

/** SQLite's primary result code, the low byte of the extended one; null for other errors. */
export function resultCodeOf(error: unknown): number | null {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : null
}
