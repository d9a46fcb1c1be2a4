import type { PoolClient } from 'pg'
import type { PostgresPoolClient, PostgresQueryResult } from 'kysely'
import { endsConnection, forgetRow } from './postgres-errors.ts'

/** Statements that each connection keeps prepared; beyond it they are planned each time. */
const MOST_STATEMENTS = 1_000

const statements = new Map<string, string>()

/** Statements with more values are lists of many lengths, each of which would be another statement. */
const MOST_VALUES = 24

/** The name that a statement is prepared under, the same on each connection. */
const nameOf = (text: string, values: number): string | undefined => {
  if (values === 0 || values > MOST_VALUES) return undefined
  const known = statements.get(text)
  if (known !== undefined || statements.size >= MOST_STATEMENTS) return known
  const name = `s${statements.size}`
  statements.set(text, name)
  return name
}

const NOTHING: PostgresQueryResult<never> = { command: 'ROLLBACK', rowCount: 0, rows: [] }

/** A connection that is lent out. One that has failed is thrown away when it comes back. */
export class PostgresLoan implements PostgresPoolClient {
  readonly #client: PoolClient
  readonly #giveBack: () => void
  #failure: Error | null = null
  #onFailure: (failure: Error) => void = () => {}

  /** @param giveBack called when it is given back. */
  constructor(client: PoolClient, giveBack: () => void) {
    this.#client = client
    this.#giveBack = giveBack
  }

  /** It is good for nothing any more: what waits for an answer fails at once, and all that follows. */
  fail(failure: Error): void {
    this.#failure ??= failure
    this.#onFailure(failure)
  }

  // Kysely asks for a cursor's kind of call too, which it only makes when it was given cursors.
  query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>
  query<R>(cursor: R): R
  query(text: unknown, values: readonly unknown[] = []): unknown {
    return this.#run(String(text), values)
  }

  release(destroy = false): void {
    this.#client.release(destroy || this.#failure !== null)
    this.#giveBack()
  }

  #run(text: string, values: readonly unknown[]): Promise<unknown> {
    if (this.#failure !== null) {
      // The server undoes by itself what a lost connection has begun.
      return text === 'rollback' ? Promise.resolve(NOTHING) : Promise.reject(this.#failure)
    }
    const name = nameOf(text, values.length)
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#onFailure = reject
    this.#client
      .query({ text, values: [...values], ...(name !== undefined && { name }) })
      .then(resolve, (error: Error) => {
        forgetRow(error)
        if (endsConnection(error)) this.fail(error)
        reject(error)
      })
    return promise
  }
}
