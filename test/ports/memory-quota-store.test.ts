import { expect, it } from 'vitest'
import { createMemoryQuotaStore } from '../../src/adapters/counters/memory.ts'
import { quotaStoreSuite } from './quota-store.suite.ts'

quotaStoreSuite('memory', async () => {
  const owners = new Map<string, string>()
  return {
    quotas: createMemoryQuotaStore({
      findOwner: async (service, hash) => owners.get(`${service} ${hash}`) ?? null,
    }),
    async setKey(service, accountId, hash) {
      for (const [key, owner] of owners) {
        if (owner === accountId && key.startsWith(service)) owners.delete(key)
      }
      owners.set(`${service} ${hash}`, accountId)
    },
  }
})

it('remembers a bounded number of addresses, the latest ones (D-5)', async () => {
  const quotas = createMemoryQuotaStore({ findOwner: () => null })
  for (let n = 0; n <= 100_000; n += 1) await quotas.countFailure('packs', `address ${n}`, 1)
  expect((await quotas.failures('packs', 'address 0', 1)).count).toBe(0)
  expect((await quotas.failures('packs', 'address 1', 1)).count).toBe(1)
  expect((await quotas.failures('packs', 'address 100000', 1)).count).toBe(1)
})
