import { sql } from 'kysely'
import type {
  NewCandidate,
  NewRemark,
  RoundPlace,
  SavedCandidate,
  SavedRemark,
  SlotPlace,
  Speaker,
} from '../../../domain/discussion.ts'
import type { DiscussionStore, RoundNow } from '../../../ports/discussion.ts'
import type { Db, Engine } from '../engine.ts'
import { prepareQueries, type RowOf } from '../query.ts'
import type { Tables } from '../tables.ts'
import { keyedWrites } from './keyed-writes.ts'
import { createTournamentLog } from './tournament-feed.ts'
import { tournamentReads } from './tournament-rows.ts'

/** A candidate or a remark. */
type Item = RoundPlace & { readonly id: string }

export function createDiscussionStore(engine: Engine): DiscussionStore {
  const { db, read } = engine
  const tournaments = tournamentReads(engine)
  const queries = discussionQueries(db)
  const keyed = keyedWrites(engine)
  const { noteDiscussion: mark } = createTournamentLog(engine)

  /** Calls `work` with the tournament and the round as they are; null when there is no such round. */
  const inRound = <T>(
    { slug, roundId }: RoundPlace,
    work: (tx: Db, now: RoundNow) => Promise<T>,
  ): Promise<T | null> =>
    tournaments.change(slug, async (tx, tournament) => {
      const round = tournament.rounds.find(({ id }) => id === roundId)
      return round === undefined ? null : work(tx, { tournament, round })
    })

  async function readCandidate(tx: Db, item: Item): Promise<SavedCandidate | null> {
    const [row] = await queries.candidate(tx, item)
    return row === undefined ? null : toCandidate(row, await queries.votesOn(tx, item))
  }

  async function readRemark(tx: Db, item: Item): Promise<SavedRemark | null> {
    const [row] = await queries.remark(tx, item)
    return row === undefined ? null : toRemark(row)
  }

  return {
    read: (place) =>
      read(async (tx) => {
        const candidates = await queries.candidates(tx, place)
        const votes = Map.groupBy(await queries.votes(tx, place), ({ candidate }) => candidate)
        const remarks = await queries.remarks(tx, place)
        return {
          candidates: candidates.map((row) => toCandidate(row, votes.get(row.id) ?? [])),
          remarks: remarks.map(toRemark),
        }
      }),

    readOf: (accountId) =>
      read(async (tx) => {
        const candidates = await queries.candidatesOf(tx, { accountId })
        const votes = await queries.votesOf(tx, { accountId })
        const remarks = await queries.remarksOf(tx, { accountId })
        return { candidates, votes, remarks: remarks.map(toOwnRemark) }
      }),

    propose: (place, accountId, proposed, check, once = null) =>
      inRound(place, async (tx, now) => {
        if (once !== null) await keyed.refuseRepeated(tx, once)
        check(now, await queries.candidates(tx, place))
        for (const candidate of proposed) {
          await queries.addCandidate(tx, { ...place, ...candidate, accountId })
        }
        await mark(tx, now, proposed[0]!.createdAt, 'candidate')
        if (once !== null) await keyed.note(tx, once)
        const ids = new Set(proposed.map(({ id }) => id))
        const all = await queries.candidates(tx, place)
        return all.filter(({ id }) => ids.has(id)).map((row) => toCandidate(row, []))
      }),

    changeCandidate: (place, id, at, change) =>
      inRound(place, async (tx, now) => {
        const item = { ...place, id }
        const before = await readCandidate(tx, item)
        if (before === null) return null
        const made = change(now, before)
        if (made === 'remove') {
          await mark(tx, now, at, 'candidate')
          await queries.removeCandidate(tx, item)
          return 'removed'
        }
        const { accountId, vote } = made
        if (vote === (before.votes.find((cast) => cast.accountId === accountId)?.vote ?? 0)) {
          return before
        }
        await mark(tx, now, at, 'candidate')
        await queries.removeVote(tx, { ...item, accountId })
        if (vote !== 0) await queries.addVote(tx, { ...item, accountId, vote })
        return readCandidate(tx, item)
      }),

    moveCandidate: (place, id, at, { mod, index }, check) =>
      inRound(place, async (tx, now) => {
        const item = { ...place, id }
        const before = await readCandidate(tx, item)
        if (before === null) return null
        check(now, before, await queries.candidates(tx, place))
        if (before.mod === mod && before.index === index) return before
        await queries.moveCandidate(tx, { ...item, mod, index })
        await mark(tx, now, at, 'candidate')
        return readCandidate(tx, item)
      }),

    addRemark: (place, accountId, remark, check, once = null) =>
      inRound(place, async (tx, now) => {
        if (once !== null) await keyed.refuseRepeated(tx, once)
        const [count] = await queries.countRemarks(tx, place)
        check(now, count?.remarks ?? 0)
        const { slot, ...rest } = remark
        const { mod, index } = slot ?? { mod: null, index: null }
        await queries.addRemark(tx, { ...place, ...rest, mod, index, accountId })
        await mark(tx, now, remark.createdAt, 'remark')
        if (once !== null) await keyed.note(tx, once)
        return readRemark(tx, { ...place, id: remark.id })
      }),

    changeRemark: (place, id, at, change) =>
      inRound(place, async (tx, now) => {
        const item = { ...place, id }
        const before = await readRemark(tx, item)
        if (before === null) return null
        const state = change(now, before)
        if (state === before) return before
        await mark(tx, now, at, 'remark')
        if (state === null) {
          await queries.removeRemark(tx, item)
          return 'removed'
        }
        await queries.saveRemark(tx, {
          ...item,
          mod: state.slot?.mod ?? null,
          slot_index: state.slot?.index ?? null,
          text: state.text,
          is_settled: state.isSettled ? 1 : 0,
          settled_by: state.settledBy?.accountId ?? null,
          updated_at: state.updatedAt,
        })
        return readRemark(tx, item)
      }),
  }
}

