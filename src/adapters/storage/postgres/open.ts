import { sql } from 'kysely'
import type { SharedIndex } from '../../../ports/search-index.ts'
import { type StoreCare, StoreUnavailable } from '../../../ports/store.ts'
import { type Engine, observeLocks, type RunStatement, type StoreObserver } from '../engine.ts'
import { asUnavailable, probeRoom } from '../store-check.ts'
import { createStores, type Stores } from '../stores.ts'
import { databaseTime } from '../stores/calls.ts'
import { refuseUnfinished } from '../stores/copy.ts'
import { backupPostgres } from './copy.ts'
import { createPostgresEngine } from './engine.ts'
import { createPostgresPool } from './host-pool.ts'
import { POSTGRES_MIGRATIONS, preparePostgres } from './migrations.ts'
import { PostgresLender } from './pool.ts'
import { createSharedIndex } from './search-index.ts'

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

const FORGETFUL =
  'DATABASE_URL leads to a pooler that forgets prepared statements; set DATABASE_PREPARED=off'

/** Looks after a store in a PostgreSQL database. */
const createPostgresCare = (
  { db, write }: Pick<Engine, 'db' | 'write'>,
  lender: PostgresLender,
  backup: (file: string) => Promise<void>,
): StoreCare => ({
  async check() {
    try {
      // To lock a row is to write, without a new version of it; a server that only reads refuses.
      const { rows } =
        await sql`select id from account where game_id is null for no key update`.execute(db)
      if (rows.length !== 1) throw new Error('The store has lost its system account')
      if (await lender.isForgetful()) throw new StoreUnavailable(FORGETFUL)
      if (!lender.isDiskFull) return
      await probeRoom({ write })
      lender.noteRoom()
    } catch (error) {
      throw asUnavailable(error)
    }
  },

  connections: () => lender.usage,

  backup,

  close: () => lender.close(),
})
