import { beforeEach, describe, expect, it } from 'vitest'
import type { Stores } from '../../../src/adapters/storage/stores.ts'
import { asOperator } from '../../../src/domain/moderation.ts'
import { deleteAccount, deleteAccountOf } from '../../../src/operations/accounts.ts'
import { aNewPack } from '../sample-pack.ts'
import { updateAll } from '../search-steps.ts'
import { type TempStore, withStore } from '../temp-store.ts'

const NAME = 'Zyxwvutina'

describe('the name of a player who is gone is in no table (D-66)', () => {
  let store: TempStore
  let one: Stores
  let two: Stores

  withStore(beforeEach, async (opened) => {
    ;({ store, one, two } = opened)
    await one.accounts.ensurePlayer({ gameId: 1, username: NAME }, 'owner', 0)
    await one.accounts.ensurePlayer({ gameId: 2, username: 'somebody' }, 'other', 0)
    for (const ownerId of ['owner', 'other']) {
      await one.packs.create(aNewPack({ ownerId, name: 'Harbour' }), null)
    }
    await updateAll(one)
  })

  /** Those with a text that has the name; the terms in the blocks of SQLite's index are told in docs/operations.md. */
  const tablesWithName = async (): Promise<string[]> => {
    const found: string[] = []
    for (const { name } of await store.query(tableNames)) {
      const rows = await store.query(`select * from ${String(name)}`)
      if (JSON.stringify(rows).toLowerCase().includes(NAME.toLowerCase())) found.push(String(name))
    }
    return found.toSorted()
  }
  let tableNames: string
  beforeEach(async () => {
    const isSqlite = await store.query('select sqlite_version()').then(
      () => true,
      () => false,
    )
    tableNames = isSqlite
      ? "select name from sqlite_schema where type = 'table' and name not like 'search_words%'"
      : "select table_name as name from information_schema.tables where table_schema = 'public'"
    const words = isSqlite ? 'search_pack_words' : 'search_pack'
    expect(await tablesWithName()).toEqual(['account', 'search_near', words])
  })

  const clock = { now: () => 9 }
  const ways = {
    'deleted by the operator': () =>
      deleteAccountOf({ accounts: one.accounts, clock }, 1, asOperator('asked for')),
    'deleted on the account page': () =>
      deleteAccount(
        { accounts: one.accounts, clock },
        { accountId: 'owner', username: NAME } as Parameters<typeof deleteAccount>[1],
        NAME,
      ),
    'renamed by the platform': async () =>
      void (await one.accounts.ensurePlayer({ gameId: 1, username: 'Quillon' }, 'owner', 0)),
  }

  it.each(Object.entries(ways))('%s', async (_, leave) => {
    await leave()
    await updateAll(two)
    expect(await tablesWithName()).toEqual([])
    expect((await two.search.nearWords(['harbou'])).get('harbou')).toEqual(['harbour'])
  })

  it('deleted while a rebuild is under way', async () => {
    await two.searchUpdates.rebuild()
    await ways['deleted by the operator']()
    await updateAll(two, 1)
    expect(await tablesWithName()).toEqual([])
  })
})
