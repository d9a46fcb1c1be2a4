import { setTimeout as pause } from 'node:timers/promises'
import type { ClientBase } from 'pg'
import { findMissing, type Migration, readMigrations } from '../migrations.ts'
import { LOCKS } from './engine.ts'
import { endsConnection, isLockedOut } from './errors.ts'
import { HostPool } from './host-pool.ts'

export const POSTGRES_MIGRATIONS = new URL('../../../../migrations/postgresql/', import.meta.url)

const CONNECT_MS = 10_000
const MIGRATING = 100
/** How long to wait for another process that migrates. */
const LOCK_TIMEOUT = '10min'
/**
 * A change of a table waits for those who use it, and later requests queue after it: shorter than a
 * request may take. Then they run, and the change is tried again.
 */
const TABLE_LOCK_TIMEOUT = '500ms'
const TABLE_ATTEMPTS = 120
const PAUSE_MS = 1_000

/**
 * Brings the tables up to date, or throws; the address is in no message.
 *
 * @param missing what to do with a database that holds nothing yet.
 */
export async function preparePostgres(
  url: string,
  missing: 'make' | 'refuse',
  migrations: URL,
): Promise<void> {
  try {
    await prepare(url, missing, migrations)
  } catch (cause) {
    throw new Error(`Cannot open the store in the database: ${reasonOf(cause)}`, { cause })
  }
}

async function prepare(url: string, missing: 'make' | 'refuse', migrations: URL): Promise<void> {
  const pool = new HostPool({ url, size: 1, timeoutMs: null, connectMs: CONNECT_MS })
  try {
    const client = await pool.connectToAny()
    try {
      await checkEncoding(client)
      if (missing === 'refuse' && !(await isPostgresStore(client))) {
        throw new Error("there is nothing in it; name the server's, or start the server first")
      }
      await migrate(client, migrations)
    } finally {
      client.release()
    }
  } finally {
    await pool.end()
  }
}

/** Several addresses of one name fail as one error without words. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}

async function checkEncoding(client: ClientBase): Promise<void> {
  const { rows } = await client.query('show server_encoding')
  const encoding = String(rows[0]?.server_encoding)
  if (encoding === 'UTF8') return
  throw new Error(`its encoding is ${encoding}; make a database with encoding UTF8`)
}

async function isPostgresStore(client: ClientBase): Promise<boolean> {
  // Not by `to_regclass`: in a transaction, that does not see what others have made meanwhile.
  const { rows } = await client.query(
    `select exists (
      select from pg_class where relname = 'migration' and pg_table_is_visible(oid)
    ) as is_there`,
  )
  return rows[0]?.is_there === true
}

/**
 * Applies each missing migration in a transaction of its own, while processes of the version before are
 * at work. Of several processes one does it, and the others wait.
 */
async function migrate(client: ClientBase, directory: URL): Promise<void> {
  const migrations = await readMigrations(directory)
  const lacking = async () => findMissing(await recordedHashes(client), migrations, isContraction)
  const missing = await lacking()
  for (const migration of missing) await applyWithRetries(client, migration)
  if (missing.length > 0) await lacking()
}

/**
 * Only these remove something that the version before still used. It can ignore all others: it may be
 * started, or keep running, together with processes of this version.
 */
function isContraction(name: string): boolean {
  return name.includes('-contract-')
}

async function applyWithRetries(client: ClientBase, migration: Migration): Promise<void> {
  for (let made = 1; ; made += 1) {
    try {
      return await apply(client, migration)
    } catch (cause) {
      if (!isLockedOut(cause) || made === TABLE_ATTEMPTS) {
        // Without the connection, the answer to COMMIT alone may have been lost.
        const state = endsConnection(cause)
          ? 'it is done wholly or not at all, and the next start goes on from there'
          : 'the database is as it was before'
        const what = `Migration ${migration.name} failed (${reasonOf(cause)}); ${state}`
        throw new Error(what, { cause })
      }
    }
    await pause(PAUSE_MS)
  }
}

/** The lock and the settings end with the transaction, so a pooler may be in between. */
async function apply(client: ClientBase, { name, sql, hash }: Migration): Promise<void> {
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

async function waitForOthers(client: ClientBase): Promise<void> {
  await client.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`)
  try {
    await client.query('select pg_advisory_xact_lock($1, $2)', [LOCKS, MIGRATING])
  } catch (cause) {
    if (!isLockedOut(cause)) throw cause
    throw new Error(`another process has been changing the tables for ${LOCK_TIMEOUT}`, { cause })
  }
}

async function recordedHashes(client: ClientBase): Promise<ReadonlyMap<string, string>> {
  if (!(await isPostgresStore(client))) return new Map()
  const { rows } = await client.query('select name, hash from migration order by name')
  return new Map(rows.map(({ name, hash }) => [String(name), String(hash)]))
}
