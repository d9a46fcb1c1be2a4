import type { PoolClient } from 'pg'
import type { PostgresPoolClient, PostgresQueryResult } from 'kysely'
import { endsConnection, forgetRow } from './postgres-errors.ts'
import { boundStatements, throughPooler } from './postgres-session.ts'

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

const BEGINNING = /^(?:begin|start transaction)\b/i

export type LoanOptions = {
  /** May statements be prepared under a name? */
  readonly isPrepared: boolean
  /** ms that a statement may take; null: without bound. */
  readonly patience: number | null
  /** Called when the connection is given back. */
  readonly giveBack: () => void
  /** Called with what a statement fails with, and whether that went through a pooler. */
  readonly onError: (error: unknown, isThroughPooler: boolean) => void
}

/** A connection that is lent out. One that has failed is thrown away when it comes back. */
export class PostgresLoan implements PostgresPoolClient {
  readonly #client: PoolClient
  readonly #options: LoanOptions
  #failure: Error | null = null
  #onFailure: (failure: Error) => void = () => {}

  constructor(client: PoolClient, options: LoanOptions) {
    this.#client = client
    this.#options = options
  }

  get isThroughPooler(): boolean {
    return throughPooler.has(this.#client)
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
    const name = this.#options.isPrepared ? nameOf(String(text), values.length) : undefined
    return this.#run(String(text), values, name)
  }

  /** Runs a statement that is prepared under this name, the first time over this connection. */
  queryNamed(name: string, text: string): Promise<PostgresQueryResult<{ pid: number }>> {
    return this.#run(text, [], name) as Promise<PostgresQueryResult<{ pid: number }>>
  }

  release(destroy = false): void {
    this.#client.release(destroy || this.#failure !== null)
    this.#options.giveBack()
  }

  #run(text: string, values: readonly unknown[], name: string | undefined): Promise<unknown> {
    if (this.#failure !== null) {
      // The server undoes by itself what a lost connection has begun.
      return text === 'rollback' ? Promise.resolve(NOTHING) : Promise.reject(this.#failure)
    }
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#onFailure = reject
    this.#client
      .query({
        text: this.#bounded(text),
        values: [...values],
        ...(name !== undefined && { name }),
      })
      .then(resolve, (error: Error) => {
        forgetRow(error)
        this.#options.onError(error, this.isThroughPooler)
        if (endsConnection(error)) this.fail(error)
        reject(error)
      })
    return promise
  }

  /** A session that is shared keeps no settings: each transaction has its own. */
  #bounded(text: string): string {
    const { patience } = this.#options
    if (patience === null || !this.isThroughPooler || !BEGINNING.test(text)) return text
    return `${text}; ${boundStatements('set local', patience)}`
  }
}
