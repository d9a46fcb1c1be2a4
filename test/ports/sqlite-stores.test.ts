import { DatabaseSync } from 'node:sqlite'
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
import { searchModelSuite } from './search-model.suite.ts'
import { searchStoreSuite } from './search-store.suite.ts'
import { sessionStoreSuite } from './session-store.suite.ts'
import { sideBySideSuite } from './side-by-side.suite.ts'
import { statsWorkSuite } from './stats-work.suite.ts'
import { storeCareSuite } from './store-care.suite.ts'
import { tempSqliteStore } from './temp-store.ts'
import { tournamentChangesSuite } from './tournament-changes.suite.ts'
import { tournamentStoreSuite } from './tournament-store.suite.ts'
import { usageStoreSuite } from './usage-store.suite.ts'
import { workspaceStoreSuite } from './workspace-store.suite.ts'

packStoreSuite('SQLite', tempSqliteStore)
packReadsSuite('SQLite', tempSqliteStore)
packOnceSuite('SQLite', tempSqliteStore)
packExportsSuite('SQLite', tempSqliteStore)
packHistorySuite('SQLite', tempSqliteStore, async ({ file }) => {
  const database = new DatabaseSync(file, { readOnly: true })
  const pages = "select sum(pgsize) as bytes from dbstat where name = 'pack_version'"
  const { bytes } = database.prepare(pages).get() as { bytes: number }
  database.close()
  return bytes
})
packModerationSuite('SQLite', tempSqliteStore)
accountStoreSuite('SQLite', tempSqliteStore)
apiKeyStoreSuite('SQLite', tempSqliteStore)
sessionStoreSuite('SQLite', tempSqliteStore)
pageFilesSuite('SQLite', tempSqliteStore)
storeCareSuite('SQLite', tempSqliteStore)
statsWorkSuite('SQLite', tempSqliteStore)
sideBySideSuite('SQLite', tempSqliteStore)
publicIndexSuite('SQLite', tempSqliteStore)
indexBuildSuite('SQLite', tempSqliteStore)
searchStoreSuite('SQLite', tempSqliteStore, async ({ file }, statement) => {
  using database = new DatabaseSync(file)
  database.exec(statement)
})
usageStoreSuite('SQLite', tempSqliteStore)
searchModelSuite('SQLite', tempSqliteStore)
changeFeedSuite('SQLite', tempSqliteStore)
tournamentStoreSuite('SQLite', tempSqliteStore)
tournamentChangesSuite('SQLite', tempSqliteStore)
workspaceStoreSuite('SQLite', tempSqliteStore)
invitationStoreSuite('SQLite', tempSqliteStore)
discussionSuite('SQLite', tempSqliteStore)
callBudgetSuite('SQLite', async () => {
  const store = await tempSqliteStore()
  return { open: async () => (await store.open()).callBudget, remove: () => store.remove() }
})
beatmapCacheSuite('SQLite', async () => {
  const store = await tempSqliteStore()
  return { open: async () => (await store.open()).beatmapCache, remove: () => store.remove() }
})
