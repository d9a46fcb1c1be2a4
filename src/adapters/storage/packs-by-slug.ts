import type { SelectQueryBuilder } from 'kysely'
import { batch } from '../../domain/batch.ts'
import type { Db } from './engine.ts'
import { packsWithOwner, slimPacksWithOwner } from './pack-queries.ts'
import type { SlimRow } from './pack-row.ts'
import { prepareQuery } from './prepared-query.ts'
import type { Tables } from './tables.ts'

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
export const packsBySlug = (db: Db) => ({
  whole: together(db, packsWithOwner(db)),
  /** Without their maps and texts. */
  slim: together(db, slimPacksWithOwner(db)),
})
