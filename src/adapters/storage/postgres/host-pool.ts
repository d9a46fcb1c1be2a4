import { Client, type ClientBase, type ClientConfig, Pool, type PoolClient, types } from 'pg'
import { readPostgresUrl } from './address.ts'
import { endsConnection, hasNoConnectionLeft, ReadOnlyServer } from './errors.ts'

export type PoolSettings = {
  /** `postgres://…` with one host or several; a secret. */
  readonly url: string
  /** false: no statement is prepared under a name, as a pooler by the transaction needs it. */
  readonly isPrepared?: boolean
  /** Connections that this process has at most. */
  readonly size: number
  /** ms that a call of a store waits for a connection, and then has for its work; null: without bound. */
  readonly timeoutMs: number | null
  /** ms that connecting to a host may take; left out: all hosts together `timeoutMs`. */
  readonly connectMs?: number
}

/** What our connections are called among those of the server. */
export const APPLICATION = 'mapcrate'
const IDLE_MS = 30_000
/** A connection that a firewall has forgotten is found out before it is used. */
const KEEP_ALIVE_MS = 10_000
const INT8: number = types.builtins.INT8

// All of ours fit in a number: times, ids, counts. The driver would give text to be safe.
const numbers = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : types.getTypeParser(oid, format ?? 'text'),
} as unknown as typeof types

/** A pool over one host, or over several of which one takes writes. */
export class HostPool extends Pool {
  readonly #urls: readonly string[]
  #current = 0

  constructor({ url, size, timeoutMs, connectMs }: PoolSettings) {
    const { urls } = readPostgresUrl(url)
    // Of the connection alone, not of the wait for one that is in use; the other hosts have time left.
    const bound = connectMs ?? (timeoutMs !== null ? timeoutMs / urls.length : null)
    const connectBound = bound !== null && { connectionTimeoutMillis: bound }
    const currentUrl = (): string => urls[this.#current] ?? url
    super({
      Client: class extends Client {
        constructor(config?: ClientConfig) {
          super({ ...config, ...connectBound, connectionString: currentUrl() })
        }
      },
      max: size,
      application_name: APPLICATION,
      types: numbers,
      idleTimeoutMillis: IDLE_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      onConnect: (client) => setUpSession(client, timeoutMs, urls.length > 1),
    })
    this.#urls = urls
    // Idle connections that break are removed from the pool; the next call opens a new one.
    this.on('error', () => {})
    // When one breaks while it is acquired, the query over it fails.
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
        // Another call may have moved on to the next one already.
        if (!isFull && tried === this.#current) this.#current = (tried + 1) % this.#urls.length
        if (isFull || left === 0) throw error
      }
    }
  }
}

/** Ends the statements of clients that gave up or were killed, with their locks; in ms. */
const CHECK_CLIENT = 'set client_connection_check_interval = 250'

/** Connections to a pooler: which server they lead to may change with each transaction. */
export const throughPooler = new WeakSet<ClientBase>()

/** A process that has begun a transaction and is gone must not hold the others up for longer. */
const IDLE_IN_TRANSACTION_MS = 5_000

/** What bounds the work of a server by itself: for the session by `set`, or for a transaction. */
export function boundStatements(set: 'set' | 'set local', timeoutMs: number): string {
  return `${set} statement_timeout = ${timeoutMs};
  ${set} idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`
}

/** Sets up a new connection, unless a pooler shares it out; one of several must take writes. */
async function setUpSession(
  client: ClientBase,
  timeoutMs: number | null,
  isOneOfSeveral: boolean,
): Promise<void> {
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
    // Servers that cannot do it refuse; a statement that was given up then runs to its end.
    await client.query({ text: CHECK_CLIENT, ...bound }).catch((error: unknown) => {
      if (endsConnection(error)) throw error
    })
  }
}
