import type { SelectQueryBuilder } from 'kysely'
import { batch } from '../../../domain/batch.ts'
import { isSlug } from '../../../domain/packs.ts'
import type { PackStore } from '../../../ports/packs.ts'
import type { Db } from '../engine.ts'
import { prepareQuery } from '../query.ts'
import type { PackRows } from '../stores/pack-cache.ts'
import { packsWithOwner, slimPacksWithOwner, type SlimRow } from '../stores/pack-queries.ts'
import type { Tables } from '../tables.ts'
import type { ConnectionPool } from './pool.ts'

const MAX_BATCH = 16

/** Reads the rows of packs that are asked for at once in one query. */
export function batchedPackRows(db: Db): PackRows {
  return {
    whole: batchBySlug(db, packsWithOwner(db)),
    slim: batchBySlug(db, slimPacksWithOwner(db)),
  }
}

/** The packs; reads that take more than one statement have the time of a single call. */
export function boundReads(packs: PackStore, pool: ConnectionPool): PackStore {
  return {
    ...packs,
    // What a database refuses to compare with must not spoil what others ask at once.
    read: async (slug) => (isSlug(slug) ? pool.inTime(async () => packs.read(slug)) : null),
    listPublic: (page, pageSize) => pool.inTime(async () => packs.listPublic(page, pageSize)),
  }
}

function batchBySlug<R extends SlimRow>(
  db: Db,
  packs: SelectQueryBuilder<Tables, 'pack', R>,
): (slug: string) => Promise<R | undefined> {
  const one = querySlugs(packs, 1)
  const several = querySlugs(packs, MAX_BATCH)
  return batch(
    (slugs: readonly string[]) => {
      const [first = ''] = slugs
      const filled = Array.from({ length: MAX_BATCH }, (_, at) => slugs[at] ?? first)
      const rows = slugs.length === 1 ? one(db, slugs) : several(db, filled)
      return slugs.map(async (slug) => (await rows).find((row) => row.slug === slug))
    },
    MAX_BATCH,
    setImmediate,
  )
}

/** A query with room for so many slugs; who has fewer names one of them again. */
function querySlugs<R>(packs: SelectQueryBuilder<Tables, 'pack', R>, room: number) {
  return prepareQuery((slugs: readonly string[]) =>
    packs.where(
      'slug',
      'in',
      Array.from({ length: room }, (_, at) => slugs[at] as string),
    ),
  )
}
