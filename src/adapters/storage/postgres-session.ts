import type { ClientBase } from 'pg'
import { endsConnection, ReadOnlyServer } from './postgres-errors.ts'

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
export const boundStatements = (set: 'set' | 'set local', patience: number): string =>
  `${set} statement_timeout = ${patience};
  ${set} idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`

/**
 * Sets a new connection up for its life; one that a pooler shares out is left as it is.
 *
 * @param isOneOfSeveral refuse a server that takes no writes: another one does.
 */
export const setUpSession = async (
  client: ClientBase,
  patience: number | null,
  isOneOfSeveral: boolean,
): Promise<void> => {
  const bound = patience === null ? {} : { query_timeout: patience }
  const { rows } = await client.query<{ pid: number; readOnly: string }>({
    text: `select pg_backend_pid() as pid, current_setting('transaction_read_only') as "readOnly"`,
    ...bound,
  })
  const [server] = rows
  if (isOneOfSeveral && server?.readOnly === 'on') throw new ReadOnlyServer()
  const { processID } = client as ClientBase & { readonly processID?: number | null }
  // A pooler answers for many servers, and so under a number of its own.
  if (server?.pid !== processID) throughPooler.add(client)
  else if (patience !== null) {
    await client.query({ text: boundStatements('set', patience), ...bound })
    await lookForClient(client, patience)
  }
}

/** Servers that cannot do it refuse; whoever gave up then holds on until the statement ends. */
const lookForClient = async (client: ClientBase, patience: number): Promise<void> => {
  const set = { text: LOOK_FOR_CLIENT, query_timeout: patience }
  await client.query(set).catch((error: unknown) => {
    if (endsConnection(error)) throw error
  })
}
