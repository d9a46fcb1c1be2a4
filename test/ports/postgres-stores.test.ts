import { onTestFinished } from 'vitest'
import { createPostgresQuotaStore } from '../../src/adapters/counters/postgres.ts'
import { overConnection } from '../support/postgres-setup.ts'
import { accountStoreSuite } from './account-store.suite.ts'
import { apiKeyStoreSuite } from './api-key-store.suite.ts'
import { beatmapCacheSuite } from './beatmap-cache.suite.ts'
import { callBudgetSuite } from './call-budget.suite.ts'
import { changeFeedSuite } from './change-feed.suite.ts'
import { discussionSuite } from './discussion.suite.ts'
import { indexBuildSuite } from './index-build.suite.ts'
import { invitationStoreSuite } from './invitation-store.suite.ts'
import { packExportsSuite } from './pack-exports.suite.ts'
import { packHistorySuite } from './pack-history.suite.ts'
import { packModerationSuite } from './pack-moderation.suite.ts'
import { packOnceSuite } from './pack-once.suite.ts'
import { packReadsSuite } from './pack-reads.suite.ts'
import { packStoreSuite } from './pack-store.suite.ts'
import { pageFilesSuite } from './page-files.suite.ts'
import { publicIndexSuite } from './public-index.suite.ts'
import { quotaStoreSuite } from './quota-store.suite.ts'
import { searchModelSuite } from './search-model.suite.ts'
import { searchStoreSuite } from './search-store.suite.ts'
import { sessionStoreSuite } from './session-store.suite.ts'
import { sideBySideSuite } from './side-by-side.suite.ts'
import { statsWorkSuite } from './stats-work.suite.ts'
import { storeCareSuite } from './store-care.suite.ts'
import { tempPostgresStore } from './temp-store.ts'
import { tournamentChangesSuite } from './tournament-changes.suite.ts'
import { tournamentStoreSuite } from './tournament-store.suite.ts'
import { usageStoreSuite } from './usage-store.suite.ts'
import { workspaceStoreSuite } from './workspace-store.suite.ts'

packStoreSuite('PostgreSQL', tempPostgresStore)
packReadsSuite('PostgreSQL', tempPostgresStore)
packOnceSuite('PostgreSQL', tempPostgresStore)
packExportsSuite('PostgreSQL', tempPostgresStore)
packHistorySuite('PostgreSQL', tempPostgresStore, async ({ url }) => {
  const size = "select pg_total_relation_size('pack_version')::integer as bytes"
  const { rows } = await overConnection(url, (client) => client.query<{ bytes: number }>(size))
  return rows[0]!.bytes
})
packModerationSuite('PostgreSQL', tempPostgresStore)
accountStoreSuite('PostgreSQL', tempPostgresStore)
apiKeyStoreSuite('PostgreSQL', tempPostgresStore)
sessionStoreSuite('PostgreSQL', tempPostgresStore)
pageFilesSuite('PostgreSQL', tempPostgresStore)
storeCareSuite('PostgreSQL', tempPostgresStore)
statsWorkSuite('PostgreSQL', tempPostgresStore)
sideBySideSuite('PostgreSQL', tempPostgresStore)
publicIndexSuite('PostgreSQL', tempPostgresStore)
indexBuildSuite('PostgreSQL', tempPostgresStore)
searchStoreSuite('PostgreSQL', tempPostgresStore, ({ url }, statement) =>
  overConnection(url, (client) => client.query(statement)),
)
usageStoreSuite('PostgreSQL', tempPostgresStore)
searchModelSuite('PostgreSQL', tempPostgresStore)
changeFeedSuite('PostgreSQL', tempPostgresStore)
tournamentStoreSuite('PostgreSQL', tempPostgresStore)
tournamentChangesSuite('PostgreSQL', tempPostgresStore)
workspaceStoreSuite('PostgreSQL', tempPostgresStore)
invitationStoreSuite('PostgreSQL', tempPostgresStore)
discussionSuite('PostgreSQL', tempPostgresStore)
callBudgetSuite('PostgreSQL', async () => {
  const store = await tempPostgresStore()
  return { open: async () => (await store.open()).callBudget, remove: () => store.remove() }
})
beatmapCacheSuite('PostgreSQL', async () => {
  const store = await tempPostgresStore()
  return { open: async () => (await store.open()).beatmapCache, remove: () => store.remove() }
})
quotaStoreSuite('PostgreSQL', async () => {
  const store = await tempPostgresStore()
  onTestFinished(() => store.remove())
  const { run, accounts, apiKeys } = await store.open()
  await accounts.ensurePlayer({ gameId: 1, username: 'Ann' }, 'ann', 0)
  await accounts.ensurePlayer({ gameId: 2, username: 'Ben' }, 'ben', 0)
  return {
    quotas: createPostgresQuotaStore(run, { clock: 'caller' }),
    setKey: (service, accountId, hash) =>
      apiKeys.replace(accountId, service, { hash, shown: 'abcd', createdAt: 0 }),
  }
})
