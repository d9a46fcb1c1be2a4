import { type InferResult, sql } from 'kysely'
import type { DeletedRound } from '../../../domain/tournaments.ts'
import type { TournamentStore } from '../../../ports/tournaments.ts'
import type { Db, Engine } from '../engine.ts'
import { prepareQueries } from '../query.ts'
import { keyedWrites } from './keyed-writes.ts'
import { createTournamentLog } from './tournament-feed.ts'
import { toSavedRound, tournamentReads } from './tournament-rows.ts'
import { saveContent } from './tournament-saves.ts'

/** Deleted rounds that are removed at once. */
const FORGOTTEN_AT_ONCE = 100

type DeletedRounds = Pick<
  TournamentStore,
  'listDeletedRounds' | 'restoreRound' | 'forgetDeletedRounds'
>

/** Rounds that were deleted, until they are restored or forgotten (D-82). */
export function deletedRounds(engine: Engine): DeletedRounds {
  const { db, write } = engine
  const reads = tournamentReads(engine)
  const keyed = keyedWrites(engine)
  const feed = createTournamentLog(engine)
  const queries = prepareQueries({
    deleted: ({ before, rows }: { before: number; rows: number }) =>
      sql<{ slug: string; id: string }>`
        select tournament as slug, id from tournament_round
        where deleted_at is not null and deleted_at <= ${before} limit ${rows}`,

    forget: ({ slug, id, before }: { slug: string; id: string; before: number }) => sql`
      delete from tournament_round
      where tournament = ${slug} and id = ${id} and deleted_at <= ${before}`,
  })

  return {
    listDeletedRounds: async (slug, after) =>
      (await findDeleted(db, slug, after).execute()).map(toDeleted),

    restoreRound: (slug, roundId, savedBy, { after, at }, change, once = null) =>
      reads.change(slug, async (tx, before) => {
        if (once !== null) await keyed.refuseRepeated(tx, once)
        const found = findDeleted(tx, slug, after).where('tournament_round.id', '=', roundId)
        const row = await found.executeTakeFirst()
        if (row === undefined) return null
        const saved = await saveContent(tx, before, change(before, toDeleted(row).round), savedBy)
        await feed.note(tx, at, before, saved)
        if (once !== null) await keyed.note(tx, once)
        return saved
      }),

    forgetDeletedRounds: (before) =>
      write(
        'tournaments',
        async (tx) => {
          const old = await queries.deleted(tx, { before, rows: FORGOTTEN_AT_ONCE })
          for (const { slug, id } of old) await queries.forget(tx, { slug, id, before })
          return old.length === FORGOTTEN_AT_ONCE
        },
        'deleted rounds',
      ),
  }
}

const findDeleted = (db: Db, slug: string, after: number) =>
  db
    .selectFrom('tournament_round')
    .leftJoin('account', 'account.id', 'deleted_by')
    .selectAll('tournament_round')
    .select('username')
    .where('tournament', '=', slug)
    .where('deleted_at', '>', after)
    .orderBy('deleted_at', 'desc')
    .orderBy('tournament_round.id')

function toDeleted({
  username,
  ...row
}: InferResult<ReturnType<typeof findDeleted>>[number]): DeletedRound {
  return {
    round: toSavedRound(row, null),
    deletedAt: row.deleted_at!,
    deletedBy: row.deleted_by === null ? null : { username },
  }
}
