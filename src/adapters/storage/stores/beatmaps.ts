import { sql } from 'kysely'
import type { Beatmap, Rating, RatingKey } from '../../../domain/beatmaps.ts'
import type { BeatmapCache, KnownBeatmap, KnownRating } from '../../../ports/beatmaps.ts'
import type { Db, Engine } from '../engine.ts'
import { prepareQuery, valueLists } from '../query.ts'
import type { BeatmapTable, RatingTable } from '../tables.ts'

/** What the platform can have said in so long, a database forgets in a moment. */
const SLICE_MS = 600_000

const modsText = ({ mods }: RatingKey): string => mods.join(',')

const toKnownBeatmap = (row: BeatmapTable): KnownBeatmap => ({
  beatmap: row.details === null ? 'gone' : (JSON.parse(row.details) as Beatmap),
  at: row.known_at,
})

const toRating = ({ stars, verdict }: RatingTable): Rating => {
  if (stars !== null) return { stars }
  if (verdict !== null) return verdict
  throw new Error('A rating in the store says nothing')
}

/** What the platform has said, in an SQL database. */
export const createBeatmapCache = ({ db, write }: Engine): BeatmapCache => {
  const keepBeatmap = prepareQuery((row: BeatmapTable) =>
    db
      .insertInto('beatmap')
      .values({ id: row.id, known_at: row.known_at, details: row.details })
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet({ known_at: row.known_at, details: row.details }),
      ),
  )
  const keepRating = prepareQuery((row: RatingTable) => {
    const said = { known_at: row.known_at, stars: row.stars, verdict: row.verdict }
    return db
      .insertInto('rating')
      .values({ beatmap_id: row.beatmap_id, ruleset: row.ruleset, mods: row.mods, ...said })
      .onConflict((conflict) =>
        conflict.columns(['beatmap_id', 'ruleset', 'mods']).doUpdateSet(said),
      )
  })

  const expire = async (tx: Db, ids: readonly number[] | null): Promise<void> => {
    const beatmaps = tx.updateTable('beatmap').set({ known_at: 0 })
    const ratings = tx.updateTable('rating').set({ known_at: 0 })
    if (ids === null) {
      await beatmaps.execute()
      await ratings.execute()
      return
    }
    for (const portion of valueLists(ids)) {
      await beatmaps.where('id', 'in', portion).execute()
      await ratings.where('beatmap_id', 'in', portion).execute()
    }
  }

  /** Forgets one slice of what was learned before `bound`; says whether there was any. */
  const forgetOldest = async (
    tx: Db,
    table: 'beatmap' | 'rating',
    only: 'gone' | null,
    bound: number,
  ): Promise<boolean> => {
    const isGone = sql<boolean>`${sql.ref(table === 'beatmap' ? 'details' : 'stars')} is null`
    const isMeant =
      only === null ? sql<boolean>`known_at > 0` : sql<boolean>`known_at > 0 and ${isGone}`
    const { oldest } = await tx
      .selectFrom(table)
      .select((eb) => eb.fn.min<number | null>('known_at').as('oldest'))
      .where(isMeant)
      .executeTakeFirstOrThrow()
    if (oldest === null || oldest >= bound) return false
    const end = Math.min(bound, oldest + SLICE_MS)
    await tx.deleteFrom(table).where(isMeant).where('known_at', '<', end).execute()
    return true
  }

  return {
    async readBeatmaps(ids) {
      const known = new Map<number, KnownBeatmap>()
      for (const portion of valueLists(ids)) {
        const rows = await db
          .selectFrom('beatmap')
          .select(['id', 'known_at', 'details'])
          .where('id', 'in', portion)
          .execute()
        for (const row of rows) known.set(row.id, toKnownBeatmap(row))
      }
      return known
    },

    keepBeatmaps: (found, gone, at) =>
      write('beatmaps', async (tx) => {
        for (const beatmap of found) {
          const details = JSON.stringify(beatmap)
          await keepBeatmap(tx, { id: beatmap.id, known_at: at, details })
        }
        for (const id of gone) await keepBeatmap(tx, { id, known_at: at, details: null })
      }),

    async readRatings(keys) {
      const known = new Map<string, KnownRating>()
      for (const portion of valueLists(keys.map(({ beatmapId }) => beatmapId))) {
        const rows = await db
          .selectFrom('rating')
          .select(['beatmap_id', 'ruleset', 'mods', 'known_at', 'stars', 'verdict'])
          .where('beatmap_id', 'in', portion)
          .execute()
        for (const row of rows) {
          const rating = { rating: toRating(row), at: row.known_at }
          known.set(`${row.beatmap_id} ${row.ruleset} ${row.mods}`, rating)
        }
      }
      return keys.map(
        (key) => known.get(`${key.beatmapId} ${key.ruleset} ${modsText(key)}`) ?? null,
      )
    },

    async keepRating(key, rating, at) {
      const stars = typeof rating === 'object' ? rating.stars : null
      const verdict = typeof rating === 'object' ? null : rating
      await write('beatmaps', (tx) =>
        keepRating(tx, {
          beatmap_id: key.beatmapId,
          ruleset: key.ruleset,
          mods: modsText(key),
          known_at: at,
          stars,
          verdict,
        }),
      )
    },

    forget: (before, goneBefore) =>
      write('beatmaps', async (tx) => {
        const forgotten = [
          await forgetOldest(tx, 'beatmap', null, before),
          await forgetOldest(tx, 'beatmap', 'gone', goneBefore),
          await forgetOldest(tx, 'rating', null, before),
          await forgetOldest(tx, 'rating', 'gone', goneBefore),
        ]
        return forgotten.includes(true)
      }),

    expire: (ids) => write('beatmaps', (tx) => expire(tx, ids)),
  }
}
