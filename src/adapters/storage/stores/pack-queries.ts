import { hash } from 'node:crypto'
import { type ExpressionBuilder, type Selectable, sql } from 'kysely'
import type { Stats } from '../../../contract/packs.ts'
import type { Bucket, Slot } from '../../../contract/pools.ts'
import type { PackState, SavedExport, SavedPack } from '../../../domain/packs.ts'
import type { Db } from '../engine.ts'
import { prepareQuery } from '../query.ts'
import type { PackStateColumns, PackTable, StatsWorkColumns, Tables } from '../tables.ts'
import type { ListKey } from './public-list.ts'

const slimColumns = [
  'id',
  'slug',
  'owner_id',
  'name',
  'visibility',
  'content_hash',
  'exports',
  'hidden_at',
  'hidden_reason',
  'pinned_rank',
  'stats',
  'created_at',
  'updated_at',
] as const

/** Most of a row; only a save changes them. */
const largeColumns = ['description', 'slots', 'buckets', 'pack_key'] as const

// A subquery instead of a join: packs that an offset skips then cost no look at their owner.
const ownerUsername = (eb: ExpressionBuilder<Tables, 'pack'>) =>
  eb
    .selectFrom('account')
    .select('username')
    .whereRef('account.id', '=', 'pack.owner_id')
    .as('owner_username')

/** Packs with their owners' names, but without their maps and texts. */
export const slimPacksWithOwner = (db: Db) =>
  db.selectFrom('pack').select((eb) => [...slimColumns, ownerUsername(eb)])

/** Packs with their owners' names. */
export const packsWithOwner = (db: Db) => slimPacksWithOwner(db).select(largeColumns)

/** A pack's row as it is first stored. */
export type NewPackRow = PackStateColumns & Pick<PackTable, 'slug' | 'owner_id' | 'created_at'>

/** The queries over packs, compiled once. */
export const packQueries = (db: Db) => {
  const packs = packsWithOwner(db)
  const newestFirst = packs.orderBy('updated_at', 'desc').orderBy('id', 'desc')

  return {
    bySlug: prepareQuery((key: { slug: string }) => packs.where('slug', '=', key.slug)),

    slimBySlug: prepareQuery((key: { slug: string }) =>
      slimPacksWithOwner(db).where('slug', '=', key.slug),
    ),

    bySlugAndOwner: prepareQuery((key: { slug: string; ownerId: string }) =>
      packs.where('slug', '=', key.slug).where('owner_id', '=', key.ownerId),
    ),

    newestByName: prepareQuery((key: { ownerId: string; name: string }) =>
      packs
        .where('owner_id', '=', key.ownerId)
        .where('name', '=', key.name)
        .orderBy('id', 'desc')
        .limit(1),
    ),

    // Written out, not bound: only so do the engines see that the index on public packs answers it.
    publicUnder: prepareQuery((page: ListKey & { skip: number; pageSize: number }) =>
      newestFirst
        .where('visibility', '=', sql.lit('public'))
        .where('hidden_at', 'is', null)
        .where((eb) => eb(eb.refTuple('updated_at', 'id'), '<', eb.tuple(page.updatedAt, page.id)))
        .limit(page.pageSize)
        .offset(page.skip),
    ),

    owned: prepareQuery((page: { ownerId: string; skip: number; pageSize: number }) =>
      newestFirst.where('owner_id', '=', page.ownerId).limit(page.pageSize).offset(page.skip),
    ),

    countOwned: prepareQuery((key: { ownerId: string }) =>
      db
        .selectFrom('pack')
        .select((eb) => eb.fn.countAll<number>().as('packs'))
        .where('owner_id', '=', key.ownerId),
    ),

    username: prepareQuery((key: { ownerId: string }) =>
      db.selectFrom('account').select('username').where('id', '=', key.ownerId),
    ),

    /** Gives no row when the slug is taken. */
    insert: prepareQuery((row: NewPackRow) =>
      db
        .insertInto('pack')
        .values({
          ...stateOf(row),
          slug: row.slug,
          owner_id: row.owner_id,
          created_at: row.created_at,
          stats_due_at: row.updated_at,
        })
        .onConflict((conflict) => conflict.column('slug').doNothing())
        .returning('id'),
    ),

    setExports: prepareQuery((row: { id: number; exports: string }) =>
      db.updateTable('pack').set({ exports: row.exports }).where('id', '=', row.id),
    ),

    /** Whoever computes stats of what the pack was lets go of it, and it is due at once. */
    save: prepareQuery((row: PackStateColumns & { id: number }) =>
      db
        .updateTable('pack')
        .set({
          ...stateOf(row),
          stats_due_at: row.updated_at,
          stats_lease_until: 0,
          stats_attempts: 0,
        })
        .where('id', '=', row.id),
    ),

    remove: prepareQuery((key: { slug: string; ownerId: string }) =>
      db
        .deleteFrom('pack')
        .where('slug', '=', key.slug)
        .where('owner_id', '=', key.ownerId)
        .returning(['id', 'visibility', 'hidden_at', 'updated_at']),
    ),
  }
}

