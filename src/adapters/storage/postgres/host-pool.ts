import { Client, type ClientBase, type ClientConfig, Pool, type PoolClient, types } from 'pg'
import { readPostgresUrl } from './address.ts'
import { endsConnection, hasNoConnectionLeft, ReadOnlyServer } from './errors.ts'

/** How the database is reached. */
export type PoolSettings = {
  /** `postgres://…` with one host or several; a secret. */
  readonly url: string
  /** false: no statement is prepared under a name. Left out: those that are not of many lengths are. */
  readonly isPrepared?: boolean
  /** Connections that this process has at most. */
  readonly size: number
  /** ms that a call of a store waits for a connection, and then has for its work; null: without bound. */
  readonly timeoutMs: number | null
}

const IDLE_MS = 30_000
/** A connection that a firewall has forgotten is found out before it is used. */
const KEEP_ALIVE_MS = 10_000
const INT8: number = types.builtins.INT8

const whole = (text: string): number => Number(text)

// All of ours fit in a number: times, ids, counts. The driver would give text to be safe.
const numbers = { getTypeParser: parserOf } as unknown as typeof types

function parserOf(oid: number, format?: 'text' | 'binary'): unknown {
  return oid === INT8 ? whole : types.getTypeParser(oid, format ?? 'text')
}

/** The driver's pool over one host, or over several of which one takes writes. */
export class HostPool extends Pool {
  readonly isPrepared: boolean
  readonly #urls: readonly string[]
  #current = 0

  constructor({ url, size, timeoutMs, isPrepared = true }: PoolSettings) {
    const { urls } = readPostgresUrl(url)
    // Of the connection alone, not of the wait for one that is in use; the other hosts have time left.
    const connectBound = timeoutMs !== null && { connectionTimeoutMillis: timeoutMs / urls.length }
    const currentUrl = (): string => urls[this.#current] ?? url
    super({
      Client: class extends Client {
        constructor(config?: ClientConfig) {
          super({ ...config, ...connectBound, connectionString: currentUrl() })
        }
      },
      max: size,
      application_name: 'mapcrate',
      types: numbers,
      idleTimeoutMillis: IDLE_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      onConnect: (client) => setUpSession(client, timeoutMs, urls.length > 1),
    })
    this.#urls = urls
    this.isPrepared = isPrepared
    // Idle connections that break are taken out of the pool; who needs one makes a new one.
    this.on('error', () => {})
    // One that breaks while it is acquired tells so by the query that fails.
    this.on('connect', (client) => void client.on('error', () => {}))
  }

  /** A connection to the host that takes writes. Throws what the last host failed with. */
  async connectToAny(): Promise<PoolClient> {
    for (let left = this.#urls.length - 1; ; left -= 1) {
      const tried = this.#current
      try {
        return await this.connect()
      } catch (error) {
        const isFull = hasNoConnectionLeft(error)
        // Another call may have turned to the next one already.
        if (!isFull && tried === this.#current) this.#current = (tried + 1) % this.#urls.length
        if (isFull || left === 0) throw error
      }
    }
  }
}

/**
 * While the server is at work on a statement it looks this often whether anybody still waits for it:
 * nothing is held, and no connection taken, for long by those who gave up or were killed.
 */
const LOOK_FOR_CLIENT = 'set client_connection_check_interval = 250'

/** Connections to a pooler: which server they lead to may change with each transaction. */
export const throughPooler = new WeakSet<ClientBase>()

/** Somebody who has begun a transaction and is gone must not hold the others up for longer. */
const IDLE_IN_TRANSACTION_MS = 5_000

/** What bounds the work of a server by itself: for the session by `set`, or for a transaction. */
export const boundStatements = (set: 'set' | 'set local', timeoutMs: number): string =>
  `${set} statement_timeout = ${timeoutMs};
  ${set} idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`

/**
 * Sets a new connection up for its life; one that a pooler shares out is left as it is.
 *
 * @param isOneOfSeveral refuse a server that takes no writes: another one does.
 */
export const setUpSession = async (
  client: ClientBase,
  timeoutMs: number | null,
  isOneOfSeveral: boolean,
): Promise<void> => {
  const bound = timeoutMs === null ? {} : { query_timeout: timeoutMs }
  const { rows } = await client.query<{ pid: number; readOnly: string }>({
    text: `select pg_backend_pid() as pid, current_setting('transaction_read_only') as "readOnly"`,
    ...bound,
  })
  const [server] = rows
  if (isOneOfSeveral && server?.readOnly === 'on') throw new ReadOnlyServer()
  const { processID } = client as ClientBase & { readonly processID?: number | null }
  // A pooler answers for many servers, and so under a number of its own.
  if (server?.pid !== processID) throughPooler.add(client)
  else if (timeoutMs !== null) {
    await client.query({ text: boundStatements('set', timeoutMs), ...bound })
    await lookForClient(client, timeoutMs)
  }
}

/** Servers that cannot do it refuse; whoever gave up then holds on until the statement ends. */
const lookForClient = async (client: ClientBase, timeoutMs: number): Promise<void> => {
  const set = { text: LOOK_FOR_CLIENT, query_timeout: timeoutMs }
  await client.query(set).catch((error: unknown) => {
    if (endsConnection(error)) throw error
  })
}
