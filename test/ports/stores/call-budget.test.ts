import { callBudgetSuite } from '../call-budget.suite.ts'
import { tempStore } from '../temp-store.ts'

callBudgetSuite('a store', async () => {
  const store = await tempStore()
  return { open: async () => (await store.open()).callBudget, remove: () => store.remove() }
})
