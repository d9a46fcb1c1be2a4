import { expect, it } from 'vitest'
import { createMemoryQuotaStore } from '../../src/adapters/counters/memory-quota-store.ts'
import { quotaStoreSuite } from './quota-store.suite.ts'

quotaStoreSuite('memory', async (findOwner) => createMemoryQuotaStore(findOwner))

it('remembers a bounded number of addresses, the latest ones (D-5)', async () => {
  const quotas = createMemoryQuotaStore(async () => null)
  for (let n = 0; n <= 100_000; n += 1) await quotas.countFailure('packs', `address ${n}`, 1)
  expect(await quotas.failures('packs', 'address 0', 1)).toBe(0)
  expect(await quotas.failures('packs', 'address 1', 1)).toBe(1)
  expect(await quotas.failures('packs', 'address 100000', 1)).toBe(1)
})
