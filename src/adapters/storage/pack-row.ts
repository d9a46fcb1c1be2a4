import { hash } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Stats } from '../../contract/packs.ts'
import type { Bucket, Slot } from '../../contract/pools.ts'
import type { PackState, SavedExport, SavedPack } from '../../domain/packs.ts'
import type { PackStateColumns, PackTable, StatsWorkColumns } from './tables.ts'

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
