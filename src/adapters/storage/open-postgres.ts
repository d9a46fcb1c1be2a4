import type { SharedIndex } from '../../ports/search-index.ts'
import { databaseTime } from './call-budget.ts'
import { observeLocks, type StoreObserver } from './observed-engine.ts'
import { backupPostgres } from './postgres-backup.ts'
import { createPostgresCare } from './postgres-care.ts'
import { createPostgresEngine } from './postgres-engine.ts'
import { createSharedIndex } from './postgres-index.ts'
import { POSTGRES_MIGRATIONS } from './postgres-migrations.ts'
import { createPostgresPool, PostgresLender } from './postgres-pool.ts'
import { preparePostgres } from './prepare-postgres.ts'
import type { RunStatement } from './run-statement.ts'
import { refuseUnfinished } from './store-copy.ts'
import { createStores, type Stores } from './stores.ts'

/** How a database is opened when not as usual. */
export type PostgresOptions = {
  /** Connections that this process has at most. */
  readonly size?: number
  /** ms that one call may take; null: without bound, for work that nobody waits for. */
  readonly patience?: number | null
  /** What to do with a database that holds nothing yet. */
  readonly missing?: 'make' | 'refuse'
  /** false where a pooler gives connections by the transaction. */
  readonly isPrepared?: boolean
  /** The same database past a pooler, for migrations; a secret. */
  readonly directUrl?: string
  /** Whose clock calls to the platform are counted by; left out: the database's (D-53). */
  readonly clock?: 'database' | 'caller'
  /** The directory of the migrations. */
  readonly migrations?: URL
  /** Hears what the store takes. */
  readonly observer?: StoreObserver | undefined
}

/** The stores, what processes share besides, and the way to the database for what else is kept there. */
export type PostgresStores = Stores & {
  readonly sharedIndex: SharedIndex
  readonly run: RunStatement
}

const SIZE = 10
/** Two calls, one after the other, still leave time to answer within five seconds. */
const PATIENCE_MS = 2_000
const BACKUP_CONNECTIONS = 1

/**
 * Opens the store in this database; its tables are made when missing and brought up to date.
 * Any number of processes may have it open.
 *
 * @param url `postgres://…`; it is in no message.
 * @throws when the database cannot be reached or was made by too new a version.
 */
export const openPostgresStores = async (
  url: string,
  {
    size = SIZE,
    patience = PATIENCE_MS,
    isPrepared = true,
    directUrl = url,
    missing = 'make',
    clock = 'database',
    migrations = POSTGRES_MIGRATIONS,
    observer,
  }: PostgresOptions = {},
): Promise<PostgresStores> => {
  await preparePostgres(directUrl, missing, migrations)
  const lender = new PostgresLender(
    createPostgresPool({ url, size, patience, isPrepared }),
    patience,
  )
  const engine = createPostgresEngine(lender, observer)
  const unbound = { url, patience: null, isPrepared: false }
  const backup = (file: string) =>
    backupPostgres(createPostgresPool({ ...unbound, size: BACKUP_CONNECTIONS }), file)
  const pool = lender.pool()
  const run: RunStatement = async <R>(text: string, values: readonly unknown[]) => {
    const connection = await pool.connect()
    const begun = observer && performance.now()
    try {
      return (await connection.query<R>(text, values)).rows
    } finally {
      if (begun !== undefined) observer?.onStatement(performance.now() - begun)
      connection.release()
    }
  }
  const care = createPostgresCare(engine, lender, backup)
  try {
    await refuseUnfinished(engine.db)
  } catch (error) {
    await care.close()
    throw error
  }
  return {
    ...createStores(
      observeLocks(engine, observer),
      care,
      clock === 'database' ? databaseTime : null,
    ),
    sharedIndex: createSharedIndex(run),
    run,
  }
}
