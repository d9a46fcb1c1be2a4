import { constants, statSync } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createMemoryQuotaStore } from '../adapters/counters/memory.ts'
import { createDiscord } from '../adapters/discord/discord.ts'
import { createPlatform } from '../adapters/platform/platform.ts'
import type { StoreObserver } from '../adapters/storage/engine.ts'
import { readPostgresUrl } from '../adapters/storage/postgres/address.ts'
import { makeFolder } from '../adapters/storage/folder.ts'
import { openSqliteStores } from '../adapters/storage/sqlite/open.ts'
import {
  createWorkMeter,
  systemClock,
  systemCompressor,
  systemHasher,
  systemRandom,
} from '../adapters/system.ts'
import { SEARCH_INDEX_PATH } from '../contract/search-index.ts'
import type { PublicSites } from '../operations/announcement-sending.ts'
import type { Chat } from '../ports/announcements.ts'
import type { CallBudget, Platform } from '../ports/platform.ts'
import type { Ports as AllPorts } from '../ports/ports.ts'
import type { WorkMeter } from '../ports/system.ts'
import type { Config, PlatformConfig } from './config.ts'
import { StartupError } from './startup-error.ts'
import { shown } from './variables.ts'
import { ownVersion } from './version.ts'

/** Everything that the software needs from outside, apart from the game platform. */
export type Ports = Omit<AllPorts, 'platform'>

/**
 * Chooses the adapters and opens the store, which the caller closes.
 *
 * @param missing what to do when there is no store yet: create it, or throw `StartupError`.
 * @param timeout of each call of the store: `short` for requests, `none` for operators' commands.
 * @param onFull called each time that a database allows no connection, which is then tried again; left out: that throws.
 */
export async function openPorts(
  config: Config,
  missing: 'make' | 'refuse',
  timeout: 'short' | 'none',
  observer?: StoreObserver,
  onFull?: (error: unknown) => void,
): Promise<Ports> {
  const work = createWorkMeter()
  const measures = { observer, work }
  const stores = await (config.databaseUrl === null
    ? openFile(storeFileOf(config), missing, measures)
    : openDatabase(config.databaseUrl, config, missing, timeout, measures, onFull))
  const [clock, random, hasher] = [systemClock, systemRandom, systemHasher]
  return { ...stores, clock, random, hasher, compressor: systemCompressor, work }
}

type Measures = { readonly observer: StoreObserver | undefined; readonly work: WorkMeter }

async function openFile(file: string, missing: 'make' | 'refuse', measures: Measures) {
  if (missing === 'refuse' && isMissing(file)) {
    throw new StartupError(
      `there is no store at ${file}; set DATA_DIR to the server's, or DATABASE_URL`,
    )
  }
  const stores = await openSqliteStores(file, measures).catch(failStartup('DATA_DIR'))
  return { ...stores, quotas: createMemoryQuotaStore(stores.apiKeys), sharedIndex: null }
}

/** One that this user may not look at is not missing; opening it says why. */
function isMissing(file: string): boolean {
  try {
    statSync(file)
    return false
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ENOTDIR'
  }
}

async function openDatabase(
  url: string,
  { databaseConnections, databasePrepared, databaseDirectUrl }: Config,
  missing: 'make' | 'refuse',
  timeout: 'short' | 'none',
  measures: Measures,
  onFull: ((error: unknown) => void) | undefined,
) {
  // Loaded here so that a process with a store in a file does not load the driver.
  const { DirectUrlError, openPostgresStores } =
    await import('../adapters/storage/postgres/open.ts')
  const { createPostgresQuotaStore } = await import('../adapters/counters/postgres.ts')
  const open = () =>
    openPostgresStores(url, {
      size: databaseConnections,
      isPrepared: databasePrepared,
      ...(databaseDirectUrl !== null && { directUrl: databaseDirectUrl }),
      missing,
      ...measures,
      ...(timeout === 'none' && { timeoutMs: null }),
    })
  const opening = onFull === undefined ? open() : onceThereIsRoom(open, onFull)
  const stores = await opening.catch((error: Error) =>
    failStartup(error instanceof DirectUrlError ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL')(error),
  )
  return { ...stores, quotas: createPostgresQuotaStore(stores.run, stores) }
}

const FULL_PAUSE_MS = 2_000

/** Opens again until the database allows a connection: those of processes that end are free a moment later. */
async function onceThereIsRoom<T>(
  open: () => Promise<T>,
  onFull: (error: unknown) => void,
): Promise<T> {
  const { hasNoConnectionLeft } = await import('../adapters/storage/postgres/errors.ts')
  const isFull = (error: unknown): boolean =>
    hasNoConnectionLeft(error) || (error instanceof Error && isFull(error.cause))
  for (;;) {
    try {
      return await open()
    } catch (error) {
      if (!isFull(error)) throw error
      onFull(error)
    }
    await pause(FULL_PAUSE_MS)
  }
}

function failStartup(variable: 'DATA_DIR' | 'DATABASE_URL' | 'DATABASE_DIRECT_URL') {
  return (cause: Error): never => {
    const remedy = hasUntrustedCertificate(cause)
      ? `; name a file with the certificate of its CA by sslrootcert=FILE in the query of ${variable}`
      : ''
    const message = `${cause.message}${remedy} (${variable} says where the store is)`
    throw new StartupError(message, { cause })
  }
}

const UNTRUSTED = /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_.*)$/

