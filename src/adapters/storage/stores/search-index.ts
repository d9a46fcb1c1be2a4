import { sql } from 'kysely'
import type { Stats } from '../../../contract/packs.ts'
import type { PublicIndex } from '../../../ports/search-index.ts'
import type { Engine } from '../engine.ts'
import { prepareQuery } from '../query.ts'
import { sharedNumbers } from './shared-numbers.ts'

/** What the search index is made from, in an SQL database. */
export const createPublicIndex = ({ db }: Engine): PublicIndex => {
  const numbers = sharedNumbers(db)
  const portion = prepareQuery((at: { createdAt: number; slug: string; limit: number }) =>
    db
      .selectFrom('pack')
      .select((eb) => [
        'slug',
        'name',
        'owner_id as ownerId',
        eb
          .selectFrom('account')
          .select('username')
          .whereRef('account.id', '=', 'pack.owner_id')
          .as('ownerUsername'),
        'description',
        sql<number>`json_array_length(slots)`.as('slotCount'),
        'stats',
        'created_at as createdAt',
        'updated_at as updatedAt',
      ])
      .where('visibility', '=', sql.lit('public'))
      .where('hidden_at', 'is', null)
      .where((eb) => eb(eb.refTuple('created_at', 'slug'), '<', eb.tuple(at.createdAt, at.slug)))
      .orderBy('created_at', 'desc')
      .orderBy('slug', 'desc')
      .limit(at.limit),
  )
  return {
    version: () => numbers.indexVersion(db),

    async readPortion(after, limit) {
      const at = after ?? { createdAt: Number.MAX_SAFE_INTEGER, slug: '' }
      const rows = await portion(db, { createdAt: at.createdAt, slug: at.slug, limit })
      return rows.map(({ stats, ...row }) => ({
        ...row,
        stats: stats === null ? null : (JSON.parse(stats) as Stats),
      }))
    },
  }
}
