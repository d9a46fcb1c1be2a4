import { setTimeout as pause } from 'node:timers/promises'
import type { ClientBase } from 'pg'
import {
  type Filler,
  FIND_READ_ONLY,
  findMissing,
  findMissingOfSource,
  IN_USE,
  isUnfinished,
  type Migration,
  findContent,
  NOT_EMPTY,
  readMigrations,
  SOURCE_IN_USE,
  UNFINISHED,
} from '../migrations.ts'
import { LOCKS } from './engine.ts'
import { endsConnection, isLockedOut } from './errors.ts'
import { APPLICATION, HostPool, throughPooler } from './host-pool.ts'

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
 * @param filler opens a store that it fills, and that no other process can open before `finishCopy`.
 * @returns which store it is, as `whichStore` reports it over any other address of the same one.
 */
export async function preparePostgres(
  url: string,
  missing: 'make' | 'refuse',
  migrations: URL,
  filler?: Filler,
): Promise<string> {
  return overClient(url, async (client) => {
    if (missing === 'refuse' && !(await isPostgresStore(client))) {
      throw new Error("there is nothing in it; name the server's, or start the server first")
    }
    if (filler !== undefined) {
      await inTurn(client, async () => {
        await markUnfinished(client, filler)
        await refuseUsed(client, IN_USE)
      })
    }
    await migrate(client, migrations, filler)
    return identify(client)
  })
}

/** Which store is at this address; '' for a database that has none. Throws when it cannot be reached. */
export const whichStore = (url: string): Promise<string> => overClient(url, identify)

/** The same for one table alone, whichever user, schema, pooler or address leads to it. */
async function identify(client: ClientBase): Promise<string> {
  const { rows } = await client.query(`
    select coalesce(extract(epoch from pg_postmaster_start_time()) || ' ' || pg_database.oid || ' ' || pg_class.oid, '') as place
    from pg_database left join pg_class on relname = 'migration' and pg_table_is_visible(pg_class.oid)
    where datname = current_database()`)
  return String(rows[0]?.place)
}

/** Throws when a database holds no store, or one that this version cannot copy as it is; changes nothing. */
export async function checkPostgresStore(url: string): Promise<void> {
  await overClient(url, async (client) => {
    const migrations = await readMigrations(POSTGRES_MIGRATIONS)
    const [missing] = findMissingOfSource(await recordedHashes(client), migrations)
    if (missing !== undefined) {
      throw new Error(
        `The store was made by an older version (${missing.name} is not in it): start a server of this ` +
          'version on it once, or use the commands of the version that made it',
      )
    }
    if ((await client.query(FIND_READ_ONLY)).rows.length > 0) return
    await inTransaction(client, () => refuseUsed(client, SOURCE_IN_USE))
  })
}

async function overClient<T>(url: string, use: (client: ClientBase) => Promise<T>): Promise<T> {
  const pool = new HostPool({ url, size: 1, timeoutMs: null, connectMs: CONNECT_MS })
  try {
    const client = await pool.connectToAny()
    try {
      await checkEncoding(client)
      return await use(client)
    } finally {
      client.release()
    }
  } catch (cause) {
    throw new Error(`Cannot open the store in the database: ${reasonOf(cause)}`, { cause })
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
      select from pg_class join pg_attribute on attrelid = pg_class.oid
      where relname = 'migration' and attname = 'hash' and pg_table_is_visible(pg_class.oid)
    ) as is_there`,
  )
  return rows[0]?.is_there === true
}

/**
 * Applies each missing migration in a transaction of its own, while processes of the version before are
 * at work. Of several processes one does it, and the others wait.
 */
async function migrate(
  client: ClientBase,
  directory: URL,
  filler: Filler | undefined,
): Promise<void> {
  const migrations = await readMigrations(directory)
  const lacking = async () =>
    findMissing(await recordedHashes(client), migrations, filler, isContraction)
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

async function apply(client: ClientBase, { name, sql, hash }: Migration): Promise<void> {
  await inTurn(client, async () => {
    // Another process may have been first while this one waited.
    if ((await recordedHashes(client)).has(name)) return
    await client.query(`set local lock_timeout = '${TABLE_LOCK_TIMEOUT}'`)
    await client.query(MIGRATION_TABLE)
    await client.query(sql)
    await client.query('insert into migration (name, hash) values ($1, $2)', [name, hash])
  })
}

/** Every server asks something each second (`worker/operator.ts`). */
const QUIET_MS = 2_500
const LOOK_AFTER_MS = 3_000

/**
 * In a transaction: throws when a server or a command is at work in the database. No lock shows that: one of a session is
 * lost behind a pooler, and with each connection that breaks. Connections that a pooler has kept are quiet.
 */
async function refuseUsed(client: ClientBase, reason: string): Promise<void> {
  const others = async (more = ''): Promise<number[]> => {
    const { rows } = await client.query(`
      select pid from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend'
        and application_name = '${APPLICATION}' and pid <> pg_backend_pid() ${more}`)
    return rows.map(({ pid }) => Number(pid))
  }
  // A pooler may have asked everybody's questions over the connection that this transaction has now to itself.
  if (!throughPooler.has(client) && (await others()).length === 0) return
  await pause(LOOK_AFTER_MS)
  await client.query('select pg_stat_clear_snapshot()')
  // Of a server that does not keep track (`track_activities`), nothing is known.
  const pids = await others(`and state <> 'disabled'
        and (state <> 'idle' or state_change > clock_timestamp() - interval '${QUIET_MS} ms')`)
  if (pids.length === 0) return
  const ends = pids.map((pid) => `pg_terminate_backend(${pid})`).join(', ')
  throw new Error(`${reason}; a connection that was left behind is ended by: select ${ends}`)
}

const MIGRATION_TABLE =
  'create table if not exists migration (name text collate "C" primary key, hash text not null)'

/** Throws when the store is not empty, unless it is being filled already. */
async function markUnfinished(client: ClientBase, filler: Filler): Promise<void> {
  const recorded = await recordedHashes(client)
  const name = UNFINISHED + filler
  if (isUnfinished(recorded)) {
    const renamed = `update migration set name = $1 where name like '${UNFINISHED}%'`
    return void (await client.query(renamed, [name]))
  }
  if (recorded.size > 0) {
    const tables = await client.query<{ name: string }>(
      'select tablename as name from pg_tables where schemaname = current_schema()',
    )
    const { rows } = await client.query(findContent(tables.rows.map(({ name }) => name)))
    if (rows.length > 0) throw new Error(NOT_EMPTY)
  }
  await client.query(MIGRATION_TABLE)
  await client.query("insert into migration (name, hash) values ($1, '')", [name])
}

/**
 * One transaction of those that change the tables. The lock and the settings end with it, so a pooler may be in
 * between.
 */
function inTurn(client: ClientBase, work: () => Promise<void>): Promise<void> {
  return inTransaction(client, async () => {
    await waitForOthers(client)
    await work()
  })
}

async function inTransaction(client: ClientBase, work: () => Promise<void>): Promise<void> {
  await client.query('begin')
  try {
    await work()
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