function hasUntrustedCertificate(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as NodeJS.ErrnoException
  return UNTRUSTED.test(code ?? '') || hasUntrustedCertificate(error.cause)
}

/**
 * Makes this process the only server of a store in a file (D-55); a database may have several.
 *
 * @returns a function that ends this. Throws `StartupError` when another server uses the file.
 */
export async function becomeServer(config: Config): Promise<() => void> {
  if (config.databaseUrl !== null) return () => {}
  const file = storeFileOf(config)
  const { acquireServerLock } = await import('../adapters/storage/sqlite/lock.ts')
  const release = await acquireServerLock(file).catch((cause: Error) =>
    failStartup('DATA_DIR')(
      new Error(`Cannot open the store ${file}: ${cause.message}`, { cause }),
    ),
  )
  if (release !== null) return release
  throw new StartupError(
    `another server is using the store ${file}: stop that one first, or give this one another ` +
      'DATA_DIR; servers that share a store need a PostgreSQL database, set by DATABASE_URL',
  )
}

/** The file that holds the store when no database is configured. */
export const storeFileOf = ({ dataDir }: Config): string => join(dataDir, 'mapcrate.db')

/** The location of the store for messages; of a database, without user and password. */
export function storePlaceOf(config: Config): string {
  if (config.databaseUrl === null) return storeFileOf(config)
  return `PostgreSQL, ${readPostgresUrl(config.databaseUrl).place}`
}

/**
 * The game platform, with every call within the budget.
 *
 * @param ownUrl where this installation is reached, which calls name so that the platform can find who asks.
 */
export function openPlatform(
  platform: PlatformConfig,
  budget: CallBudget,
  ownUrl: string | null,
): Platform {
  const userAgent = userAgentOf(ownUrl)
  return createPlatform({ ...platform, budget, clock: systemClock, userAgent })
}

/**
 * Makes the folder of the search index's files where it is missing. Throws `StartupError` where this user cannot make
 * it, or may not write there.
 */
export async function openIndexDir(directory: string): Promise<void> {
  const file = join(directory, SEARCH_INDEX_PATH)
  const folder = dirname(file)
  try {
    await makeFolder(folder)
    await access(folder, constants.W_OK | constants.X_OK)
    const found = await stat(file).catch(() => null)
    if (found?.isDirectory()) throw Object.assign(new Error(file), { code: 'EISDIR' })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new StartupError(
      `INDEX_DIR "${shown(directory)}" cannot be written to (${code}); give a folder that this user may write to`,
      { cause },
    )
  }
}

/** Where others reach the sites, as announcements name them. */
export const publicSitesOf = ({ installation, publicUrls }: Config): PublicSites => ({
  name: installation.name,
  tournamentsUrl: publicUrls.pools,
  packsUrl: publicUrls.site ?? publicUrls.packs,
})

/** Discord, or what plays it: as configured, else the stand-in where that is the platform. */
export function openChat({ discordUrl, publicUrls }: Config, standinUrl: string | null): Chat {
  const userAgent = userAgentOf(publicUrls.pools ?? publicUrls.site)
  return createDiscord({ url: discordUrl ?? standinUrl, userAgent, clock: systemClock })
}

/** How calls to the platform and to Discord name this installation. */
export function userAgentOf(ownUrl: string | null): string {
  return `Mapcrate/${ownVersion()}${ownUrl === null ? '' : ` (+${ownUrl})`}`
}
