import type { NewPack, SavedPack } from '../../domain/packs.ts'
import type { Creation, Once } from '../../ports/packs.ts'
import type { Db } from './engine.ts'
import { prepareQuery } from './prepared-query.ts'

/** Each creation that is noted removes so many that are forgotten: more than come, and never a crowd. */
const SWEPT_EACH_TIME = 8

/** Remembers which creations were made under a name, in the transactions that make them. */
export const keyedCreations = (db: Db) => {
  const byKey = prepareQuery((name: { ownerId: string; key: string; since: number }) =>
    db
      .selectFrom('keyed_creation')
      .select(['fingerprint', 'slug', 'owner_username', 'created_at'])
      .where('account_id', '=', name.ownerId)
      .where('idempotency_key', '=', name.key)
      .where('created_at', '>=', name.since),
  )

  const sweep = prepareQuery((values: { since: number }) =>
    db
      .deleteFrom('keyed_creation')
      .where((eb) =>
        eb(
          eb.refTuple('account_id', 'idempotency_key'),
          'in',
          eb
            .selectFrom('keyed_creation as old')
            .select(['old.account_id', 'old.idempotency_key'])
            .where('old.created_at', '<', values.since)
            .orderBy('old.created_at')
            .limit(SWEPT_EACH_TIME)
            .$asTuple('account_id', 'idempotency_key'),
        ),
      ),
  )

  return {
    /** How a creation ends that was made before; null when it was not. */
    async find(tx: Db, pack: NewPack, { key, fingerprint, since }: Once): Promise<Creation | null> {
      const [made] = await byKey(tx, { ownerId: pack.ownerId, key, since })
      if (made === undefined) return null
      if (made.fingerprint !== fingerprint) return { outcome: 'key_taken' }
      return {
        outcome: 'repeated',
        pack: {
          ...pack,
          slug: made.slug,
          ownerUsername: made.owner_username,
          createdAt: made.created_at,
          updatedAt: made.created_at,
        },
      }
    },

    async note(tx: Db, pack: SavedPack, { key, fingerprint, since }: Once): Promise<void> {
      await sweep(tx, { since })
      const made = {
        fingerprint,
        slug: pack.slug,
        owner_username: pack.ownerUsername,
        created_at: pack.createdAt,
      }
      await tx
        .insertInto('keyed_creation')
        .values({ account_id: pack.ownerId, idempotency_key: key, ...made })
        .onConflict((conflict) =>
          conflict.columns(['account_id', 'idempotency_key']).doUpdateSet(made),
        )
        .execute()
    },
  }
}
