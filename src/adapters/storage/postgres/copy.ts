import { sql } from 'kysely'
import type { Engine } from '../engine.ts'
import { writeNewFile } from '../sqlite/backup.ts'
import { createSqliteEngine } from '../sqlite/engine.ts'
import { openSqliteFile, SQLITE_MIGRATIONS } from '../sqlite/file.ts'
import { createSqliteCare } from '../sqlite/open.ts'
import { copyRows, finishCopy } from '../stores/copy.ts'
import { createPostgresEngine } from './engine.ts'
import { createPostgresPool, type HostPool } from './host-pool.ts'
import { POSTGRES_MIGRATIONS, preparePostgres } from './migrations.ts'
import { PostgresLender } from './pool.ts'

/** A store that is copied from or to; nobody waits for an answer from it. */
export type CopyEnd = {
  readonly engine: Pick<Engine, 'db' | 'read' | 'write'>
  /** To be called once rows have come that were numbered elsewhere. */
  readonly settle: () => Promise<void>
  readonly close: () => Promise<void>
}

const PATIENCE_MS = 60_000
/** One reads a state of the store while the other is asked beside it. */
const CONNECTIONS = 2

export const openSqliteEnd = async (file: string): Promise<CopyEnd> => {
  const opened = await openSqliteFile(file, SQLITE_MIGRATIONS, PATIENCE_MS)
  const engine = createSqliteEngine(opened, PATIENCE_MS)
  const care = createSqliteCare(file, opened, engine)
  // The file counts on from the greatest number that it is given.
  return { engine, settle: async () => {}, close: () => care.close() }
}

/** @param missing what to do with a database that holds nothing yet. */
export const openPostgresEnd = async (
  url: string,
  missing: 'make' | 'refuse',
): Promise<CopyEnd> => {
  await preparePostgres(url, missing, POSTGRES_MIGRATIONS)
  const pool = createPostgresPool({
    url,
    size: CONNECTIONS,
    patience: null,
    isPrepared: false,
  })
  const lender = new PostgresLender(pool, null)
  const engine = createPostgresEngine(lender)
  const settle = async (): Promise<void> => {
    await engine.write('packs', async (tx) => {
      for (const table of ['pack', 'moderation_log', 'platform_call']) {
        const next = sql`(select coalesce(max(id), 0) + 1 from ${sql.table(table)})`
        await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${next}, false)`.execute(tx)
      }
      // What processes shared told of what was here before.
      await sql`delete from published_index`.execute(tx)
      await sql`delete from quota`.execute(tx)
    })
  }
  return { engine, settle, close: () => lender.close() }
}

/**
 * Copies a database that is in use to a store in a file, which a server can be started with as it
 * is. Others read and write meanwhile; the copy is of one moment.
 *
 * @param pool without a bound on how long a statement takes; it is ended.
 * @throws when `target` exists or cannot be written; nothing is left there then.
 */
export const backupPostgres = async (pool: HostPool, target: string): Promise<void> => {
  const lender = new PostgresLender(pool, null)
  try {
    await writeNewFile(target, async (unfinished) => {
      const { read } = createPostgresEngine(lender)
      const file = await openSqliteFile(unfinished, SQLITE_MIGRATIONS, PATIENCE_MS)
      const engine = createSqliteEngine(file, PATIENCE_MS)
      try {
        await read((from) => copyRows(from, engine))
        await finishCopy(engine)
      } finally {
        await createSqliteCare(unfinished, file, engine).close()
      }
    })
  } finally {
    await lender.close()
  }
}
