import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createMemoryQuotaStore } from '../adapters/counters/memory.ts'
import { createPlatform } from '../adapters/platform/platform.ts'
import type { StoreObserver } from '../adapters/storage/engine.ts'
import { readPostgresUrl } from '../adapters/storage/postgres/address.ts'
import { openSqliteStores } from '../adapters/storage/sqlite/open.ts'
import type { Stores } from '../adapters/storage/stores.ts'
import { systemClock, systemCompressor, systemHasher, systemRandom } from '../adapters/system.ts'
import type { ServiceName } from '../contract/services.ts'
import type { DoorPorts } from '../door/context.ts'
import type { CallBudget, Platform } from '../ports/platform.ts'
import type { SharedIndex } from '../ports/search-index.ts'
import type { Config, PlatformConfig } from './config.ts'
import { StartupError } from './startup-error.ts'

/** Everything the software needs from outside. */
export type Ports = Omit<DoorPorts, 'platform'> &
  Stores & {
    /** How processes share the search index; null: there is one process. */
    readonly sharedIndex: SharedIndex | null
  }

/** The file that holds the store while no database does. */
export const storeFileOf = ({ dataDir }: Config): string => join(dataDir, 'mapcrate.db')

/** Where the store is, for people; of a database, without user and password. */
export const storePlaceOf = (config: Config): string => {
  if (config.databaseUrl === null) return storeFileOf(config)
  return `PostgreSQL, ${readPostgresUrl(config.databaseUrl).place}`
}

const storeError = (cause: Error): never => {
  throw new StartupError(`${cause.message} (DATA_DIR says where the store is)`, { cause })
}

/**
 * Makes this process the one server of a store in a file (D-55); servers share a database.
 *
 * @returns what ends that. Throws `StartupError` when another server uses the file.
 */
export const becomeServer = async (config: Config): Promise<() => void> => {
  if (config.databaseUrl !== null) return () => {}
  const file = storeFileOf(config)
  const { acquireServerLock } = await import('../adapters/storage/sqlite/file.ts')
  const release = await acquireServerLock(file).catch((cause: Error) =>
    storeError(new Error(`Cannot open the store ${file}: ${cause.message}`, { cause })),
  )
  if (release !== null) return release
  throw new StartupError(
    `another server is using the store ${file}: stop that one first, or give this one another ` +
      'DATA_DIR; servers that share a store need a PostgreSQL database, set by DATABASE_URL',
  )
}

/** What is kept, and what goes with it. */
type Kept = Stores & Pick<Ports, 'quotas' | 'sharedIndex'>

const openFile = async (
  config: Config,
  missing: 'make' | 'refuse',
  observer: StoreObserver | undefined,
): Promise<Kept> => {
  const file = storeFileOf(config)
  if (missing === 'refuse' && !existsSync(file)) {
    throw new StartupError(
      `there is no store at ${file}; set DATA_DIR to the server's, or DATABASE_URL`,
    )
  }
  const stores = await openSqliteStores(file, { observer }).catch(storeError)
  const findOwner = (service: ServiceName, hash: string) => stores.apiKeys.findOwner(service, hash)
  return { ...stores, quotas: createMemoryQuotaStore(findOwner), sharedIndex: null }
}

const openDatabase = async (
  url: string,
  config: Config,
  missing: 'make' | 'refuse',
  timeout: StoreTimeout,
  observer: StoreObserver | undefined,
): Promise<Kept> => {
  // Whoever keeps the store in a file is spared the driver.
  const { openPostgresStores } = await import('../adapters/storage/postgres/open.ts')
  const { createPostgresQuotaStore } = await import('../adapters/counters/postgres.ts')
  const stores = await openPostgresStores(url, {
    size: config.databaseConnections,
    isPrepared: config.databasePrepared,
    ...(config.databaseDirectUrl !== null && { directUrl: config.databaseDirectUrl }),
    missing,
    observer,
    ...(timeout === 'none' && { timeoutMs: null }),
  }).catch((cause: Error) => {
    throw new StartupError(`${cause.message} (DATABASE_URL says where the store is)`, { cause })
  })
  return { ...stores, quotas: createPostgresQuotaStore(stores.run) }
}

/** How long a call of the store may take: answers are waited for, or an operator's command is. */
export type StoreTimeout = 'short' | 'none'

/**
 * Chooses how everything outside is reached, and opens the store; whoever asks closes it.
 *
 * @param missing what to do when there is no store yet: make it, or throw `StartupError`.
 * @param observer hears what the store takes; left out where nobody measures.
 */
export const openPorts = async (
  config: Config,
  missing: 'make' | 'refuse',
  timeout: StoreTimeout,
  observer?: StoreObserver,
): Promise<Ports> => {
  const { databaseUrl: url } = config
  const kept = await (url === null
    ? openFile(config, missing, observer)
    : openDatabase(url, config, missing, timeout, observer))
  return {
    ...kept,
    clock: systemClock,
    random: systemRandom,
    hasher: systemHasher,
    compressor: systemCompressor,
  }
}

/** Chooses how the game platform is reached, every call within the budget. */
export const openPlatform = (platform: PlatformConfig, budget: CallBudget): Platform =>
  createPlatform({ ...platform, budget, clock: systemClock })
