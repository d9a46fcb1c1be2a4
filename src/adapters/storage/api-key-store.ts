import type { ServiceName } from '../../contract/services.ts'
import type { ApiKeyStore, KeyUse } from '../../ports/api-key-store.ts'
import type { Engine } from './engine.ts'
import { prepareQuery } from './prepared-query.ts'

const REMEMBERED_KEYS = 20_000

/** The API keys in an SQL database. */
export const createApiKeyStore = ({ db, write, newShelf }: Engine): ApiKeyStore => {
  const owners = {
    packs: newShelf<string>(REMEMBERED_KEYS),
    pools: newShelf<string>(REMEMBERED_KEYS),
  }
  const byHash = prepareQuery((key: { service: ServiceName; hash: string }) =>
    db
      .selectFrom('api_key')
      .select('account_id')
      .where('hash', '=', key.hash)
      .where('service', '=', key.service),
  )

  const noteUse = prepareQuery((use: KeyUse) =>
    db
      .updateTable('api_key')
      .set({ last_used_day: use.day })
      .where('hash', '=', use.hash)
      .where('service', '=', use.service)
      .where((eb) => eb.or([eb('last_used_day', 'is', null), eb('last_used_day', '<', use.day)])),
  )

  return {
    async replace(accountId, service, { hash, shown, createdAt }) {
      const key = { hash, shown, created_at: createdAt, last_used_day: null }
      await write('keys', (tx) =>
        tx
          .insertInto('api_key')
          .values({ account_id: accountId, service, ...key })
          .onConflict((conflict) => conflict.columns(['account_id', 'service']).doUpdateSet(key))
          .execute(),
      )
    },

    revoke: (accountId, service) =>
      write('keys', async (tx) => {
        const { numDeletedRows } = await tx
          .deleteFrom('api_key')
          .where('account_id', '=', accountId)
          .where('service', '=', service)
          .executeTakeFirst()
        return numDeletedRows > 0n
      }),

    async read(accountId, service) {
      const key = await db
        .selectFrom('api_key')
        .select(['hash', 'shown', 'created_at as createdAt', 'last_used_day as lastUsedDay'])
        .where('account_id', '=', accountId)
        .where('service', '=', service)
        .executeTakeFirst()
      return key === undefined ? null : { ...key }
    },

    findOwner: (service, hash) =>
      owners[service](hash, async () => {
        const [key] = await byHash(db, { service, hash })
        return key?.account_id ?? null
      }),

    noteUses: (uses) =>
      write('keys', async (tx) => {
        for (const use of uses) await noteUse(tx, use)
      }),
  }
}
