import { setTimeout as pause } from 'node:timers/promises'
import { Client, type ClientBase } from 'pg'
import { type Migration, readMigrations, refuseChanged, refuseNewer } from '../migrations.ts'
import { readPostgresUrl } from './address.ts'
import { LOCKS } from './engine.ts'
import { endsConnection, isLockedOut, ReadOnlyServer } from './errors.ts'

/** Where this version's migrations stand: numbered files of plain SQL. */
export const POSTGRES_MIGRATIONS = new URL('../../../../migrations/postgresql/', import.meta.url)

const MIGRATING = 100
/** How long one waits for another process that migrates. */
const LOCK_TIMEOUT = '10min'
/**
 * A change of a table waits for those who use it, and whoever comes later waits behind it: shorter
 * than a request may take. Then they pass, and it is tried again.
 */
const TABLE_LOCK_TIMEOUT = '500ms'
const TABLE_ATTEMPTS = 120
const PAUSE_MS = 1_000

/**
 * Only these take something away that the version before still used. All others it can live with:
 * it may be started, or go on, beside processes of this version.
 */
const isContraction = (name: string): boolean => name.includes('-contract-')

/**
 * Brings the database up to date: each missing migration in a transaction of its own, in the order
 * of their names, while processes of the version before are at work. Several processes may do it at
 * once: one does it, the others wait.
 *
 * @throws when the database is of a version too new for this one, or was made by other migrations.
 */
export const migratePostgres = async (client: ClientBase, directory: URL): Promise<void> => {
  const migrations = await readMigrations(directory)
  const recorded = await recordedHashes(client)
  if (isUpToDate(recorded, migrations)) return
  for (const migration of migrations) {
    if (!recorded.has(migration.name)) await applyPatiently(client, migration)
  }
  isUpToDate(await recordedHashes(client), migrations)
}

/** Says whether anything has ever been kept in this database. */
export const isPostgresStore = async (client: ClientBase): Promise<boolean> => {
  // Not by `to_regclass`: in a transaction, that does not see what others have made meanwhile.
  const { rows } = await client.query(
    `select exists (
      select from pg_class where relname = 'migration' and pg_table_is_visible(oid)
    ) as is_there`,
  )
  return rows[0]?.is_there === true
}

const isUpToDate = (
  recorded: ReadonlyMap<string, string>,
  migrations: readonly Migration[],
): boolean => {
  refuseNewer(recorded, migrations, isContraction)
  refuseChanged(recorded, migrations)
  return migrations.every(({ name }) => recorded.has(name))
}

const applyPatiently = async (client: ClientBase, migration: Migration): Promise<void> => {
  for (let made = 1; ; made += 1) {
    try {
      return await apply(client, migration)
    } catch (cause) {
      if (!isLockedOut(cause) || made === TABLE_ATTEMPTS) {
        const reason = cause instanceof Error ? cause.message : String(cause)
        const what = `Migration ${migration.name} failed (${reason}); ${stateAfter(cause)}`
        throw new Error(what, { cause })
      }
    }
    await pause(PAUSE_MS)
  }
}

/** Whoever loses the connection may have lost the answer to COMMIT alone. */
const stateAfter = (cause: unknown): string =>
  endsConnection(cause)
    ? 'it is done wholly or not at all, and the next start goes on from there'
    : 'the database is as it was before'

/** The lock and the settings end with the transaction, so that a pooler may stand in between. */
const apply = async (client: ClientBase, { name, sql, hash }: Migration): Promise<void> => {
  await client.query('begin')
  try {
    await waitForOthers(client)
    // Another process may have been first while this one waited.
    if ((await recordedHashes(client)).has(name)) return void (await client.query('rollback'))
    await client.query(`set local lock_timeout = '${TABLE_LOCK_TIMEOUT}'`)
    await client.query(
      'create table if not exists migration (name text collate "C" primary key, hash text not null)',
    )
    await client.query(sql)
    await client.query('insert into migration (name, hash) values ($1, $2)', [name, hash])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

const waitForOthers = async (client: ClientBase): Promise<void> => {
  await client.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`)
  try {
    await client.query('select pg_advisory_xact_lock($1, $2)', [LOCKS, MIGRATING])
  } catch (cause) {
    if (!isLockedOut(cause)) throw cause
    throw new Error(`another process has been changing the tables for ${LOCK_TIMEOUT}`, { cause })
  }
}

const recordedHashes = async (client: ClientBase): Promise<ReadonlyMap<string, string>> => {
  if (!(await isPostgresStore(client))) return new Map()
  const { rows } = await client.query('select name, hash from migration order by name')
  return new Map(rows.map(({ name, hash }) => [String(name), String(hash)]))
}

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
