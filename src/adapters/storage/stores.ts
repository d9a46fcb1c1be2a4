import type { AccountStore } from '../../ports/accounts.ts'
import type { BeatmapCache } from '../../ports/beatmaps.ts'
import type { ApiKeyStore } from '../../ports/keys.ts'
import type { PackStore } from '../../ports/packs.ts'
import type { CallBudget } from '../../ports/platform.ts'
import type { PublicIndex } from '../../ports/search-index.ts'
import type { SessionStore } from '../../ports/sessions.ts'
import type { StatsWork } from '../../ports/stats.ts'
import type { PageFiles, StoreCare } from '../../ports/store.ts'
import type { Engine } from './engine.ts'
import { createAccountStore } from './stores/accounts.ts'
import { createBeatmapCache } from './stores/beatmaps.ts'
import { createCallBudget, type SharedTime } from './stores/calls.ts'
import { createApiKeyStore } from './stores/keys.ts'
import type { PackRows } from './stores/known-packs.ts'
import { createPackStore } from './stores/packs.ts'
import { createPageFiles } from './stores/page-files.ts'
import { createPublicIndex } from './stores/search-index.ts'
import { createSessionStore } from './stores/sessions.ts'
import { createStatsWork } from './stores/stats.ts'

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

/** What an engine does in a way of its own. */
type EngineSpecific = { readonly time: SharedTime; readonly packs: PackRows | null }

/** The stores over an engine, whichever it is. */
export function createStores(
  engine: Engine,
  care: StoreCare,
  { time, packs }: EngineSpecific = { time: null, packs: null },
): Stores {
  return {
    accounts: createAccountStore(engine),
    apiKeys: createApiKeyStore(engine),
    sessions: createSessionStore(engine),
    packs: createPackStore(engine, packs),
    publicIndex: createPublicIndex(engine),
    statsWork: createStatsWork(engine),
    beatmapCache: createBeatmapCache(engine),
    callBudget: createCallBudget(engine, time),
    pageFiles: createPageFiles(engine),
    care,
  }
}
