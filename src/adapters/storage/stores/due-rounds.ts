import { sql } from 'kysely'
import type { TournamentStore } from '../../../ports/tournaments.ts'
import type { Engine } from '../engine.ts'
import { prepareQueries } from '../query.ts'

/** The rounds that are to be released or filled, and those that are announced. */
export function dueRounds({ db, timeOf }: Engine): Pick<TournamentStore, 'due' | 'listComing'> {
  const queries = prepareQueries({
    scheduled: ({ rows }: { rows: number }) =>
      sql<{ slug: string; roundId: string; releaseAt: number }>`
        select tournament as slug, id as "roundId", release_at as "releaseAt"
        from tournament_round as round where release_at is not null and ${isOfShown}
        order by release_at, tournament, id limit ${rows}`,

    filled: ({ rows }: { rows: number }) =>
      sql<{ slug: string; roundId: string; since: number }>`
        select tournament as slug, id as "roundId", updated_at as since
        from tournament_round as round where fill_due is not null and ${isOfShown}
        order by updated_at, tournament, id limit ${rows}`,
  })

  return {
    async due(callerNow, limit) {
      // Before the rounds: what is read later is never due too early.
      const now = await timeOf(db, callerNow)
      const rows = await queries.scheduled(db, { rows: limit + 1 })
      const due = rows.slice(0, limit).filter(({ releaseAt }) => releaseAt <= now)
      const next = rows[due.length]
      const filled = await queries.filled(db, { rows: limit })
      const scheduled = due.map(({ releaseAt, ...round }) => ({ ...round, since: releaseAt }))
      const all = [...scheduled, ...filled].toSorted((a, b) => a.since - b.since)
      return {
        rounds: all.slice(0, limit).map(({ slug, roundId }) => ({ slug, roundId })),
        nextInMs: next === undefined ? null : Math.max(0, next.releaseAt - now),
      }
    },

    async listComing(limit) {
      const rows = await db
        .selectFrom('tournament_round')
        .innerJoin('tournament', 'tournament.slug', 'tournament')
        .select('tournament.slug')
        .where('release_at', 'is not', null)
        .where('pack_slug', 'is', null)
        .where('visibility', '=', 'public')
        .where('hidden_at', 'is', null)
        .where('announce_rounds', '=', 1)
        .orderBy('release_at')
        .limit(limit)
        .execute()
      return rows.map(({ slug }) => slug)
    },
  }
}

/** Of a round: its tournament is not hidden. */
const isOfShown = sql`exists (
  select slug from tournament where slug = round.tournament and hidden_at is null
)`
