import type { AccountStore } from '../../ports/account-store.ts'
import type { ApiKeyStore } from '../../ports/api-key-store.ts'
import type { BeatmapCache } from '../../ports/beatmap-cache.ts'
import type { CallBudget } from '../../ports/call-budget.ts'
import type { PackStore } from '../../ports/pack-store.ts'
import type { PageFiles, PublicIndex } from '../../ports/public-index.ts'
import type { SessionStore } from '../../ports/session-store.ts'
import type { StatsWork } from '../../ports/stats-work.ts'
import type { StoreCare } from '../../ports/store-care.ts'
import { createAccountStore } from './account-store.ts'
import { createApiKeyStore } from './api-key-store.ts'
import { createBeatmapCache } from './beatmap-cache.ts'
import { createCallBudget, type SharedTime } from './call-budget.ts'
import type { Engine } from './engine.ts'
import { createPageFiles } from './page-files.ts'
import { createPackStore } from './pack-store.ts'
import { createPublicIndex } from './public-index.ts'
import { createSessionStore } from './session-store.ts'
import { createStatsWork } from './stats-work.ts'

/** Everything that is kept in one database. */
export type Stores = {
  readonly accounts: AccountStore
  readonly apiKeys: ApiKeyStore
  readonly sessions: SessionStore
  readonly packs: PackStore
  readonly publicIndex: PublicIndex
  readonly statsWork: StatsWork
  readonly beatmapCache: BeatmapCache
  readonly callBudget: CallBudget
  readonly pageFiles: PageFiles
  readonly care: StoreCare
}

/** The stores over an engine, whichever it is. */
export const createStores = (
  engine: Engine,
  care: StoreCare,
  sharedTime: SharedTime = null,
): Stores => ({
  accounts: createAccountStore(engine),
  apiKeys: createApiKeyStore(engine),
  sessions: createSessionStore(engine),
  packs: createPackStore(engine),
  publicIndex: createPublicIndex(engine),
  statsWork: createStatsWork(engine),
  beatmapCache: createBeatmapCache(engine),
  callBudget: createCallBudget(engine, sharedTime),
  pageFiles: createPageFiles(engine),
  care,
})
