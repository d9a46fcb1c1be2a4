import { sql } from 'kysely'
import type { ApiKeyStore, KeyUse } from '../../../ports/accounts.ts'
import type { Db, Engine } from '../engine.ts'
import { prepareQuery, suspendedFor, valueLists } from '../query.ts'

const CACHED_KEYS = 20_000

export function createApiKeyStore({ db, write, newCache }: Engine): ApiKeyStore {
  const newKeys = () => newCache<string>(CACHED_KEYS, (hash) => [`key ${hash}`])
  const owners = { packs: newKeys(), pools: newKeys() }
  const byHash = prepareQuery(
    ({ service, hash }: Pick<KeyUse, 'service' | 'hash'>) => sql<{ accountId: string }>`
      select account_id as "accountId" from api_key where hash = ${hash} and service = ${service}`,
  )

  return {
    async replace(accountId, service, { hash, shown, createdAt }, replaced) {
      const key = { hash, shown, created_at: createdAt, last_used_day: null }
      return write('keys', async (tx) => {
        if ((await suspendedFor(tx, accountId)) !== null) return 'suspended'
        const { numInsertedOrUpdatedRows = 0n } = await tx
          .insertInto('api_key')
          .values({ account_id: accountId, service, ...key })
          .onConflict((conflict) => {
            const update = conflict.columns(['account_id', 'service']).doUpdateSet(key)
            return replaced === undefined ? update : update.where('api_key.shown', '=', replaced)
          })
          .executeTakeFirstOrThrow()
        return numInsertedOrUpdatedRows > 0n ? 'set' : 'another key'
      })
    },

    revoke: (accountId, service, shown) =>
      write('keys', async (tx) => {
        const isMeant = shown === undefined ? sql`true` : sql`shown = ${shown}`
        const { numAffectedRows = 0n } = await sql`
          delete from api_key
          where account_id = ${accountId} and service = ${service} and ${isMeant}`.execute(tx)
        return numAffectedRows > 0n
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
        return key?.accountId ?? null
      }),

    noteUses: (uses) =>
      write('keys', async (tx) => {
        const alike = Map.groupBy(uses, ({ service, day }) => `${day} ${service}`)
        for (const ofOneDay of alike.values()) await noteAlike(tx, ofOneDay)
      }),
  }
}

/** Many in one statement: after a midnight everybody's key is used for the first time. */
async function noteAlike(tx: Db, uses: readonly KeyUse[]): Promise<void> {
  const { service, day } = uses[0]!
  for (const hashes of valueLists(uses.map(({ hash }) => hash))) {
    await sql`
      update api_key set last_used_day = ${day}
      where service = ${service} and hash in (${sql.join(hashes)})
        and (last_used_day is null or last_used_day < ${day})`.execute(tx)
  }
}
