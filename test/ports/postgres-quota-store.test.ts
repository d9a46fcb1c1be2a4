import { onTestFinished } from 'vitest'
import { createPostgresQuotaStore } from '../../src/adapters/counters/postgres.ts'
import { quotaStoreSuite } from './quota-store.suite.ts'
import { tempPostgresStore } from './temp-store.ts'

quotaStoreSuite('PostgreSQL', async () => {
  const store = await tempPostgresStore()
  onTestFinished(() => store.remove())
  const { run, caches, accounts, apiKeys } = await store.open()
  await accounts.ensurePlayer({ gameId: 1, username: 'Ann' }, 'ann', 0)
  await accounts.ensurePlayer({ gameId: 2, username: 'Ben' }, 'ben', 0)
  return {
    quotas: createPostgresQuotaStore(run, { clock: 'caller', caches }),
    setKey: (service, accountId, hash) =>
      apiKeys.replace(accountId, service, { hash, shown: 'abcd', createdAt: 0 }),
  }
})
