import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type beforeAll, type beforeEach, inject } from 'vitest'
import {
  openPostgresStores,
  type PostgresOptions,
  type PostgresStores,
} from '../../src/adapters/storage/postgres/open.ts'
import { openSqliteStores, type SqliteOptions } from '../../src/adapters/storage/sqlite/open.ts'
import type { Stores } from '../../src/adapters/storage/stores.ts'
import { takeDatabase } from '../support/postgres-databases.ts'
import { overConnection } from '../support/postgres-setup.ts'
import { putNewStore } from '../support/sqlite-template.ts'

/** One store of its own, which can be opened several times at once. */
export type TempStore = {
  /** Opens it once more, as another process would. */
  open(): Promise<Stores>
  /** A place for other files that is cleaned up with it. */
  readonly folder: string
  /** Past all ports: what a statement finds or changes. */
  query(statement: string): Promise<Readonly<Record<string, unknown>>[]>
  /** Closes all that was opened and removes the store. */
  remove(): Promise<void>
}

export type SqliteTempStore = Omit<TempStore, 'open'> & {
  readonly file: string
  open(options?: SqliteOptions): Promise<Stores>
}

export type PostgresTempStore = Omit<TempStore, 'open'> & {
  readonly url: string
  open(options?: PostgresOptions): Promise<PostgresStores>
}

/** A store in a file in a folder of its own. */
export const tempSqliteStore = async (): Promise<SqliteTempStore> => {
  const folder = await mkdtemp(join(tmpdir(), 'mapcrate-store-'))
  const file = join(folder, 'data', 'mapcrate.db')
  const opened: Stores[] = []
  return {
    folder,
    file,
    async open(options) {
      if (options?.migrations === undefined) await putNewStore(file)
      const stores = await openSqliteStores(file, options)
      opened.push(stores)
      return stores
    },
    async query(statement) {
      using database = new DatabaseSync(file)
      return database.prepare(statement).all()
    },
    async remove() {
      for (const stores of opened) await stores.care.close()
      await rm(folder, { recursive: true })
    },
  }
}

/** A busy machine is no fault; what is one is tried in test/postgres. */
const TIMEOUT_MS = 15_000

/** A store in a database of its own. */
export const tempPostgresStore = async (): Promise<PostgresTempStore> => {
  const database = await takeDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'mapcrate-store-'))
  const opened: Stores[] = []
  return {
    folder,
    url: database.url,
    async open(options) {
      const stores = await openPostgresStores(database.url, {
        timeoutMs: TIMEOUT_MS,
        clock: 'caller',
        ...options,
      })
      opened.push(stores)
      return stores
    },
    query: (statement) =>
      overConnection(database.url, async (client) => (await client.query(statement)).rows),
    async remove() {
      for (const stores of opened) await stores.care.close()
      await database.giveBack()
      await rm(folder, { recursive: true })
    },
  }
}

/** A new store on the engine that this run of the tests is about. */
export const tempStore = (): Promise<TempStore> =>
  inject('engine') === 'postgres' ? tempPostgresStore() : tempSqliteStore()

/** A store that two processes have open. */
type SharedStore = { readonly store: TempStore; readonly one: Stores; readonly two: Stores }

/** Opens a new store for all tests of a suite, or for each of them, and removes it afterwards. */
export const withStore = (
  hook: typeof beforeAll | typeof beforeEach,
  use: (opened: SharedStore) => void | Promise<void>,
): void =>
  hook(async () => {
    const store = await tempStore()
    await use({ store, one: await store.open(), two: await store.open() })
    return () => store.remove()
  })

/** Makes the account that `aNewPack` names, and another one. */
export const addOwners = async ({ accounts }: Stores): Promise<void> => {
  await accounts.ensurePlayer({ gameId: 1, username: 'mapper' }, 'owner', 0)
  await accounts.ensurePlayer({ gameId: 2, username: 'somebody' }, 'other', 0)
}
