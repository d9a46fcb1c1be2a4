import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { EMPTY_SQLITE } from '../support/empty-stores.ts'
import { dumpStore } from '../support/store-dump.ts'
import { tempSqliteStore } from './temp-store.ts'

/** Random in every store: where the feeds of changes begin. */
const MARK = /[0-9a-f]{32}/g

it('a store that is emptied between two tests is as a new one', async () => {
  const store = await tempSqliteStore()
  onTestFinished(() => store.remove())
  const { care } = await store.open()
  const dump = async (): Promise<string> =>
    JSON.stringify([...(await dumpStore(care, store.folder))]).replaceAll(MARK, 'mark')
  const fresh = await dump()
  using emptier = new DatabaseSync(store.file)
  emptier.exec(EMPTY_SQLITE)
  expect(JSON.parse(await dump())).toEqual(JSON.parse(fresh))
})
