import { createPostgresEngine } from './postgres-engine.ts'
import { type HostPool, PostgresLender } from './postgres-pool.ts'
import { createSqliteCare } from './sqlite-care.ts'
import { createSqliteEngine } from './sqlite-engine.ts'
import { openSqliteFile } from './sqlite-file.ts'
import { SQLITE_MIGRATIONS } from './sqlite-migrations.ts'
import { copyRows, finishCopy } from './store-copy.ts'
import { writeNewFile } from './new-file.ts'

/** Nobody else has the file open. */
const PATIENCE_MS = 60_000

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
