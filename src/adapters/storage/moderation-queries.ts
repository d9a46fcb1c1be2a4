import type { Db } from './engine.ts'
import { packsWithOwner } from './pack-queries.ts'
import { prepareQuery } from './prepared-query.ts'
import type { ModerationLogTable, PackStateColumns } from './tables.ts'

/** The queries of moderators, compiled once. */
export const moderationQueries = (db: Db) => ({
  bySlug: prepareQuery((key: { slug: string }) => packsWithOwner(db).where('slug', '=', key.slug)),

  /** The pinned row in its order. */
  pinned: prepareQuery(() =>
    packsWithOwner(db).where('pinned_rank', 'is not', null).orderBy('pinned_rank').orderBy('id'),
  ),

  /** Leaves the stats work as it is. */
  setVerdict: prepareQuery(
    (row: Pick<PackStateColumns, 'hidden_at' | 'hidden_reason' | 'pinned_rank'> & { id: number }) =>
      db
        .updateTable('pack')
        .set({
          hidden_at: row.hidden_at,
          hidden_reason: row.hidden_reason,
          pinned_rank: row.pinned_rank,
        })
        .where('id', '=', row.id),
  ),

  log: prepareQuery((row: Omit<ModerationLogTable, 'id'>) =>
    db.insertInto('moderation_log').values({
      at: row.at,
      moderator_id: row.moderator_id,
      by_operator: row.by_operator,
      action: row.action,
      slug: row.slug,
      pack_name: row.pack_name,
      owner_id: row.owner_id,
      reason: row.reason,
    }),
  ),
})
