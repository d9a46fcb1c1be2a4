import { afterAll, expect, it, onTestFinished, vi } from 'vitest'
import { createSqliteEngine } from '../../src/adapters/storage/sqlite/engine.ts'
import { openSqliteFile, SQLITE_MIGRATIONS } from '../../src/adapters/storage/sqlite/file.ts'
import { createSearchStore } from '../../src/adapters/storage/stores/search.ts'
import { noFilter } from './search-steps.ts'
import { tempSqliteStore } from './temp-store.ts'

const store = await tempSqliteStore()
await store.open()
const file = await openSqliteFile(store.file, SQLITE_MIGRATIONS, 2000)
const engine = createSqliteEngine(file, 2000)
afterAll(async () => {
  await engine.db.destroy()
  await store.remove()
})

it.each([
  [0, 0],
  [7, 7],
  [20, 20],
  [500, 20],
])(
  'a database elsewhere is charged its %i ms as %i (D-75): what takes longer has waited',
  async (took, expected) => {
    let now = 1000
    vi.spyOn(performance, 'now').mockImplementation(() => now)
    onTestFinished(() => void vi.restoreAllMocks())
    const charged: number[] = []
    const { words } = engine
    const search = createSearchStore({
      ...engine,
      charge: (ms) => void charged.push(ms),
      words: {
        ...words,
        find: async (...args) => {
          now += took
          return await words.find(...args)
        },
      },
    })
    const query = { match: [], except: [], filter: noFilter, after: null, limit: 1 }
    expect(await search.find(query)).toEqual({ packs: [], next: null })
    expect(charged).toEqual([expected])
  },
)
