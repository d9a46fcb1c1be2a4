import type { SelectQueryBuilder } from 'kysely'
import { batch } from '../../../domain/batch.ts'
import { isSlug, type SavedPack } from '../../../domain/packs.ts'
import type { Db } from '../engine.ts'
import { prepareQuery } from '../query.ts'
import { remember } from '../remember.ts'
import {
  fromSlimRow,
  packsWithOwner,
  slimPacksWithOwner,
  type SlimRow,
  toSavedPack,
} from '../stores/pack-queries.ts'
import type { Tables } from '../tables.ts'

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

type Packs<R> = SelectQueryBuilder<Tables, 'pack', R>

const MOST_TOGETHER = 16

/** A query with room for so many slugs; who has fewer names one of them again. */
const querySlugs = <R>(packs: Packs<R>, room: number) =>
  prepareQuery((slugs: readonly string[]) =>
    packs.where(
      'slug',
      'in',
      Array.from({ length: room }, (_, at) => slugs[at] as string),
    ),
  )

/** Those that are asked for at once come by one query. */
const together = <R extends SlimRow>(
  db: Db,
  packs: Packs<R>,
): ((slug: string) => Promise<R | undefined>) => {
  const one = querySlugs(packs, 1)
  const several = querySlugs(packs, MOST_TOGETHER)
  return batch(
    (slugs: readonly string[]) => {
      const [first = ''] = slugs
      const filled = Array.from({ length: MOST_TOGETHER }, (_, at) => slugs[at] ?? first)
      const rows = slugs.length === 1 ? one(db, slugs) : several(db, filled)
      return slugs.map(async (slug) => (await rows).find((row) => row.slug === slug))
    },
    MOST_TOGETHER,
    setImmediate,
  )
}

/** Reads the rows of packs by their slugs; undefined where there is none. */
const packsBySlug = (db: Db) => ({
  whole: together(db, packsWithOwner(db)),
  /** Without their maps and texts. */
  slim: together(db, slimPacksWithOwner(db)),
})
