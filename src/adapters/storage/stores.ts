import type { AccountStore } from '../../ports/account-store.ts'
import type { ApiKeyStore } from '../../ports/api-key-store.ts'
import type { PackStore } from '../../ports/pack-store.ts'
import type { StoreCare } from '../../ports/store-care.ts'
import { createAccountStore } from './account-store.ts'
import { createApiKeyStore } from './api-key-store.ts'
import type { Engine } from './engine.ts'
import { createPackStore } from './pack-store.ts'

/** Everything that is kept in one database. */
export type Stores = {
  readonly accounts: AccountStore
  readonly apiKeys: ApiKeyStore
  readonly packs: PackStore
  readonly care: StoreCare
}

/** The stores over an engine, whichever it is. */
export const createStores = (engine: Engine, care: StoreCare): Stores => ({
  accounts: createAccountStore(engine),
  apiKeys: createApiKeyStore(engine),
  packs: createPackStore(engine),
  care,
})
