import { seedSuite } from '../seed/seed.suite.ts'
import { takeDatabase } from '../support/postgres-databases.ts'
import { onPostgres } from '../support/test-stores.ts'

seedSuite('PostgreSQL', async () => {
  const database = await takeDatabase()
  const { url } = database
  return {
    dataDir: '',
    databaseUrl: url,
    open: () => onPostgres(url, { timeoutMs: 15_000 }),
    remove: () => database.giveBack(),
  }
})
