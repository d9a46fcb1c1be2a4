import type { PostgresPool } from 'kysely'
import { type ClientBase, Pool, types } from 'pg'
import type { Line } from './line.ts'
import { endsConnection, TooLate } from './postgres-errors.ts'
import { PostgresLoan } from './postgres-loan.ts'

/** How the database is reached. */
export type PostgresConnection = {
  /** `postgres://…`; a secret. */
  readonly url: string
  /** Connections that this process has at most. */
  readonly size: number
  /** ms that one call of a store may take, waiting for a connection included; null: without bound. */
  readonly patience: number | null
}

const IDLE_MS = 30_000
/** A connection that a firewall has forgotten is found out before it is used. */
const KEEP_ALIVE_MS = 10_000
/**
 * How much of the patience may pass before a connection is had. Whoever got one at the last moment
 * would give up at once: the connection has to go then, while the server is still at work on it, and
 * new ones in their place would be more than the server has room for.
 */
const WAITING_SHARE = 0.75
/** Somebody who has begun a transaction and is gone must not hold the others up for longer. */
const IDLE_IN_TRANSACTION_MS = 5_000

/**
 * While the server is at work on a statement it looks this often whether anybody still waits for it:
 * nothing is held, and no connection taken, for long by those who gave up or were killed.
 */
const LOOK_FOR_CLIENT = 'set client_connection_check_interval = 250'

/** Servers that cannot do it refuse; whoever gave up then holds on until the statement ends. */
const lookForClient = async (client: ClientBase, patience: number): Promise<void> => {
  const set = { text: LOOK_FOR_CLIENT, query_timeout: patience }
  await client.query(set).catch((error: unknown) => {
    if (endsConnection(error)) throw error
  })
}

const INT8: number = types.builtins.INT8

const whole = (text: string): number => Number(text)

// All of ours fit in a number: times, ids, counts. The driver would give text to be safe.
const numbers = { getTypeParser: parserOf } as unknown as typeof types

function parserOf(oid: number, format?: 'text' | 'binary'): unknown {
  return oid === INT8 ? whole : types.getTypeParser(oid, format ?? 'text')
}

/** Makes the connections of this process; none is opened yet. */
export const createPostgresPool = ({ url, size, patience }: PostgresConnection): Pool => {
  const pool = new Pool({
    connectionString: url,
    max: size,
    application_name: 'mapcrate',
    types: numbers,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    ...(patience !== null && {
      connectionTimeoutMillis: patience,
      statement_timeout: patience,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      onConnect: (client) => lookForClient(client, patience),
    }),
  })
  // Idle connections that break are taken out of the pool; who needs one makes a new one.
  pool.on('error', () => {})
  // One that breaks while it is lent out tells so by the query that fails.
  pool.on('connect', (client) => void client.on('error', () => {}))
  return pool
}

/** Lends the connections of a pool, each for a bounded time. */
export class PostgresLender {
  readonly #pool: Pool
  readonly #patience: number | null
  #lent = 0
  #onAllBack = () => {}
  #closing: Promise<void> | null = null

  /** @param patience ms from asking for a connection to giving it back; null: without bound. */
  constructor(pool: Pool, patience: number | null) {
    this.#pool = pool
    this.#patience = patience
  }

  /**
   * The pool as Kysely sees it.
   *
   * @param line where to stand for a connection; left out: nowhere.
   */
  pool(line?: Line): PostgresPool {
    return {
      connect: () => this.#lend(line),
      // Several share it: see `close`.
      end: async () => {},
      options: {},
    }
  }

  /** @throws when all that `work` does takes longer than the patience that one call has. */
  async inTime<T>(work: () => Promise<T>): Promise<T> {
    if (this.#patience === null) return work()
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(new TooLate()), this.#patience)
    try {
      return await Promise.race([work(), late])
    } finally {
      clearTimeout(timer)
    }
  }

  /** Ends the pool as soon as everything that was asked of it is done. */
  async close(): Promise<void> {
    this.#closing ??= new Promise<void>((resolve) => {
      this.#onAllBack = resolve
      if (this.#lent === 0) resolve()
    }).then(() => this.#pool.end())
    await this.#closing
  }

  /** When the time is up, whatever is waited for then fails. */
  #lend(line: Line | undefined): Promise<PostgresLoan> {
    const { promise, resolve, reject } = Promise.withResolvers<PostgresLoan>()
    let isLate = false
    let loan: PostgresLoan | null = null
    const alarm = () => {
      isLate = true
      reject(new TooLate())
      loan?.fail(new TooLate())
    }
    const alarmUnlessLent = () => {
      if (loan === null) alarm()
    }
    const patience = this.#patience
    const timers =
      patience === null
        ? []
        : [setTimeout(alarmUnlessLent, patience * WAITING_SHARE), setTimeout(alarm, patience)]

    const fetch = async (): Promise<void> => {
      const leave = await line?.enter()
      const end = () => {
        timers.forEach(clearTimeout)
        leave?.()
        this.#count(-1)
      }
      if (isLate) return end()
      try {
        const client = await this.#pool.connect()
        loan = new PostgresLoan(client, end)
        // Nobody waits for it any more.
        if (isLate) loan.release()
        else resolve(loan)
      } catch (error) {
        end()
        reject(error)
      }
    }
    this.#count(1)
    void fetch()
    return promise
  }

  #count(change: 1 | -1): void {
    this.#lent += change
    if (this.#lent === 0) this.#onAllBack()
  }
}
