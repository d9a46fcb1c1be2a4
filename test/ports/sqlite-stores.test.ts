import { openSqliteStores } from '../../src/adapters/storage/open-sqlite.ts'
import { accountStoreSuite } from './account-store.suite.ts'
import { apiKeyStoreSuite } from './api-key-store.suite.ts'
import { packStoreSuite } from './pack-store.suite.ts'
import { storeCareSuite } from './store-care.suite.ts'
import { tempSqliteStore } from './temp-store.ts'

packStoreSuite('SQLite', tempSqliteStore)
accountStoreSuite('SQLite', tempSqliteStore)
apiKeyStoreSuite('SQLite', tempSqliteStore)
storeCareSuite('SQLite', tempSqliteStore, (file) => openSqliteStores(file))
