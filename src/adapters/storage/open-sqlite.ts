import { observeLocks, type StoreObserver } from './observed-engine.ts'
import { createSqliteCare } from './sqlite-care.ts'
import { createSqliteEngine } from './sqlite-engine.ts'
import { openSqliteFile } from './sqlite-file.ts'
import { SQLITE_MIGRATIONS } from './sqlite-migrations.ts'
import { refuseUnfinished } from './store-copy.ts'
import { createStores, type Stores } from './stores.ts'

/** How a store is opened when not as usual. */
export type SqliteOptions = {
  /** ms that a request waits while another process writes. */
  readonly patience?: number
  /** The directory of the migrations. */
  readonly migrations?: URL
  /** Hears what the store takes. */
  readonly observer?: StoreObserver | undefined
}

const PATIENCE_MS = 3000

/**
 * Opens the store in this file; directories and file are made when missing and brought up to date.
 * Several processes may have it open.
 *
 * @throws when the file cannot be opened or was made by a newer version.
 */
export const openSqliteStores = async (
  path: string,
  { patience = PATIENCE_MS, migrations = SQLITE_MIGRATIONS, observer }: SqliteOptions = {},
): Promise<Stores> => {
  const file = await openSqliteFile(path, migrations, patience)
  const engine = createSqliteEngine(file, patience, observer)
  const care = createSqliteCare(path, file, engine)
  try {
    await refuseUnfinished(engine.db)
  } catch (error) {
    await care.close()
    throw error
  }
  return createStores(observeLocks(engine, observer), care)
}
