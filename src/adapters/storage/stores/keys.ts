import type { ServiceName } from '../../../contract/services.ts'
import type { ApiKeyStore, KeyUse } from '../../../ports/keys.ts'
import type { Db, Engine } from '../engine.ts'
import { prepareQuery, valueLists } from '../query.ts'

const CACHED_KEYS = 20_000

/** Uses of one service on one day. */
type Portion = {
  readonly service: ServiceName
  readonly day: number
  readonly hashes: readonly string[]
}

const inPortions = (uses: readonly KeyUse[]): Portion[] =>
  [...Map.groupBy(uses, ({ service, day }) => `${day} ${service}`).values()].flatMap((alike) =>
    valueLists(alike.map(({ hash }) => hash)).map((hashes) => {
      const { service, day } = alike[0]!
      return { service, day, hashes }
    }),
  )

/** The API keys in an SQL database. */
export const createApiKeyStore = ({ db, write, newCache }: Engine): ApiKeyStore => {
  const owners = {
    packs: newCache<string>(CACHED_KEYS),
    pools: newCache<string>(CACHED_KEYS),
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

  /** After a midnight everybody's key is used for the first time. */
  const noteMany = async (tx: Db, { service, day, hashes }: Portion): Promise<void> => {
    await tx
      .updateTable('api_key')
      .set({ last_used_day: day })
      .where('service', '=', service)
      .where('hash', 'in', hashes)
      .where((eb) => eb.or([eb('last_used_day', 'is', null), eb('last_used_day', '<', day)]))
      .execute()
  }

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
        const [use, ...others] = uses
        if (use !== undefined && others.length === 0) await noteUse(tx, use)
        else for (const together of inPortions(uses)) await noteMany(tx, together)
      }),
  }
}
