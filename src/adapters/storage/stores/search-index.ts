import { sql } from 'kysely'
import type { Stats } from '../../../contract/packs.ts'
import type { PublicIndex } from '../../../ports/search-index.ts'
import type { Engine } from '../engine.ts'
import { prepareQuery } from '../query.ts'
import { ownerUsername } from './pack-queries.ts'
import { indexVersions } from './public-list.ts'

/** What the search index is made from, in an SQL database. */
export function createPublicIndex({ db }: Engine): PublicIndex {
  const versions = indexVersions(db)
  const portion = prepareQuery((at: { createdAt: number; slug: string; limit: number }) =>
    db
      .selectFrom('pack')
      .select(['slug', 'name', 'owner_id as ownerId', 'description', 'stats'])
      .select(['created_at as createdAt', 'updated_at as updatedAt'])
      .select(sql<number>`json_array_length(slots)`.as('slotCount'))
      .select(ownerUsername)
      .where('visibility', '=', sql.lit('public'))
      .where('hidden_at', 'is', null)
      .where((eb) => eb(eb.refTuple('created_at', 'slug'), '<', eb.tuple(at.createdAt, at.slug)))
      .orderBy('created_at', 'desc')
      .orderBy('slug', 'desc')
      .limit(at.limit),
  )

  return {
    version: () => versions.read(db),

    async readPortion(after, limit) {
      const { createdAt, slug } = after ?? { createdAt: Number.MAX_SAFE_INTEGER, slug: '' }
      const rows = await portion(db, { createdAt, slug, limit })
      return rows.map(({ stats, ...row }) => ({
        ...row,
        stats: stats === null ? null : (JSON.parse(stats) as Stats),
      }))
    },
  }
}
