import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { BoundedMap } from '../../../domain/loading.ts'
import { type Beatmap, type Rating, type RatingKey, ratingText } from '../../../domain/beatmaps.ts'
import type { BeatmapCache, CachedBeatmap, CachedRating } from '../../../ports/beatmaps.ts'
import type { Db, Engine } from '../engine.ts'
import { prepareByLength, prepareListQuery, prepareQueries, valueLists } from '../query.ts'
import type { Tables } from '../tables.ts'

/** What the platform can have sent in so long, a database deletes in a moment. */
const SLICE_MS = 600_000

/** A few MB. */
const MAX_BEATMAPS = 10_000
/** A few MB: pages show a beatmap with three mods (D-94). */
const MAX_RATINGS = 3 * MAX_BEATMAPS

/** What is known of one version of the tables. */
type Facts = {
  /** Random, new with each transaction that writes to them; null before the first. */
  version: string | null
  readonly beatmaps: BoundedMap<number, CachedBeatmap>
  readonly ratings: BoundedMap<string, CachedRating>
}

/**
 * What was read stays in memory until another process writes, because packs share many of their beatmaps. What this
 * process writes changes what is in memory.
 */
export function createBeatmapCache({ db, write }: Engine): BeatmapCache {
  const queries = prepareQueries({
    version: () => sql<{ mark: string }>`
      select mark from shared_number where name = 'beatmap_version'`,

    setVersion: ({ mark }: { mark: string }) => sql`
      insert into shared_number (name, value, mark) values ('beatmap_version', 0, ${mark})
      on conflict (name) do update set mark = excluded.mark`,

    keepBeatmap: ({ id, known_at, details }: Omit<Tables['beatmap'], 'is_public'>) => sql`
      insert into beatmap (id, known_at, details) values (${id}, ${known_at}, ${details})
      on conflict (id) do update set known_at = excluded.known_at, details = excluded.details`,

    keepRating: (row: Omit<Tables['rating'], 'is_public'>) => sql`
      insert into rating (beatmap_id, ruleset, mods, known_at, stars, verdict, nones)
      values (${row.beatmap_id}, ${row.ruleset}, ${row.mods}, ${row.known_at}, ${row.stars},
        ${row.verdict}, ${row.nones})
      on conflict (beatmap_id, ruleset, mods) do update set
        known_at = excluded.known_at, stars = excluded.stars, verdict = excluded.verdict,
        nones = case when excluded.nones = 0 then 0 else rating.nones + 1 end`,

    publishBeatmap: ({ id }: { id: number }) => sql`
      update beatmap set is_public = 1 where id = ${id}`,

    publishRating: ({ id, ruleset, mods }: { id: number; ruleset: string; mods: string }) => sql`
      update rating set is_public = 1
      where beatmap_id = ${id} and ruleset = ${ruleset} and mods = ${mods}`,
  })
  const { version, setVersion, keepBeatmap, keepRating, publishBeatmap, publishRating } = queries
  const selectBeatmaps = prepareListQuery(
    (ids: readonly number[]) => sql<BeatmapRow>`
      select id, known_at as at, details, is_public as "isPublic" from beatmap where id in (${sql.join(ids)})`,
  )
  const selectRatings = prepareByLength(
    ([ruleset, mods, ...ids]: readonly (string | number)[]) => sql<RatingRow>`
      select beatmap_id as id, known_at as at, stars, verdict, nones, is_public as "isPublic" from rating
      where ruleset = ${ruleset} and mods = ${mods} and beatmap_id in (${sql.join(ids)})`,
  )
  let latest: Facts | null = null

  async function currentFacts(): Promise<Facts> {
    const [row] = await version(db, {})
    const mark = row?.mark ?? null
    if (latest?.version === mark) return latest
    latest = {
      version: mark,
      beatmaps: new BoundedMap({ maxEntries: MAX_BEATMAPS }),
      ratings: new BoundedMap({ maxEntries: MAX_RATINGS }),
    }
    return latest
  }

  /** @param apply does to what is in memory what `work` does to the tables; left out: it is read again. */
  async function writeFacts<T>(
    work: (tx: Db) => Promise<T>,
    apply?: (facts: Facts) => void,
  ): Promise<T> {
    const mark = randomBytes(9).toString('base64url')
    const { result, before } = await write('beatmaps', async (tx) => {
      const [row] = await version(tx, {})
      await setVersion(tx, { mark })
      return { result: await work(tx), before: row?.mark ?? null }
    })
    if (apply !== undefined && latest?.version === before) {
      latest.version = mark
      apply(latest)
    }
    return result
  }

  const cache: BeatmapCache = {
    async readBeatmaps(ids) {
      const facts = await currentFacts()
      const { beatmaps, version: read } = facts
      const found = new Map<number, CachedBeatmap>()
      for (const id of ids) {
        const known = beatmaps.peek(id)
        if (known !== undefined) found.set(id, known)
      }
      const unread = ids.filter((id) => !found.has(id))
      for (const { id, at, details, isPublic } of await selectBeatmaps(db, unread)) {
        const beatmap = details === null ? 'gone' : (JSON.parse(details) as Beatmap)
        const known: CachedBeatmap = { beatmap, at, isPublic: isPublic === 1 }
        found.set(id, known)
        // A write meanwhile may have set what is newer.
        if (facts.version === read) beatmaps.set(id, known)
      }
      return found
    },

    keepBeatmaps: (found, gone, at) => {
      const rows = [
        ...found.map((beatmap) => ({ id: beatmap.id, details: JSON.stringify(beatmap) })),
        ...gone.map((id) => ({ id, details: null })),
      ]
      return writeFacts(
        async (tx) => {
          for (const row of rows) await keepBeatmap(tx, { ...row, known_at: at })
        },
        ({ beatmaps }) => {
          for (const { id, details } of rows) {
            const known = beatmaps.peek(id)
            // Whether a beatmap that is not in memory is public, only the store knows.
            if (known === undefined) continue
            const beatmap = parsedUnlessKept(details, known.beatmap)
            beatmaps.set(id, { ...known, beatmap, at })
          }
        },
      )
    },

    async readRatings(keys) {
      const facts = await currentFacts()
      const { ratings, version: begun } = facts
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
            const { at, nones } = row
            const known = { rating: toRating(row), nones, at, isPublic: row.isPublic === 1 }
            read.set(text, known)
          }
        }
      }
      if (facts.version === begun) for (const [text, known] of read) ratings.set(text, known)
      return texts.map((text, at) => found[at] ?? read.get(text) ?? null)
    },

    async keepRating({ beatmapId, ruleset, mods }, rating, at) {
      const known =
        typeof rating === 'object'
          ? { ...rating, verdict: null, nones: 0 }
          : { stars: null, verdict: rating, nones: 1 }
      const key = { beatmap_id: beatmapId, ruleset, mods: mods.join(',') }
      await writeFacts(
        (tx) => keepRating(tx, { ...key, known_at: at, ...known }),
        ({ ratings }) => {
          const text = ratingText({ beatmapId, ruleset, mods })
          const before = ratings.peek(text)
          if (before === undefined) return
          const nones = known.nones === 0 ? 0 : before.nones + 1
          ratings.set(text, { ...before, rating, nones, at })
        },
      )
    },

    async publish(ids, keys) {
      const [known, rated] = [await cache.readBeatmaps(ids), await cache.readRatings(keys)]
      const secret = [...known].flatMap(([id, { isPublic }]) => (isPublic ? [] : id))
      const secretKeys = keys.filter((_, at) => rated[at]?.isPublic === false)
      if (secret.length + secretKeys.length === 0) return
      await writeFacts(
        async (tx) => {
          for (const id of secret) await publishBeatmap(tx, { id })
          for (const { beatmapId: id, ruleset, mods } of secretKeys) {
            await publishRating(tx, { id, ruleset, mods: mods.join(',') })
          }
        },
        ({ beatmaps, ratings }) => {
          for (const id of secret) markPublic(beatmaps, id)
          for (const key of secretKeys) markPublic(ratings, ratingText(key))
        },
      )
    },

    forget: (before, goneBefore) =>
      writeFacts(async (tx) => {
        const forgotten = [
          await forgetOldest(tx, 'beatmap', null, before),
          await forgetOldest(tx, 'beatmap', 'details', goneBefore),
          await forgetOldest(tx, 'rating', null, before),
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
  return cache
}

function markPublic<K, V extends CachedBeatmap | CachedRating>(
  known: BoundedMap<K, V>,
  key: K,
): void {
  const before = known.peek(key)
  if (before !== undefined) known.set(key, { ...before, isPublic: true })
}

/** The same object while its details are the same: others keep what they derive from it by its identity. */
function parsedUnlessKept(
  details: string | null,
  kept: Beatmap | 'gone' | undefined,
): Beatmap | 'gone' {
  if (details === null) return 'gone'
  return kept !== undefined && JSON.stringify(kept) === details
    ? kept
    : (JSON.parse(details) as Beatmap)
}

const kindOf = ({ ruleset, mods }: RatingKey): string => `${ruleset} ${mods.join(',')}`

type BeatmapRow = { id: number; at: number; details: string | null; isPublic: 0 | 1 }
type RatingRow = Omit<BeatmapRow, 'details'> & Pick<Tables['rating'], 'stars' | 'verdict' | 'nones'>

function toRating({ stars, verdict }: Pick<Tables['rating'], 'stars' | 'verdict'>): Rating {
  if (stars !== null) return { stars }
  if (verdict !== null) return verdict
  throw new Error('A rating in the store says nothing')
}

/** Deletes one slice of the rows before `bound`, in which `missing` is null; false if there is none. */
async function forgetOldest(
  tx: Db,
  table: 'beatmap' | 'rating',
  missing: 'details' | null,
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
