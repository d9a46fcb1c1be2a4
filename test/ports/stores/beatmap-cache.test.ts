import { beatmapCacheSuite } from '../beatmap-cache.suite.ts'
import { tempStore } from '../temp-store.ts'

beatmapCacheSuite('a store', async () => {
  const store = await tempStore()
  return { open: async () => (await store.open()).beatmapCache, remove: () => store.remove() }
})
