import type { SearchStore, UsageStore } from '../../../ports/search.ts'

const missing = async (): Promise<never> => {
  throw new Error('the search is not there yet')
}

export function createSearchStore(): SearchStore {
  return {
    update: async () => 0,
    rebuild: missing,
    progress: missing,
    find: missing,
    nearWords: missing,
    sealPlace: missing,
    openPlace: missing,
  }
}

export function createUsageStore(): UsageStore {
  return { list: missing, last: missing, pooledWith: missing }
}
