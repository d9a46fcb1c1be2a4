import type { PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type { PoolClient } from 'pg'
import { asUnavailable, endsConnection, forgetRow } from './errors.ts'
import { boundStatements, type PoolSettings, throughPooler } from './host-pool.ts'

/** Kept prepared by each connection; beyond it they are planned each time. */
const MOST_STATEMENTS = 1_000

const statements = new Map<string, string>()

/** Statements with more values are lists of many lengths, each of which would be another statement. */
const MOST_VALUES = 48

/** The name that a statement is prepared under, the same on each connection. */
function nameOf(text: string, values: number): string | undefined {
  if (values === 0 || values > MOST_VALUES) return undefined
  const given = statements.get(text)
  if (given !== undefined || statements.size >= MOST_STATEMENTS) return given
  const name = `s${statements.size}`
  statements.set(text, name)
  return name
}

const NOTHING: PostgresQueryResult<never> = { command: 'ROLLBACK', rowCount: 0, rows: [] }

const BEGINNING = /^(?:begin|start transaction)\b[^;]*/i
/** Begins a transaction of which each statement sees what was committed before that statement. */
const WRITING = 'start transaction isolation level read committed'

type ConnectionOptions = Pick<PoolSettings, 'timeoutMs'> & {
  readonly isPrepared: boolean
  readonly onRelease: () => void
  /** Called with what a statement fails with, and whether that went through a pooler. */
  readonly onError: (error: unknown, isThroughPooler: boolean) => void
}

/** An acquired connection. One that has failed is discarded when it is released. */
export class PooledConnection implements PostgresPoolClient {
  readonly #client: PoolClient
  readonly #options: ConnectionOptions
  #failure: Error | null = null
  #onFailure: (failure: Error) => void = () => {}
  /** A transaction that begins with the next statement. */
  #isBeginning = false

  constructor(client: PoolClient, options: ConnectionOptions) {
    this.#client = client
    this.#options = options
  }

  get isThroughPooler(): boolean {
    return throughPooler.has(this.#client)
  }

  /** What waits for an answer fails at once, and so does everything that follows. */
  fail(failure: Error): void {
    this.#failure ??= failure
    this.#onFailure(failure)
  }

  // Kysely asks for a cursor's kind of call too, which it only makes when it was given cursors.
  query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>
  query<R>(cursor: R): R
  query(text: unknown, values: readonly unknown[] = []): unknown {
    return this.#isBeginning || text === WRITING
      ? this.#begin(String(text), values)
      : this.#send(String(text), values)
  }

  /** Holds back what begins a write, and sends it with a statement that takes no values: one round trip for both. */
  async #begin(text: string, values: readonly unknown[]): Promise<unknown> {
    if (!this.#isBeginning) {
      this.#isBeginning = true
      return NOTHING
    }
    this.#isBeginning = false
    if (text === 'rollback') return NOTHING
    if (values.length === 0) return this.#send(`${WRITING}; ${text}`, values)
    await this.#send(WRITING, [])
    return this.#send(text, values)
  }

  #send(text: string, values: readonly unknown[]): Promise<unknown> {
    return this.run(
      text,
      values,
      this.#options.isPrepared ? nameOf(text, values.length) : undefined,
    )
  }

  release(): void {
    this.#client.release(this.#failure !== null)
    this.#options.onRelease()
  }

  /** @param name that the statement is prepared under, the first time over this connection. */
  run<R>(
    text: string,
    values: readonly unknown[],
    name: string | undefined,
  ): Promise<PostgresQueryResult<R>> {
    if (this.#failure !== null) {
      // The server undoes by itself what a lost connection has begun.
      return text === 'rollback' ? Promise.resolve(NOTHING) : Promise.reject(this.#failure)
    }
    const { promise, resolve, reject } = Promise.withResolvers<PostgresQueryResult<R>>()
    this.#onFailure = reject
    const named = name !== undefined && { name }
    this.#client.query({ text: this.#bounded(text), values: [...values], ...named }).then(
      // Of several statements, there is a list of results.
      (result) => resolve([result].flat().at(-1) as unknown as PostgresQueryResult<R>),
      (error: Error) => {
        forgetRow(error)
        this.#options.onError(error, this.isThroughPooler)
        const failure = asUnavailable(error) as Error
        if (endsConnection(error)) this.fail(failure)
        reject(failure)
      },
    )
    return promise
  }

  /** A session that is shared keeps no settings: each transaction has its own. */
  #bounded(text: string): string {
    const { timeoutMs } = this.#options
    if (timeoutMs === null || !this.isThroughPooler) return text
    return text.replace(
      BEGINNING,
      (begin) => `${begin}; ${boundStatements('set local', timeoutMs)}`,
    )
  }
}
