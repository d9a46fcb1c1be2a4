import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import type { StorePlace } from '../scripts/seed/open-bulk-store.ts'
import type { Stores } from '../src/adapters/storage/stores.ts'
import { groundOn } from './kill-cycles-postgres.ts'
import type { Host } from './planned-rounds.ts'
import { LOAD_CORE, SERVER_CORE, startService } from './processes.ts'
import { openStore, seedKeys } from './seed.ts'

/** So many that none has another tournament within a minute. */
const HOSTS = 600

type Row = Readonly<Record<string, unknown>>

/** A process that serves. */
export type Service = { readonly child: ChildProcess; readonly poolsPort: number }

/** A store and the processes over it. */
export type ReleaseGround = {
  readonly withStores: <T>(work: (stores: Stores) => Promise<T>) => Promise<T>
  /** Each with a key of the tournament-pools service. */
  readonly hosts: readonly Host[]
  /** Resolves when it is ready. */
  readonly startService: () => Promise<Service>
  /** Reads past all of the service's code. */
  readonly query: (statement: string) => Promise<readonly Row[]>
  /** Another process, which lives on when one is killed. */
  readonly survivor: Service | null
}

const seedHosts = async (place: StorePlace, { accounts }: Pick<Stores, 'accounts'>) => {
  const keys = await seedKeys({ place }, HOSTS, 'pools')
  const found = keys.map(async (key, at): Promise<Host> => {
    const account = await accounts.findByGameId(at + 1)
    return { accountId: account?.id ?? '', gameId: at + 1, key }
  })
  return Promise.all(found)
}

type Environment = Readonly<Record<string, string>>

/** A store in this folder, which one server at a time has open. @param more settings of its environment. */
export const releasesIn = async (
  folder: string,
  more: Environment = {},
): Promise<ReleaseGround> => {
  const withStores = async <T>(work: (stores: Stores) => Promise<T>): Promise<T> => {
    const store = await openStore(folder)
    return work(store).finally(() => store.care.close())
  }
  const place = { dataDir: folder, databaseUrl: null }
  return {
    withStores,
    hosts: await withStores((stores) => seedHosts(place, stores)),
    // On any core: what else the machine does is not to delay it more than it must.
    startService: () => startService(folder, `${SERVER_CORE},${LOAD_CORE}`, more),
    query: async (statement) => {
      using database = new DatabaseSync(join(folder, 'mapcrate.db'))
      return database.prepare(statement).all()
    },
    survivor: null,
  }
}

/** A store in this database, with a server that lives on. `close` ends it. @param more as `releasesIn` has it. */
export const releasesOn = async (
  url: string,
  more: Environment = {},
): Promise<ReleaseGround & { readonly close: () => Promise<void> }> => {
  const { stores, startService, close } = await groundOn(url, more)
  const client = new Client({ connectionString: url })
  await client.connect()
  return {
    withStores: (work) => work(stores),
    hosts: await seedHosts({ dataDir: '', databaseUrl: url }, stores),
    startService,
    query: async (statement) => (await client.query<Row>(statement)).rows,
    survivor: await startService(),
    async close() {
      await client.end()
      await close()
    },
  }
}
