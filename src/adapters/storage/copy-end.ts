import { sql } from 'kysely'
import type { Engine } from './engine.ts'
import { createPostgresEngine } from './postgres-engine.ts'
import { POSTGRES_MIGRATIONS } from './postgres-migrations.ts'
import { createPostgresPool, PostgresLender } from './postgres-pool.ts'
import { preparePostgres } from './prepare-postgres.ts'
import { createSqliteCare } from './sqlite-care.ts'
import { createSqliteEngine } from './sqlite-engine.ts'
import { openSqliteFile } from './sqlite-file.ts'
import { SQLITE_MIGRATIONS } from './sqlite-migrations.ts'

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
