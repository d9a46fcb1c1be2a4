import { DatabaseSync } from 'node:sqlite'
import { inject } from 'vitest'
import { createMemoryQuotaStore } from '../../src/adapters/counters/memory.ts'
import { createPostgresQuotaStore } from '../../src/adapters/counters/postgres.ts'
import {
  openPostgresStores,
  type PostgresOptions,
} from '../../src/adapters/storage/postgres/open.ts'
import { openSqliteStores } from '../../src/adapters/storage/sqlite/open.ts'
import type { RunStatement } from '../../src/adapters/storage/engine.ts'
import type { Stores } from '../../src/adapters/storage/stores.ts'
import type { QuotaStore } from '../../src/ports/quotas.ts'
import { freeWork } from './free-work.ts'
import { takeDatabase } from './postgres-databases.ts'
import { putNewStore } from './sqlite-template.ts'

/** A new store on the engine that this run of the tests is about, with its counters. */
export type TestStores = {
  readonly stores: Stores
  readonly quotas: QuotaStore
  /** Opens it once more, as another process does; whoever asks closes that. */
  readonly again: () => Promise<Stores>
  /** Changes what no port changes. */
  readonly alter: (statement: string) => Promise<void>
  /** Closes it; the files are the caller's. */
  readonly close: () => Promise<void>
}

/** @param file where an embedded store stands. */
export const openTestStores = async (file: string, work = freeWork): Promise<TestStores> => {
  if (inject('engine') === 'sqlite') {
    await putNewStore(file)
    return onSqlite(file, await openSqliteStores(file, { work }))
  }
  const database = await takeDatabase()
  // A busy machine is no fault; what is one is tried in test/postgres.
  const opened = await onPostgres(database.url, { timeoutMs: 15_000, work })
  return {
    ...opened,
    async close() {
      await opened.close()
      await database.giveBack()
    },
  }
}

/** The store in this database, whoever else has it open; without a time limit if none is given, as machines are busy. */
export const onPostgres = async (url: string, options?: PostgresOptions): Promise<TestStores> => {
  const stores = await openPostgresStores(url, { clock: 'caller', timeoutMs: null, ...options })
  return {
    stores,
    quotas: createPostgresQuotaStore(withoutForgetting(stores.run), {
      clock: 'caller',
      caches: stores.caches,
    }),
    again: () => openPostgresStores(url, { clock: 'caller', timeoutMs: null }),
    alter: async (statement) => void (await stores.run(statement, [])),
    close: () => stores.care.close(),
  }
}

/**
 * Clocks of tests jump: what is forgotten of another minute, by a statement that nobody waits for, may be what was
 * counted since. test/postgres/quota-cleaning.test.ts tries it.
 */
const withoutForgetting =
  (run: RunStatement): RunStatement =>
  (text, values) =>
    text.includes('delete from quota') ? Promise.resolve([]) : run(text, values)

/** An embedded store that was opened already. */
export const onSqlite = (file: string, stores: Stores): TestStores => ({
  stores,
  quotas: createMemoryQuotaStore(stores.apiKeys),
  again: () => openSqliteStores(file),
  async alter(statement) {
    using database = new DatabaseSync(file)
    database.exec(statement)
  },
  close: () => stores.care.close(),
})
