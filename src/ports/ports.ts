import type { AccountStore, ApiKeyStore, SuspensionStore } from './accounts.ts'
import type { AnnouncementStore } from './announcements.ts'
import type { BeatmapCache } from './beatmaps.ts'
import type { ChangeFeed, TournamentFeed } from './changes.ts'
import type { DiscussionStore } from './discussion.ts'
import type { PackStore } from './packs.ts'
import type { CallBudget, Platform } from './platform.ts'
import type { QuotaStore } from './quotas.ts'
import type { PublicIndex, SearchStore, SearchUpdates, SharedIndex, UsageStore } from './search.ts'
import type { SessionStore } from './sessions.ts'
import type { RatingWatch, StatsWork } from './stats.ts'
import type { OperatorStateStore, PageFiles, StoreCare } from './store.ts'
import type { Clock, Compressor, Hasher, Random, WorkMeter } from './system.ts'
import type { TournamentStore } from './tournaments.ts'
import type { InvitationStore, WorkspaceStore } from './workspaces.ts'

/** All that the software needs from outside: each function picks what it uses. */
export type Ports = {
  readonly packs: PackStore
  readonly tournaments: TournamentStore
  readonly discussion: DiscussionStore
  readonly accounts: AccountStore
  readonly suspensions: SuspensionStore
  readonly operatorState: OperatorStateStore
  readonly apiKeys: ApiKeyStore
  readonly sessions: SessionStore
  readonly quotas: QuotaStore
  readonly beatmapCache: BeatmapCache
  readonly platform: Platform
  readonly callBudget: CallBudget
  readonly statsWork: StatsWork
  readonly ratingWatch: RatingWatch
  readonly publicIndex: PublicIndex
  /** null: there is one process, which shares nothing. */
  readonly sharedIndex: SharedIndex | null
  readonly search: SearchStore
  readonly searchUpdates: SearchUpdates
  readonly usage: UsageStore
  readonly pageFiles: PageFiles
  readonly changes: ChangeFeed
  readonly tournamentChanges: TournamentFeed
  readonly workspaces: WorkspaceStore
  readonly invitations: InvitationStore
  readonly announcements: AnnouncementStore
  readonly care: StoreCare
  readonly clock: Clock
  readonly random: Random
  readonly hasher: Hasher
  readonly compressor: Compressor
  readonly work: WorkMeter
}