type Queries = ReturnType<typeof discussionQueries>

function discussionQueries(db: Db) {
  const isIn = ({ slug, roundId }: RoundPlace) =>
    sql`tournament = ${slug} and round_id = ${roundId}`
  const isItem = (item: Item) => sql`${isIn(item)} and id = ${item.id}`
  const nextNumber = (table: 'candidate' | 'remark', place: RoundPlace) => sql`(
    select coalesce(max(number), 0) + 1 from ${sql.table(table)} where ${isIn(place)})`
  const candidates = db
    .selectFrom('candidate')
    .select(['candidate.id', 'mod', 'slot_index as index', 'beatmap_id as beatmapId'])
    .select('candidate.created_at as createdAt')
  const candidatesIn = ({ slug, roundId }: RoundPlace) =>
    candidates
      .leftJoin('account', 'account.id', 'proposed_by')
      .select(['note', 'proposed_by as accountId', 'account.game_id as gameId', 'account.username'])
      .where('tournament', '=', slug)
      .where('round_id', '=', roundId)
  const votesIn = ({ slug, roundId }: RoundPlace) =>
    db
      .selectFrom('candidate_vote')
      .innerJoin('account', 'account.id', 'account_id')
      .select(['candidate', 'vote', 'account_id as accountId', 'game_id as gameId', 'username'])
      .where('tournament', '=', slug)
      .where('round_id', '=', roundId)
      .orderBy('account_id')
  const remarks = db
    .selectFrom('remark')
    .select(['remark.id', 'mod', 'slot_index as index', 'text', 'is_settled as isSettled'])
    .select(['remark.created_at as createdAt', 'remark.updated_at as updatedAt'])
  const remarksIn = ({ slug, roundId }: RoundPlace) =>
    remarks
      .leftJoin('account as writer', 'writer.id', 'written_by')
      .leftJoin('account as settler', 'settler.id', 'settled_by')
      .select(['written_by as writerId', 'writer.game_id as writerGameId'])
      .select(['settled_by as settlerId', 'settler.game_id as settlerGameId'])
      .select(['writer.username as writerName', 'settler.username as settlerName'])
      .where('tournament', '=', slug)
      .where('round_id', '=', roundId)

  return prepareQueries({
    candidates: (place: RoundPlace) => candidatesIn(place).orderBy('number'),
    candidate: (item: Item) => candidatesIn(item).where('candidate.id', '=', item.id),
    votes: (place: RoundPlace) => votesIn(place),
    votesOn: (item: Item) => votesIn(item).where('candidate', '=', item.id),
    remarks: (place: RoundPlace) => remarksIn(place).orderBy('number'),
    remark: (item: Item) => remarksIn(item).where('remark.id', '=', item.id),

    countRemarks: (place: RoundPlace) =>
      sql<{ remarks: number }>`select count(*) as remarks from remark where ${isIn(place)}`,

    candidatesOf: ({ accountId }: { accountId: string }) =>
      candidates
        .select(['tournament as slug', 'round_id as roundId', 'note'])
        .where('proposed_by', '=', accountId)
        .orderBy('created_at')
        .orderBy('id'),

    votesOf: ({ accountId }: { accountId: string }) =>
      candidates
        .innerJoin('candidate_vote as cast', (on) =>
          on
            .onRef('cast.tournament', '=', 'candidate.tournament')
            .onRef('cast.round_id', '=', 'candidate.round_id')
            .onRef('cast.candidate', '=', 'candidate.id'),
        )
        .select(['candidate.tournament as slug', 'candidate.round_id as roundId', 'vote'])
        .where('account_id', '=', accountId)
        .orderBy('candidate.created_at')
        .orderBy('candidate.id'),

    remarksOf: ({ accountId }: { accountId: string }) =>
      remarks
        .select(['tournament as slug', 'round_id as roundId'])
        .where('written_by', '=', accountId)
        .orderBy('created_at')
        .orderBy('id'),

    addCandidate: (row: RoundPlace & NewCandidate & { accountId: string }) => sql`
      insert into candidate (tournament, round_id, id, number, mod, slot_index, beatmap_id, note,
        proposed_by, created_at)
      values (${row.slug}, ${row.roundId}, ${row.id}, ${nextNumber('candidate', row)}, ${row.mod},
        ${row.index}, ${row.beatmapId}, ${row.note}, ${row.accountId}, ${row.createdAt})`,

    moveCandidate: ({ mod, index, ...item }: Item & SlotPlace) => sql`
      update candidate set mod = ${mod}, slot_index = ${index} where ${isItem(item)}`,

    removeCandidate: (item: Item) => sql`delete from candidate where ${isItem(item)}`,

    addVote: ({ slug, roundId, id, accountId, vote }: Item & { accountId: string; vote: number }) =>
      sql`insert into candidate_vote (tournament, round_id, candidate, account_id, vote)
        values (${slug}, ${roundId}, ${id}, ${accountId}, ${vote})`,

    removeVote: ({ accountId, ...item }: Item & { accountId: string }) => sql`
      delete from candidate_vote
      where ${isIn(item)} and candidate = ${item.id} and account_id = ${accountId}`,

    addRemark: (
      row: RoundPlace &
        Omit<NewRemark, 'slot'> & { mod: string | null; index: number | null; accountId: string },
    ) => sql`
      insert into remark (tournament, round_id, id, number, mod, slot_index, text, written_by,
        is_settled, created_at, updated_at)
      values (${row.slug}, ${row.roundId}, ${row.id}, ${nextNumber('remark', row)}, ${row.mod},
        ${row.index}, ${row.text}, ${row.accountId}, 0, ${row.createdAt}, ${row.createdAt})`,

    saveRemark: (
      row: Item &
        Pick<
          Tables['remark'],
          'mod' | 'slot_index' | 'text' | 'is_settled' | 'settled_by' | 'updated_at'
        >,
    ) => sql`
      update remark set mod = ${row.mod}, slot_index = ${row.slot_index}, text = ${row.text}, is_settled = ${row.is_settled},
        settled_by = ${row.settled_by}, updated_at = ${row.updated_at}
      where ${isItem(row)}`,

    removeRemark: (item: Item) => sql`delete from remark where ${isItem(item)}`,
  })
}

