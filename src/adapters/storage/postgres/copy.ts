import { sql } from 'kysely'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Engine } from '../engine.ts'
import { type Filler, IN_USE } from '../migrations.ts'
import { writeNewFile } from '../sqlite/backup.ts'
import { createSqliteEngine } from '../sqlite/engine.ts'
import {
  checkSqliteStore,
  makePrivateFolder,
  markUnfinished,
  openSqliteFile,
  SQLITE_MIGRATIONS,
} from '../sqlite/file.ts'
import { acquireServerLock } from '../sqlite/lock.ts'
import { createSqliteCare } from '../sqlite/open.ts'
import { removeAbandoned } from '../sqlite/scratch.ts'
import { copyRows, finishCopy, keptTables } from '../stores/copy.ts'
import { createPostgresEngine } from './engine.ts'
import { checkPostgresStore, POSTGRES_MIGRATIONS, preparePostgres } from './migrations.ts'
import { ConnectionPool } from './pool.ts'

/** A store that is copied from or to; no request waits for it. */
type CopyEnd = {
  readonly engine: Pick<Engine, 'db' | 'read' | 'write'>
  /** Called after rows were copied to it that were numbered elsewhere. */
  readonly finish: () => Promise<void>
  readonly close: () => Promise<void>
}

const TIMEOUT_MS = 60_000
const UNBOUND = { timeoutMs: null, isPrepared: false } as const

/** @param use what fills it; or to read it: brought up to date first, the file is not needed as it is. */
export async function openSqliteEnd(path: string, use: Filler | 'read'): Promise<CopyEnd> {
  if (use === 'read') await checkSqliteStore(path)
  else await makeUnfinished(path, use)
  const unlock = use === 'copy' || use === 'restore' ? await lockTarget(path) : () => {}
  const filler = use === 'read' ? undefined : use
  try {
    const file = await openSqliteFile(path, SQLITE_MIGRATIONS, TIMEOUT_MS, filler)
    const engine = createSqliteEngine(file, TIMEOUT_MS)
    const care = createSqliteCare(path, file, engine)
    // The file counts on from the greatest number that it is given.
    return { engine, finish: async () => {}, close: () => care.close().finally(unlock) }
  } catch (error) {
    unlock()
    throw error
  }
}

async function lockTarget(path: string): Promise<() => void> {
  const unlock = await acquireServerLock(path)
  if (unlock !== null) return unlock
  throw new Error(IN_USE)
}

/** A file that is missing comes into place with its mark. */
async function makeUnfinished(path: string, filler: Filler): Promise<void> {
  await removeAbandoned(dirname(path))
  if (existsSync(path)) return
  await makePrivateFolder(dirname(path))
  await writeNewFile(path, async (unfinished) => {
    using database = new DatabaseSync(unfinished)
    markUnfinished(database, filler)
  })
}

/** @param use what fills it; or to read it, which changes nothing. */
export async function openPostgresEnd(url: string, use: Filler | 'read'): Promise<CopyEnd> {
  if (use === 'read') await checkPostgresStore(url)
  else await preparePostgres(url, 'make', POSTGRES_MIGRATIONS, use)
  // One reads a state of the store while the other is used for single queries.
  const pool = new ConnectionPool({ ...UNBOUND, url, size: 2 })
  const engine = createPostgresEngine(pool)
  const finish = async (): Promise<void> => {
    await engine.write('packs', async (tx) => {
      for (const table of [
        'pack',
        'pack_change',
        'tournament_change',
        'tournament_message',
        'public_change',
        'moderation_log',
        'platform_call',
      ]) {
        const next = sql`(select coalesce(max(id), 0) + 1 from ${sql.table(table)})`
        await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${next}, false)`.execute(tx)
      }
      // What processes shared about the rows that were here before.
      await sql`delete from published_index`.execute(tx)
      await sql`delete from quota`.execute(tx)
    })
  }
  return { engine, finish, close: () => pool.close() }
}

/**
 * How many rows of what is copied were ever written, table by table, as the statistics of the database count them; null
 * while they may lack some: a connection counts seconds later what it has written, and at the latest when it ends; a
 * standby counts nothing.
 */
export async function countWrites(url: string): Promise<string | null> {
  const pool = new ConnectionPool({ ...UNBOUND, url, size: 1 })
  try {
    const { db } = createPostgresEngine(pool)
    const others = await sql`
      select 1 where current_setting('track_counts') = 'off' or pg_is_in_recovery() or exists (
        select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        -- Of connections of other users, the kind is hidden.
        and coalesce(backend_type, 'client backend') = 'client backend')`.execute(db)
    if (others.rows.length > 0) return null
    const { rows } = await sql<{ name: string; written: number }>`
      select relname as name, n_tup_ins + n_tup_upd + n_tup_del as written
      from pg_stat_user_tables where pg_table_is_visible(relid) order by relname`.execute(db)
    const written = rows.filter(({ name }) => name in keptTables)
    return written.map(({ name, written }) => `${name} ${written}`).join('\n')
  } finally {
    await pool.close()
  }
}

/** Copies a database that is in use, as of one moment, to a store in a file. Throws as `writeNewFile`. */
export async function backupPostgres(url: string, target: string): Promise<void> {
  const pool = new ConnectionPool({ ...UNBOUND, url, size: 1 })
  try {
    await writeNewFile(target, async (unfinished) => {
      const { engine, close } = await openSqliteEnd(unfinished, 'backup')
      try {
        await createPostgresEngine(pool).read((from) => copyRows(from, engine))
        await finishCopy(engine)
      } finally {
        await close()
      }
    })
  } finally {
    await pool.close()
  }
}