/** Names each column: what a query is compiled from cannot be enumerated. */
const stateOf = (row: PackStateColumns): PackStateColumns => ({
  name: row.name,
  visibility: row.visibility,
  description: row.description,
  slots: row.slots,
  buckets: row.buckets,
  pack_key: row.pack_key,
  content_hash: row.content_hash,
  exports: row.exports,
  hidden_at: row.hidden_at,
  hidden_reason: row.hidden_reason,
  pinned_rank: row.pinned_rank,
  stats: row.stats,
  updated_at: row.updated_at,
})

/** A pack as it is read: its row and its owner's name. */
export type PackRow = Omit<Selectable<PackTable>, keyof StatsWorkColumns> & {
  owner_username: string | null
}

type LargeColumn = 'description' | 'slots' | 'buckets' | 'pack_key'

/** What is left of a row without its maps and texts. */
export type SlimRow = Omit<PackRow, LargeColumn>

type Large = 'description' | 'slots' | 'buckets' | 'packKey'

export const fromSlimRow = (row: SlimRow): Omit<SavedPack, Large> => ({
  slug: row.slug,
  ownerId: row.owner_id,
  ownerUsername: row.owner_username,
  createdAt: row.created_at,
  name: row.name,
  visibility: row.visibility,
  exports: JSON.parse(row.exports) as SavedExport[],
  hiddenAt: row.hidden_at,
  hiddenReason: row.hidden_reason,
  pinnedRank: row.pinned_rank,
  stats: row.stats === null ? null : (JSON.parse(row.stats) as Stats),
  updatedAt: row.updated_at,
})

export const toSavedPack = (row: PackRow): SavedPack =>
  Object.freeze({
    ...fromSlimRow(row),
    description: row.description,
    slots: JSON.parse(row.slots) as Slot[],
    buckets: row.buckets === null ? null : (JSON.parse(row.buckets) as Bucket[]),
    packKey: row.pack_key,
  })

/** 48 bits: as many as a number holds exactly. */
const HASH_DIGITS = 12

export const toStateColumns = (state: PackState): PackStateColumns => {
  const large = {
    description: state.description,
    slots: JSON.stringify(state.slots),
    buckets: state.buckets === null ? null : JSON.stringify(state.buckets),
    pack_key: state.packKey,
  }
  const digest = hash('sha256', JSON.stringify(Object.values(large)))
  return {
    ...large,
    content_hash: Number.parseInt(digest.slice(0, HASH_DIGITS), 16),
    ...smallColumns(state),
  }
}

const smallColumns = (state: PackState): Omit<PackStateColumns, LargeColumn | 'content_hash'> => ({
  name: state.name,
  visibility: state.visibility,
  exports: JSON.stringify(state.exports),
  hidden_at: state.hiddenAt,
  hidden_reason: state.hiddenReason,
  pinned_rank: state.pinnedRank,
  stats: state.stats === null ? null : JSON.stringify(state.stats),
  updated_at: state.updatedAt,
})
