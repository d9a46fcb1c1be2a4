import { sql } from 'kysely'
import type { Beatmap, Rating } from '../../../domain/beatmaps.ts'
import type { BeatmapCache, CachedBeatmap, CachedRating } from '../../../ports/beatmaps.ts'
import type { Db, Engine } from '../engine.ts'
import { prepareQueries, valueLists } from '../query.ts'
import type { Tables } from '../tables.ts'

/** What the platform can have sent in so long, a database deletes in a moment. */
const SLICE_MS = 600_000

export function createBeatmapCache({ db, write }: Engine): BeatmapCache {
  const { keepBeatmap, keepRating } = prepareQueries({
    keepBeatmap: ({ id, known_at, details }: Tables['beatmap']) => sql`
      insert into beatmap (id, known_at, details) values (${id}, ${known_at}, ${details})
      on conflict (id) do update set known_at = excluded.known_at, details = excluded.details`,

    keepRating: (row: Tables['rating']) => sql`
      insert into rating (beatmap_id, ruleset, mods, known_at, stars, verdict)
      values (${row.beatmap_id}, ${row.ruleset}, ${row.mods}, ${row.known_at}, ${row.stars},
        ${row.verdict})
      on conflict (beatmap_id, ruleset, mods) do update set
        known_at = excluded.known_at, stars = excluded.stars, verdict = excluded.verdict`,
  })

  return {
    async readBeatmaps(ids) {
      const found = new Map<number, CachedBeatmap>()
      for (const portion of valueLists(ids)) {
        const all = db.selectFrom('beatmap').select(['id', 'known_at as at', 'details'])
        const rows = await all.where('id', 'in', portion).execute()
        for (const { id, at, details } of rows) {
          const beatmap = details === null ? 'gone' : (JSON.parse(details) as Beatmap)
          found.set(id, { beatmap, at })
        }
      }
      return found
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
      const found = new Map<string, CachedRating>()
      for (const portion of valueLists(keys.map(({ beatmapId }) => beatmapId))) {
        const rows = await db
          .selectFrom('rating')
          .select(['beatmap_id', 'ruleset', 'mods', 'known_at as at', 'stars', 'verdict'])
          .where('beatmap_id', 'in', portion)
          .execute()
        for (const row of rows) {
          const key = `${row.beatmap_id} ${row.ruleset} ${row.mods}`
          found.set(key, { rating: toRating(row), at: row.at })
        }
      }
      return keys.map(
        ({ beatmapId, ruleset, mods }) =>
          found.get(`${beatmapId} ${ruleset} ${mods.join(',')}`) ?? null,
      )
    },

    async keepRating({ beatmapId, ruleset, mods }, rating, at) {
      const known =
        typeof rating === 'object' ? { ...rating, verdict: null } : { stars: null, verdict: rating }
      const key = { beatmap_id: beatmapId, ruleset, mods: mods.join(',') }
      await write('beatmaps', (tx) => keepRating(tx, { ...key, known_at: at, ...known }))
    },

    forget: (before, goneBefore) =>
      write('beatmaps', async (tx) => {
        const forgotten = [
          await forgetOldest(tx, 'beatmap', null, before),
          await forgetOldest(tx, 'beatmap', 'details', goneBefore),
          await forgetOldest(tx, 'rating', null, before),
          await forgetOldest(tx, 'rating', 'stars', goneBefore),
        ]
        return forgotten.includes(true)
      }),

    expire: (ids) =>
      write('beatmaps', async (tx) => {
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
      }),
  }
}

function toRating({ stars, verdict }: Pick<Tables['rating'], 'stars' | 'verdict'>): Rating {
  if (stars !== null) return { stars }
  if (verdict !== null) return verdict
  throw new Error('A rating in the store says nothing')
}

/** Deletes one slice of the rows before `bound`, in which `missing` is null; false if there is none. */
async function forgetOldest(
  tx: Db,
  table: 'beatmap' | 'rating',
  missing: 'details' | 'stars' | null,
  bound: number,
): Promise<boolean> {
  const isMissing = missing === null ? sql`` : sql`and ${sql.ref(missing)} is null`
  const isMeant = sql`known_at > 0 ${isMissing}`
  const { rows } = await sql<{ oldest: number | null }>`
    select min(known_at) as oldest from ${sql.table(table)} where ${isMeant}`.execute(tx)
  const oldest = rows[0]?.oldest ?? Infinity
  if (oldest >= bound) return false
  const end = Math.min(bound, oldest + SLICE_MS)
  await sql`delete from ${sql.table(table)} where ${isMeant} and known_at < ${end}`.execute(tx)
  return true
}