/** Of a join with `account`, which has no row for accounts that are gone. */
type Joined = { readonly [F in keyof Speaker]: Speaker[F] | null }

function toSpeaker({ accountId, gameId, username }: Joined): Speaker | null {
  return accountId === null || gameId === null ? null : { accountId, gameId, username }
}

function toCandidate(
  { accountId, gameId, username, ...candidate }: NewCandidate & Joined,
  votes: readonly RowOf<Queries['votes']>[],
): SavedCandidate {
  return {
    ...candidate,
    proposedBy: toSpeaker({ accountId, gameId, username }),
    votes: votes.flatMap(({ vote, ...voter }) => {
      const speaker = toSpeaker(voter)
      return speaker === null ? [] : { ...speaker, vote }
    }),
  }
}

type OwnRemarkRow = Omit<RowOf<Queries['remarksOf']>, 'slug' | 'roundId'>

function toOwnRemark<R extends OwnRemarkRow>({ mod, index, isSettled, ...remark }: R) {
  return { ...remark, slot: index === null ? null : { mod, index }, isSettled: isSettled === 1 }
}

function toRemark(row: RowOf<Queries['remark']>): SavedRemark {
  const { writerId, writerGameId, writerName, ...unwritten } = row
  const { settlerId, settlerGameId, settlerName, ...own } = unwritten
  return {
    ...toOwnRemark(own),
    writtenBy: toSpeaker({ accountId: writerId, gameId: writerGameId, username: writerName }),
    settledBy: toSpeaker({ accountId: settlerId, gameId: settlerGameId, username: settlerName }),
  }
}
