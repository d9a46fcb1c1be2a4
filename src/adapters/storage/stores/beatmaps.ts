import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { BoundedMap } from '../../../domain/bounded-map.ts'
import { type Beatmap, type Rating, type RatingKey, ratingText } from '../../../domain/beatmaps.ts'
import type { BeatmapCache, CachedBeatmap, CachedRating } from '../../../ports/beatmaps.ts'
import type { Db, Engine } from '../engine.ts'
import { prepareListQuery, prepareQueries, valueLists } from '../query.ts'
import type { Tables } from '../tables.ts'

/** What the platform can have sent in so long, a database deletes in a moment. */
const SLICE_MS = 600_000

/** Of beatmaps, and of ratings: a few MB each. */
const MAX_IN_MEMORY = 10_000

/** What was read of one version of the tables. */
type Facts = {
  /** Random, new with each transaction that writes to them; null before the first. */
  readonly version: string | null
  readonly beatmaps: BoundedMap<number, CachedBeatmap>
  readonly ratings: BoundedMap<string, CachedRating>
}

/** What was read stays in memory until any process writes: packs share many of their beatmaps. */
export function createBeatmapCache({ db, write }: Engine): BeatmapCache {
  const { version, setVersion, keepBeatmap, keepRating } = prepareQueries({
    version: () => sql<{ mark: string }>`
      select mark from shared_number where name = 'beatmap_version'`,

    setVersion: ({ mark }: { mark: string }) => sql`
      insert into shared_number (name, value, mark) values ('beatmap_version', 0, ${mark})
      on conflict (name) do update set mark = excluded.mark`,

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
  const selectBeatmaps = prepareListQuery(
    (ids: readonly number[]) => sql<{ id: number; at: number; details: string | null }>`
      select id, known_at as at, details from beatmap where id in (${sql.join(ids)})`,
  )
  const selectRatings = prepareListQuery(
    ([ruleset, mods, ...ids]: readonly (string | number)[]) => sql<RatingRow>`
      select beatmap_id as id, known_at as at, stars, verdict from rating
      where ruleset = ${ruleset} and mods = ${mods} and beatmap_id in (${sql.join(ids)})`,
  )
  let latest: Facts | null = null

  async function currentFacts(): Promise<Facts> {
    const [row] = await version(db, {})
    const mark = row?.mark ?? null
    if (latest?.version === mark) return latest
    const bounds = { maxEntries: MAX_IN_MEMORY }
    latest = { version: mark, beatmaps: new BoundedMap(bounds), ratings: new BoundedMap(bounds) }
    return latest
  }

  const writeFacts = <T>(work: (tx: Db) => Promise<T>): Promise<T> =>
    write('beatmaps', async (tx) => {
      await setVersion(tx, { mark: randomBytes(9).toString('base64url') })
      return work(tx)
    })

  return {
    async readBeatmaps(ids) {
      const { beatmaps } = await currentFacts()
      const found = new Map<number, CachedBeatmap>()
      for (const id of ids) {
        const known = beatmaps.peek(id)
        if (known !== undefined) found.set(id, known)
      }
      for (const portion of valueLists(ids.filter((id) => !found.has(id)))) {
        for (const { id, at, details } of await selectBeatmaps(db, portion)) {
          const beatmap = details === null ? 'gone' : (JSON.parse(details) as Beatmap)
          found.set(id, { beatmap, at })
          beatmaps.set(id, { beatmap, at })
        }
      }
      return found
    },

    keepBeatmaps: (found, gone, at) =>
      writeFacts(async (tx) => {
        for (const beatmap of found) {
          const details = JSON.stringify(beatmap)
          await keepBeatmap(tx, { id: beatmap.id, known_at: at, details })
        }
        for (const id of gone) await keepBeatmap(tx, { id, known_at: at, details: null })
      }),

    async readRatings(keys) {
      const { ratings } = await currentFacts()
      const texts = keys.map(ratingText)
      const found = texts.map((text) => ratings.peek(text) ?? null)
      const unread = keys.filter((_, at) => found[at] === null)
      if (unread.length === 0) return found
      const read = new Map<string, CachedRating>()
      for (const alike of Map.groupBy(unread, kindOf).values()) {
        const { ruleset, mods } = alike[0]!
        for (const portion of valueLists(alike.map(({ beatmapId }) => beatmapId))) {
          for (const row of await selectRatings(db, [ruleset, mods.join(','), ...portion])) {
            const text = ratingText({ beatmapId: row.id, ruleset, mods })
            read.set(text, { rating: toRating(row), at: row.at })
          }
        }
      }
      for (const [text, known] of read) ratings.set(text, known)
      return texts.map((text, at) => found[at] ?? read.get(text) ?? null)
    },

    async keepRating({ beatmapId, ruleset, mods }, rating, at) {
      const known =
        typeof rating === 'object' ? { ...rating, verdict: null } : { stars: null, verdict: rating }
      const key = { beatmap_id: beatmapId, ruleset, mods: mods.join(',') }
      await writeFacts((tx) => keepRating(tx, { ...key, known_at: at, ...known }))
    },

    forget: (before, goneBefore) =>
      writeFacts(async (tx) => {
        const forgotten = [
          await forgetOldest(tx, 'beatmap', null, before),
          await forgetOldest(tx, 'beatmap', 'details', goneBefore),
          await forgetOldest(tx, 'rating', null, before),
          await forgetOldest(tx, 'rating', 'stars', goneBefore),
        ]
        return forgotten.includes(true)
      }),

    expire: (ids) =>
      writeFacts(async (tx) => {
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

const kindOf = ({ ruleset, mods }: RatingKey): string => `${ruleset} ${mods.join(',')}`

type RatingRow = Pick<Tables['rating'], 'stars' | 'verdict'> & { id: number; at: number }

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
