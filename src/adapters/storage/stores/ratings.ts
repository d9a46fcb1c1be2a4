import { sql } from 'kysely'
import type { ForcedMod } from '../../../contract/mods.ts'
import { DAY_MS } from '../../../contract/quotas.ts'
import type { RatingKey } from '../../../domain/beatmaps.ts'
import type { RatingWatch } from '../../../ports/stats.ts'
import type { Engine } from '../engine.ts'
import { prepareQueries } from '../query.ts'
import type { Tables } from '../tables.ts'

export function createRatingWatch({ db, write }: Engine): RatingWatch {
  const queries = prepareQueries({
    dueAt: () => sql<{ at: number }>`
      select value as at from shared_number where name = 'canary_due_at'`,

    setDueAt: ({ at }: { at: number }) => sql`
      update shared_number set value = ${at} where name = 'canary_due_at'`,

    ratings: () => sql<Tables['canary_rating']>`
      select beatmap_id, ruleset, mods, stars from canary_rating order by beatmap_id, ruleset, mods`,

    add: (row: Tables['canary_rating']) => sql`
      insert into canary_rating (beatmap_id, ruleset, mods, stars)
      values (${row.beatmap_id}, ${row.ruleset}, ${row.mods}, ${row.stars})
      on conflict (beatmap_id, ruleset, mods) do nothing`,

    change: (row: Tables['canary_rating']) => sql`
      update canary_rating set stars = ${row.stars}
      where beatmap_id = ${row.beatmap_id} and ruleset = ${row.ruleset} and mods = ${row.mods}`,

    note: (row: Omit<Tables['rating_change'], 'id'>) => sql`
      insert into rating_change (at, beatmap_id, ruleset, mods, stars_before, stars_after)
      values (${row.at}, ${row.beatmap_id}, ${row.ruleset}, ${row.mods}, ${row.stars_before},
        ${row.stars_after})`,

    last: () => sql<Omit<Tables['rating_change'], 'id'>>`
      select at, beatmap_id, ruleset, mods, stars_before, stars_after from rating_change
      where at = (select max(at) from rating_change) order by id`,
  })

  return {
    async take(now, retryAt) {
      const isDue = (at: number): boolean => at <= now || at > now + DAY_MS
      const [planned] = await queries.dueAt(db, {})
      if (!isDue(planned?.at ?? 0)) return null
      return write('beatmaps', async (tx) => {
        const [due] = await queries.dueAt(tx, {})
        if (!isDue(due?.at ?? 0)) return null
        await queries.setDueAt(tx, { at: retryAt })
        if (due?.at === 0) return null
        const rows = await queries.ratings(tx, {})
        return rows.map(({ stars, ...row }) => ({ key: toKey(row), stars }))
      })
    },

    finish(ratings, changes, now, nextAt) {
      return write('beatmaps', async (tx) => {
        for (const { key, stars } of ratings) await queries.add(tx, { ...toRow(key), stars })
        for (const { key, before, after } of changes) {
          const row = toRow(key)
          await queries.change(tx, { ...row, stars: after })
          await queries.note(tx, { ...row, at: now, stars_before: before, stars_after: after })
        }
        await queries.setDueAt(tx, { at: nextAt })
      })
    },

    async lastChange() {
      const rows = await queries.last(db, {})
      const [first] = rows
      if (first === undefined) return null
      const changes = rows.map(({ stars_before: before, stars_after: after, ...row }) => {
        return { key: toKey(row), before, after }
      })
      return { at: first.at, changes }
    },
  }
}

type KeyRow = Pick<Tables['canary_rating'], 'beatmap_id' | 'ruleset' | 'mods'>

const toRow = ({ beatmapId, ruleset, mods }: RatingKey): KeyRow => ({
  beatmap_id: beatmapId,
  ruleset,
  mods: mods.join(','),
})

const toKey = ({ beatmap_id: beatmapId, ruleset, mods }: KeyRow): RatingKey => ({
  beatmapId,
  ruleset,
  mods: mods.split(',') as ForcedMod[],
})
