import { isSlug, type SavedPack } from '../../domain/packs.ts'
import type { Db } from './engine.ts'
import { fromSlimRow, type SlimRow, toSavedPack } from './pack-row.ts'
import { packsBySlug } from './packs-by-slug.ts'
import { remember } from './remember.ts'

type Known = { readonly row: SlimRow; readonly pack: SavedPack }

const REMEMBERED_PACKS = 2000

/** While these are the same, so is everything that a save sets. */
const savedColumns = ['id', 'updated_at', 'content_hash'] as const

const columnsOf = (row: SlimRow) => Object.keys(row) as (keyof SlimRow)[]

/**
 * Reads packs by slug, from the store each time; what has not changed since it was read before is
 * neither sent nor parsed again, and the same object is returned. A save always moves `updated_at`
 * (D-26): what only a save sets is the same while that is. The hash of the content guards against a
 * save that was lost with its database and came again in the same millisecond with other content.
 */
export const knownPacks = (db: Db) => {
  const read = packsBySlug(db)
  const known = new Map<string, Known>()

  const learn = async (slug: string): Promise<Known | null> => {
    const row = await read.whole(slug)
    return row === undefined ? null : { row, pack: toSavedPack(row) }
  }

  const renew = async (slug: string, before: Known): Promise<Known | null> => {
    const row = await read.slim(slug)
    if (row === undefined) return null
    if (savedColumns.some((column) => row[column] !== before.row[column])) return learn(slug)
    if (columnsOf(row).every((column) => row[column] === before.row[column])) return before
    return { row, pack: Object.freeze({ ...before.pack, ...fromSlimRow(row) }) }
  }

  return async (slug: string): Promise<SavedPack | null> => {
    // What a database refuses to compare with must not spoil what others ask at once.
    if (!isSlug(slug)) return null
    const before = known.get(slug)
    const now = await (before === undefined ? learn(slug) : renew(slug, before))
    if (now === null) known.delete(slug)
    else if (now !== before) remember(known, REMEMBERED_PACKS, slug, now)
    return now?.pack ?? null
  }
}
