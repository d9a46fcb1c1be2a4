import { type SelectQueryBuilder, sql } from 'kysely'
import { type Awaitable, batch } from '../../../domain/loading.ts'
import { isSlug } from '../../../domain/keys.ts'
import type { SharedIndex } from '../../../ports/search.ts'
import { type StoreCare, StoreUnavailable } from '../../../ports/store.ts'
import type { WorkMeter } from '../../../ports/system.ts'
import { probeRoom } from '../disk-room.ts'
import {
  type Db,
  type Engine,
  observeLocks,
  type RunStatement,
  type StoreObserver,
} from '../engine.ts'
import { prepareQuery } from '../query.ts'
import { createStores, type Stores } from '../stores.ts'
import { createChangeCounter } from '../stores/public-count.ts'
import { createSharedIndex } from '../stores/search-index.ts'
import { packsWithOwner, slimPacksWithOwner, type SlimRow } from '../stores/pack-queries.ts'
import type { Tables } from '../tables.ts'
import { PostgresCaches } from './caches.ts'
import { backupPostgres } from './copy.ts'
import { createPostgresEngine } from './engine.ts'
import { asUnavailable } from './errors.ts'
import type { PoolSettings } from './host-pool.ts'
import { POSTGRES_MIGRATIONS, preparePostgres, whichStore } from './migrations.ts'
import { ConnectionPool } from './pool.ts'

export type PostgresOptions = Partial<Pick<PoolSettings, 'size' | 'timeoutMs' | 'isPrepared'>> & {
  /** What to do with a database that holds nothing yet. */
  readonly missing?: 'make' | 'refuse'
  /** The same database past a pooler, for migrations; a secret. */
  readonly directUrl?: string
  /** Whose clock calls to the platform are counted by; left out: the database's (D-53). */
  readonly clock?: 'database' | 'caller'
  readonly migrations?: URL
  readonly observer?: StoreObserver | undefined
  /** Gets what searches cost the request that they are for; left out: nothing does. */
  readonly work?: WorkMeter
}

export type PostgresStores = Stores & {
  sharedIndex: SharedIndex
  run: RunStatement
  caches: PostgresCaches
}

/** What is wrong with the `directUrl`, and not with the address of the store. */
export class DirectUrlError extends Error {}

const SIZE = 10
/** Two calls, one after the other, still leave time to answer within five seconds. */
const TIMEOUT_MS = 2_000

/**
 * Opens the store in this database, which any number of processes may do; its tables are brought up to
 * date. Throws when it cannot be reached or was made by too new a version; the `url` is in no message.
 */
export async function openPostgresStores(
  url: string,
  {
    size = SIZE,
    timeoutMs = TIMEOUT_MS,
    isPrepared = true,
    directUrl = url,
    missing = 'make',
    clock = 'database',
    migrations = POSTGRES_MIGRATIONS,
    observer,
    work,
  }: PostgresOptions = {},
): Promise<PostgresStores> {
  await prepare(url, directUrl, missing, migrations)
  const pool = new ConnectionPool({ url, size, timeoutMs, isPrepared })
  const run = runOver(pool, observer)
  const caches = new PostgresCaches(run)
  const engine = createPostgresEngine(pool, observer, work, clock, caches)
  const care = createPostgresCare(engine, pool, (file) => backupPostgres(url, file))
  // Processes of the version before let blocks grow larger than pending changes allow. A database that
  // takes no writes now is served nevertheless.
  await createChangeCounter(engine)
    .countInTurn()
    .catch(() => {})
  const stores = createStores(observeLocks(engine, observer), care, {
    whole: batchBySlug(engine.db, packsWithOwner(engine.db)),
    slim: batchBySlug(engine.db, slimPacksWithOwner(engine.db)),
  })
  return {
    ...stores,
    ...boundReads(stores, pool),
    sharedIndex: createSharedIndex(run),
    run,
    caches,
  }
}

async function prepare(
  url: string,
  directUrl: string,
  missing: 'make' | 'refuse',
  migrations: URL,
): Promise<void> {
  if (directUrl === url) return void (await preparePostgres(url, missing, migrations))
  const prepared = await preparePostgres(directUrl, missing, migrations).catch((cause: Error) => {
    throw new DirectUrlError(cause.message, { cause })
  })
  if ((await whichStore(url)) === prepared) return
  throw new DirectUrlError(
    'Cannot open the store in the database: it is another one than that of DATABASE_URL; name the same',
  )
}

function runOver(pool: ConnectionPool, observer: StoreObserver | undefined): RunStatement {
  const connections = pool.forKysely()
  return async <R>(text: string, values: readonly unknown[]) => {
    const connection = await connections.connect()
    const begun = performance.now()
    try {
      return (await connection.query<R>(text, values)).rows
    } finally {
      observer?.onStatement(performance.now() - begun)
      connection.release()
    }
  }
}

const FORGETFUL =
  'DATABASE_URL leads to a pooler that forgets prepared statements; set DATABASE_PREPARED=off'

function createPostgresCare(
  { db, write, timeOf }: Engine,
  pool: ConnectionPool,
  backup: (file: string) => Promise<void>,
): StoreCare {
  return {
    async check() {
      try {
        // To lock a row is to write, without a new version of it; a server that only reads refuses.
        const { rows } =
          await sql`select id from account where game_id is null for no key update`.execute(db)
        if (rows.length !== 1) throw new Error('The store has lost its system account')
        if (await pool.isForgetful()) throw new StoreUnavailable(FORGETFUL)
        if (!pool.isDiskFull) return
        await probeRoom({ write })
        pool.isDiskFull = false
      } catch (error) {
        throw asUnavailable(error)
      }
    },

    connections: () => pool.usage,

    timeOf: (callerNow) => timeOf(db, callerNow),

    backup,

    close: () => pool.close(),
  }
}

/** The stores of which reads take more than one statement: those have the time of a single call. */
function boundReads({ packs, tournaments, changes }: Stores, pool: ConnectionPool) {
  const inTime = <T>(work: () => Awaitable<T>): Awaitable<T> => {
    const result = work()
    return result instanceof Promise ? pool.inTime(() => result) : result
  }
  return {
    packs: {
      ...packs,
      // What a database refuses to compare with must not fail what others ask at once.
      read: (slug) => (isSlug(slug) ? inTime(() => packs.read(slug)) : null),
      listPublic: (...page) => inTime(() => packs.listPublic(...page)),
      readHistory: (slug) => pool.inTime(() => packs.readHistory(slug)),
    },
    tournaments: {
      ...tournaments,
      read: (slug) => (isSlug(slug) ? inTime(() => tournaments.read(slug)) : null),
    },
    changes: { ...changes, read: (...range) => pool.inTime(() => changes.read(...range)) },
  } satisfies Partial<Stores>
}

const MAX_BATCH = 16

/** Reads the rows of packs that are asked for at once in one query. */
function batchBySlug<R extends SlimRow>(
  db: Db,
  packs: SelectQueryBuilder<Tables, 'pack', R>,
): (slug: string) => Promise<R | undefined> {
  const query = () =>
    prepareQuery((slugs: readonly string[]) => packs.where('slug', 'in', Object.values(slugs)))
  const one = query()
  const several = query()
  return batch(
    (slugs: readonly string[]) => {
      const [first = ''] = slugs
      const filled = Array.from({ length: MAX_BATCH }, (_, at) => slugs[at] ?? first)
      const rows = slugs.length === 1 ? one(db, slugs) : several(db, filled)
      return slugs.map(async (slug) => (await rows).find((row) => row.slug === slug))
    },
    MAX_BATCH,
    setImmediate,
  )
}
