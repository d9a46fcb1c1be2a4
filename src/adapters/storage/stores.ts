import type { Ports } from '../../ports/ports.ts'
import type { StoreCare } from '../../ports/store.ts'
import type { Engine } from './engine.ts'
import { createAccountStore } from './stores/accounts.ts'
import { createAnnouncementStore } from './stores/announcements.ts'
import { createBeatmapCache } from './stores/beatmaps.ts'
import { createCallBudget } from './stores/calls.ts'
import { createChangeFeed } from './stores/changes.ts'
import { createDiscussionStore } from './stores/discussion.ts'
import { createInvitationStore } from './stores/invitations.ts'
import { createApiKeyStore } from './stores/keys.ts'
import { createOperatorStateStore } from './stores/operator.ts'
import { createPackStore, type PackRows } from './stores/packs.ts'
import { createPageFiles } from './stores/page-files.ts'
import { createRatingWatch } from './stores/ratings.ts'
import { createPublicIndex } from './stores/search-index.ts'
import { createSearchStore } from './stores/search.ts'
import { createSearchUpdates } from './stores/search-update.ts'
import { createSessionStore } from './stores/sessions.ts'
import { createStatsWork } from './stores/stats.ts'
import { createTournamentFeed } from './stores/tournament-feed.ts'
import { createTournamentStore } from './stores/tournaments.ts'
import { createSuspensionStore } from './stores/suspensions.ts'
import { createUsageStore } from './stores/usage.ts'
import { createWorkspaceStore } from './stores/workspaces.ts'

export type Stores = ReturnType<typeof createStores>

/** The stores over either engine; `packRows` is how an engine reads packs in a way of its own. */
export function createStores(engine: Engine, care: StoreCare, packRows: PackRows | null = null) {
  return {
    accounts: createAccountStore(engine),
    suspensions: createSuspensionStore(engine),
    operatorState: createOperatorStateStore(engine),
    apiKeys: createApiKeyStore(engine),
    sessions: createSessionStore(engine),
    packs: createPackStore(engine, packRows),
    tournaments: createTournamentStore(engine),
    workspaces: createWorkspaceStore(engine),
    discussion: createDiscussionStore(engine),
    invitations: createInvitationStore(engine),
    announcements: createAnnouncementStore(engine),
    publicIndex: createPublicIndex(engine),
    statsWork: createStatsWork(engine),
    ratingWatch: createRatingWatch(engine),
    beatmapCache: createBeatmapCache(engine),
    callBudget: createCallBudget(engine),
    search: createSearchStore(engine),
    searchUpdates: createSearchUpdates(engine),
    usage: createUsageStore(engine),
    pageFiles: createPageFiles(engine),
    changes: createChangeFeed(engine),
    tournamentChanges: createTournamentFeed(engine),
    care,
  } satisfies Partial<Ports>
}
