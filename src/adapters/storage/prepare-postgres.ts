import { Client } from 'pg'
import { readPostgresUrl } from './postgres-address.ts'
import { ReadOnlyServer } from './postgres-errors.ts'
import { isPostgresStore, migratePostgres } from './postgres-migrations.ts'

const CONNECT_MS = 10_000

/**
 * Sees to it that the database can be used: its tables are made when missing and brought up to date.
 *
 * @param missing what to do with a database that holds nothing yet.
 * @throws when it cannot be; the address is in no message.
 */
export const preparePostgres = async (
  url: string,
  missing: 'make' | 'refuse',
  migrations: URL,
): Promise<void> => {
  try {
    await prepare(url, missing, migrations)
  } catch (cause) {
    throw new Error(`Cannot open the store in the database: ${reasonOf(cause)}`, { cause })
  }
}

const prepare = async (url: string, missing: 'make' | 'refuse', migrations: URL): Promise<void> => {
  const client = await connectToAny(readPostgresUrl(url).urls)
  try {
    await checkEncoding(client)
    if (missing === 'refuse' && !(await isPostgresStore(client))) {
      throw new Error("there is nothing in it; name the server's, or start the server first")
    }
    await migratePostgres(client, migrations)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Connects to the first of the hosts that takes writes; a single host is taken as it is. */
const connectToAny = async (urls: readonly string[]): Promise<Client> => {
  let failure: unknown
  for (const url of urls) {
    const client = new Client({
      connectionString: url,
      application_name: 'mapcrate',
      connectionTimeoutMillis: CONNECT_MS,
    })
    // Whoever waits for a query hears of a connection that breaks.
    client.on('error', () => {})
    try {
      await client.connect()
      if (urls.length > 1) await refuseReadOnly(client)
      return client
    } catch (error) {
      failure = error
      await client.end().catch(() => {})
    }
  }
  throw failure
}

const refuseReadOnly = async (client: Client): Promise<void> => {
  const { rows } = await client.query('show transaction_read_only')
  if (rows[0]?.transaction_read_only === 'on') throw new ReadOnlyServer()
}

const checkEncoding = async (client: Client): Promise<void> => {
  const { rows } = await client.query('show server_encoding')
  const encoding = String(rows[0]?.server_encoding)
  if (encoding === 'UTF8') return
  throw new Error(`its encoding is ${encoding}; make a database with encoding UTF8`)
}

/** Several addresses of one name fail as one error without words. */
const reasonOf = (error: unknown): string => {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
