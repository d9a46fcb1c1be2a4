import { join } from 'node:path'
import { sql } from 'kysely'
import type { Engine } from '../../src/adapters/storage/engine.ts'
import { createPostgresEngine } from '../../src/adapters/storage/postgres/engine.ts'
import { openPostgresStores } from '../../src/adapters/storage/postgres/open.ts'
import { ConnectionPool } from '../../src/adapters/storage/postgres/pool.ts'
import { createSqliteEngine } from '../../src/adapters/storage/sqlite/engine.ts'
import { openSqliteFile, SQLITE_MIGRATIONS } from '../../src/adapters/storage/sqlite/file.ts'
import { createSqliteCare } from '../../src/adapters/storage/sqlite/open.ts'

/** A store that much is written into at once; nobody waits for an answer from it. */
export type BulkStore = {
  readonly engine: Pick<Engine, 'db' | 'read' | 'write' | 'tryWrite'>
  /** Lets the database look over what has come, as it does by itself sooner or later. */
  readonly settle: () => Promise<void>
  readonly close: () => Promise<void>
}

const TIMEOUT_MS = 60_000
/** Random places in the indexes of a million packs stay in memory; in KB, negative as SQLite wants it. */
const CACHE = -512 * 1024

const openFile = async (path: string): Promise<BulkStore> => {
  const file = await openSqliteFile(path, SQLITE_MIGRATIONS, TIMEOUT_MS)
  file.writer.exec(`pragma cache_size = ${CACHE}`)
  const engine = createSqliteEngine(file, TIMEOUT_MS)
  const care = createSqliteCare(path, file, engine)
  return {
    engine,
    settle: async () => file.writer.exec('analyze'),
    close: () => care.close(),
  }
}

const openDatabase = async (url: string): Promise<BulkStore> => {
  await (await openPostgresStores(url)).care.close()
  const pool = new ConnectionPool({ url, size: 1, timeoutMs: null })
  const engine = createPostgresEngine(pool)
  return {
    engine,
    settle: async () => void (await sql`vacuum (analyze)`.execute(engine.db)),
    close: () => pool.close(),
  }
}

/** Where a store is: in a folder, unless there is a database. */
export type StorePlace = { readonly dataDir: string; readonly databaseUrl: string | null }

/** Opens the store there, made when it is missing; whoever asks closes it. */
export const openBulkStore = ({ dataDir, databaseUrl }: StorePlace): Promise<BulkStore> =>
  databaseUrl === null ? openFile(join(dataDir, 'mapcrate.db')) : openDatabase(databaseUrl)
