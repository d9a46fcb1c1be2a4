import { MemoryBeatmapCache } from '../support/memory-beatmap-cache.ts'
import { MemoryCallBudget } from '../support/memory-call-budget.ts'
import { beatmapCacheSuite } from './beatmap-cache.suite.ts'
import { callBudgetSuite } from './call-budget.suite.ts'

// What stands in for a store in other tests keeps the same promises.
callBudgetSuite('memory', async () => {
  const budget = new MemoryCallBudget()
  return { open: async () => budget, remove: async () => {} }
})
beatmapCacheSuite('memory', async () => {
  const cache = new MemoryBeatmapCache()
  return { open: async () => cache, remove: async () => {} }
})
