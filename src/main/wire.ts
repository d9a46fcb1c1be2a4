import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createMemoryQuotaStore } from '../adapters/counters/memory-quota-store.ts'
import { createPlatform } from '../adapters/platform/create-platform.ts'
import { openSqliteStores } from '../adapters/storage/open-sqlite.ts'
import type { Stores } from '../adapters/storage/stores.ts'
import { systemClock, systemHasher, systemRandom } from '../adapters/system.ts'
import type { ServicePorts } from '../http/context.ts'
import type { CallBudget } from '../ports/call-budget.ts'
import type { Platform } from '../ports/platform.ts'
import type { Config, PlatformConfig } from './config.ts'
import { Trouble } from './trouble.ts'

/** Everything the software needs from outside. */
export type Ports = ServicePorts & Stores

/** Where the store is. */
export const storeFileOf = ({ dataDir }: Config): string => join(dataDir, 'mapcrate.db')

/**
 * Chooses how everything outside is reached, and opens the store; whoever asks closes it.
 *
 * @param missing what to do when there is no store yet: make it, or throw `Trouble`.
 */
export const openPorts = async (config: Config, missing: 'make' | 'refuse'): Promise<Ports> => {
  const file = storeFileOf(config)
  if (missing === 'refuse' && !existsSync(file)) {
    throw new Trouble(`there is no store at ${file}; set DATA_DIR to the server's`)
  }
  const stores = await openSqliteStores(file).catch((cause: Error) => {
    throw new Trouble(`${cause.message} (DATA_DIR says where the store is)`, { cause })
  })
  return {
    ...stores,
    quotas: createMemoryQuotaStore((service, hash) => stores.apiKeys.findOwner(service, hash)),
    clock: systemClock,
    random: systemRandom,
    hasher: systemHasher,
  }
}

/** Chooses how the game platform is reached, every call within the budget. */
export const openPlatform = (platform: PlatformConfig, budget: CallBudget): Platform =>
  createPlatform({ ...platform, budget, clock: systemClock })
