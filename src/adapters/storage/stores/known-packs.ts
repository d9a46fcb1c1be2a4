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

const MAX_PACKS = 2000
const MAX_PAGES = 64

type Known = { readonly row: SlimRow; readonly pack: SavedPack }

/** While these are the same, so is everything that a save sets. */
const savedColumns = ['id', 'updated_at', 'content_hash'] as const

/**
 * Reads packs by slug, from the store each time; what has not changed since it was read before is
 * neither read whole nor parsed again, and the same object is returned. A save always moves
 * `updated_at` (D-26): what only a save sets is the same while that is. The hash of the content guards
 * against a save that was lost with its database and came again in the same millisecond with other
 * content.
 */
export function knownPacks(rows: PackRows): (slug: string) => Promise<SavedPack | null> {
  const packs = new BoundedMap<string, Known>({ maxEntries: MAX_PACKS })

  async function load(slug: string): Promise<Known | null> {
    const row = await rows.whole(slug)
    return row === undefined ? null : { row, pack: toSavedPack(row) }
  }

  async function renew(slug: string, before: Known): Promise<Known | null> {
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

/** Keeps pages of the public list: one is returned again for as long as the list has its version. */
export function knownPages(
  readVersion: () => Promise<IndexVersion>,
): (key: string, load: () => Promise<PublicPage>) => Promise<PackList> {
  const pages = new BoundedMap<string, PublicPage>({ maxEntries: MAX_PAGES })

  return async (key, load) => {
    const known = pages.get(key)
    if (known !== undefined && known.version === (await readVersion())) return known.list
    const now = await load()
    pages.set(key, now)
    return now.list
  }
}
