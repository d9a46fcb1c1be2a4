import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteStores, type SqliteOptions } from '../../src/adapters/storage/open-sqlite.ts'
import type { Stores } from '../../src/adapters/storage/stores.ts'

/** One store of its own, which can be opened several times at once. */
export type TempStore = {
  /** Opens it once more, as another process would. */
  open(options?: SqliteOptions): Promise<Stores>
  /** A place for other files that is cleaned up with it. */
  readonly folder: string
  /** Closes all that was opened and removes the store. */
  remove(): Promise<void>
}

export type SqliteTempStore = TempStore & { readonly file: string }

/** A store in a file in a folder of its own. */
export const tempSqliteStore = async (): Promise<SqliteTempStore> => {
  const folder = await mkdtemp(join(tmpdir(), 'mapcrate-store-'))
  const file = join(folder, 'data', 'mapcrate.db')
  const opened: Stores[] = []
  return {
    folder,
    file,
    async open(options) {
      const stores = await openSqliteStores(file, options)
      opened.push(stores)
      return stores
    },
    async remove() {
      for (const stores of opened) await stores.care.close()
      await rm(folder, { recursive: true })
    },
  }
}

/** Makes the account that `aNewPack` names, and another one. */
export const addOwners = async ({ accounts }: Stores): Promise<void> => {
  await accounts.ensurePlayer({ gameId: 1, username: 'mapper' }, 'owner', 0)
  await accounts.ensurePlayer({ gameId: 2, username: 'somebody' }, 'other', 0)
}
