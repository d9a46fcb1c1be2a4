import { BoundedMap } from '../../../domain/bounded-map.ts'
import type { SavedPack } from '../../../domain/packs.ts'
import type { PackList } from '../../../ports/packs.ts'
import type { IndexVersion } from '../../../ports/search-index.ts'
import { fromSlimRow, type PackRow, type SlimRow, toSavedPack } from './pack-queries.ts'

/** Reads the rows of packs by their slugs; undefined where there is none. */
export type PackRows = {
  readonly whole: (slug: string) => Promise<PackRow | undefined>
  /** Without their slots and texts. */
  readonly slim: (slug: string) => Promise<SlimRow | undefined>
}

export const MAX_PACKS = 2000
export const MAX_PAGES = 64

type CachedPack = { readonly row: SlimRow; readonly pack: SavedPack }

/** While these are the same, so is everything that a save sets. */
const savedColumns = ['id', 'updatedAt', 'contentHash'] as const

/**
 * Reads packs by slug, from the store each time; what has not changed since it was read before is
 * neither read whole nor parsed again, and the same object is returned. A save always moves
 * `updated_at` (D-26): what only a save sets is the same while that is. The hash of the content guards
 * against a save that was lost with its database and came again in the same millisecond with other
 * content.
 */
export function cachePacks(rows: PackRows): (slug: string) => Promise<SavedPack | null> {
  const packs = new BoundedMap<string, CachedPack>({ maxEntries: MAX_PACKS })

  async function load(slug: string): Promise<CachedPack | null> {
    const row = await rows.whole(slug)
    return row === undefined ? null : { row, pack: toSavedPack(row) }
  }

  async function renew(slug: string, before: CachedPack): Promise<CachedPack | null> {
    const row = await rows.slim(slug)
    if (row === undefined) return null
    if (savedColumns.some((column) => row[column] !== before.row[column])) return load(slug)
    const columns = Object.keys(row) as (keyof SlimRow)[]
    if (columns.every((column) => row[column] === before.row[column])) return before
    return { row, pack: Object.freeze({ ...before.pack, ...fromSlimRow(row) }) }
  }

  return async (slug) => {
    const before = packs.get(slug)
    const now = await (before === undefined ? load(slug) : renew(slug, before))
    if (now === null) packs.delete(slug)
    else if (now !== before) packs.set(slug, now)
    return now?.pack ?? null
  }
}

/** A page of the public list, and the version that the list had. */
export type PublicPage = { readonly version: IndexVersion; readonly list: PackList }

/** Caches pages of the public list: one is returned again for as long as the list has its version. */
export function cachePages(
  readVersion: () => Promise<IndexVersion>,
): (key: string, load: () => Promise<PublicPage>) => Promise<PackList> {
  const pages = new BoundedMap<string, PublicPage>({ maxEntries: MAX_PAGES })

  return async (key, load) => {
    const cached = pages.get(key)
    if (cached !== undefined && cached.version === (await readVersion())) return cached.list
    const page = await load()
    pages.set(key, page)
    return page.list
  }
}
