import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { SYSTEM_ACCOUNT_ID } from '../../../domain/accounts.ts'
import {
  discussionNews,
  newsOf,
  type TournamentFeedEntry,
  type TournamentNews,
} from '../../../domain/tournament-feed.ts'
import type { SavedTournament } from '../../../domain/tournaments.ts'
import type { RoundNow } from '../../../ports/discussion.ts'
import type { Db, Engine } from '../engine.ts'
import { prepareQueries } from '../query.ts'
import { createFeed, forgetReader } from './feed.ts'
import { tournamentReads } from './tournament-rows.ts'

/** What the transactions that change tournaments, and the packs of their rounds, write to the feed (D-89). */
export function createTournamentLog(engine: Pick<Engine, 'db' | 'write' | 'lock' | 'nextSeq'>) {
  const { lock, nextSeq } = engine
  const reads = tournamentReads(engine)
  const queries = prepareQueries({
    append: (row: EntryRow & { mark: number }) => sql`
      insert into tournament_change (seq, mark, at, kind, tournament, round_id, pack_slug, readers)
      values (${nextSeq('tournament_change')}, ${row.mark}, ${row.at}, ${row.kind}, ${row.tournament},
        ${row.roundId}, ${row.packSlug}, ${row.readers})`,

    byPack: ({ packSlug }: { packSlug: string }) => sql<{ tournament: string }>`
      select tournament from tournament_round where pack_slug = ${packSlug}`,

    // An entry keeps its place, since the cursor of a reader may be there.
    forgetReader: ({ spaced }: { spaced: string }) => sql`
      update tournament_change set readers = replace(readers, ${spaced}, ' ')
      where replace(readers, ${spaced}, ' ') <> readers`,

    forgetForgotten: forgetReader('tournament_change'),

    mark: ({ slug, roundId }: { slug: string; roundId: string }) => sql`
      insert into round_discussion (tournament, round_id, mark) values (${slug}, ${roundId}, 1)
      on conflict (tournament, round_id) do update set mark = round_discussion.mark + 1`,

    votedOn: ({ slug, accountId }: { slug: string; accountId: string }) => sql<DiscussionPart>`
      select distinct tournament, round_id as "roundId", 'candidate' as kind from candidate_vote
      where tournament = ${slug} and account_id = ${accountId}`,

    discussionsOf: ({ id }: { id: string }) => sql<DiscussionPart>`
      select tournament, round_id as "roundId", 'candidate' as kind from candidate_vote where account_id = ${id}
      union select tournament, round_id, 'candidate' from candidate where proposed_by = ${id}
      union select tournament, round_id, 'remark' from remark where written_by = ${id} or settled_by = ${id}`,

    emptyUnread: () => sql`
      update tournament_change set tournament = '', round_id = null, pack_slug = null
      where readers = ${NO_READERS}`,
  })

  /** @param at ms since the epoch: that of the caller, which nothing hidden moves. */
  async function append(tx: Db, tournament: string, at: number, news: readonly TournamentNews[]) {
    for (const { readers, ...each } of news) {
      const row = { ...each, tournament, at, mark: randomInt(2 ** 31) }
      await queries.append(tx, { ...row, readers: readers && textOf(readers) })
    }
  }

  /** The candidates or remarks of the round have changed: for workspaces, and for those who follow changes (D-89). */
  async function noteDiscussion(
    tx: Db,
    { tournament, round }: RoundNow,
    at: number,
    kind: DiscussionPart['kind'],
  ): Promise<void> {
    await queries.mark(tx, { slug: tournament.slug, roundId: round.id })
    await append(tx, tournament.slug, at, [discussionNews(tournament, round, kind)])
  }

  async function noting<T>(
    tx: Db,
    slugs: readonly string[],
    at: (made: T) => number,
    work: () => Promise<T>,
  ): Promise<T> {
    const before = new Map<string, SavedTournament | null>()
    for (const slug of slugs) before.set(slug, await reads.load(tx, slug))
    const made = await work()
    for (const [slug, old] of before) {
      await append(tx, slug, at(made), newsOf(old, await reads.load(tx, slug)))
    }
    return made
  }

  return {
    noteDiscussion,

    /** Where those have voted who are no longer on the staff: their votes go with them. */
    async votesOfRemoved(
      tx: Db,
      { slug, staff }: SavedTournament,
      after: Pick<SavedTournament, 'staff'>,
    ): Promise<readonly DiscussionPart[]> {
      const stayed = new Set(after.staff.map(({ accountId }) => accountId))
      const parts: DiscussionPart[] = []
      for (const { accountId } of staff) {
        if (!stayed.has(accountId)) parts.push(...(await queries.votedOn(tx, { slug, accountId })))
      }
      return parts
    },

    /** Where an account has proposed, voted or written: without it, that has another author or is gone. */
    discussionsOf: (tx: Db, id: string): Promise<readonly DiscussionPart[]> =>
      queries.discussionsOf(tx, { id }),

    /** Notes that these candidates or remarks have changed. */
    async noteDiscussions(tx: Db, at: number, parts: readonly DiscussionPart[]): Promise<void> {
      for (const [slug, own] of Map.groupBy(parts, ({ tournament }) => tournament)) {
        const tournament = await reads.load(tx, slug)
        if (tournament === null) continue
        const once = new Map(own.map((each) => [`${each.roundId} ${each.kind}`, each]))
        for (const { roundId, kind } of once.values()) {
          const round = tournament.rounds.find(({ id }) => id === roundId)
          if (round !== undefined) await noteDiscussion(tx, { tournament, round }, at, kind)
          // A deleted one that comes back has changed, too.
          else await queries.mark(tx, { slug, roundId })
        }
      }
    },

    /** Notes what a save has made of a tournament; null: it is new, or deleted. */
    note: (tx: Db, at: number, before: SavedTournament | null, after: SavedTournament | null) =>
      append(tx, (after ?? before)?.slug ?? '', at, newsOf(before, after)),

    /** Notes what `work` makes of these tournaments, whose locks the transaction holds. */
    noting: (tx: Db, slugs: readonly string[], at: number, work: () => Promise<void>) =>
      noting(tx, slugs, () => at, work),

    /** Notes what `work` makes of the tournament that a pack was released of, and takes its lock; if it was. */
    async notingPack<T>(
      tx: Db,
      pack: { readonly slug: string; readonly ownerId: string },
      at: (made: T) => number,
      work: () => Promise<T>,
    ): Promise<T> {
      if (pack.ownerId !== SYSTEM_ACCOUNT_ID) return work()
      const [found] = await queries.byPack(tx, { packSlug: pack.slug })
      if (found === undefined) return work()
      await lock(tx, 'tournaments', found.tournament)
      return noting(tx, [found.tournament], at, work)
    },

    /** The account is gone: who it was, and what it alone could know, stays secret. */
    async forgetReader(tx: Db, id: string): Promise<void> {
      await queries.forgetReader(tx, { spaced: ` ${id} ` })
      await queries.forgetForgotten(tx, { id })
      await queries.emptyUnread(tx, {})
    },
  }
}

/** The readers of an entry that may not be read any more. */
const NO_READERS = ' '

/** Each between spaces, so that one can be taken out. */
const textOf = (readers: readonly string[]): string => ` ${readers.map((id) => `${id} `).join('')}`

/** The candidates or the remarks of a round. */
type DiscussionPart = {
  readonly tournament: string
  readonly roundId: string
  readonly kind: 'candidate' | 'remark'
}

type EntryRow = Omit<TournamentFeedEntry, 'cursor' | 'readers'> & {
  readonly readers: string | null
}

/** What has happened to tournaments (D-89). */
export const createTournamentFeed = (engine: Engine) =>
  createFeed(engine, {
    table: 'tournament_change',
    key: 'tournament_change_cursor',
    readers: sql`readers`,
    isFor: (id) =>
      sql`(readers is null or replace(readers, ' ' || cast(${id} as text) || ' ', '') <> readers)`,
    columns: sql`at, kind, tournament, round_id as "roundId", pack_slug as "packSlug", readers`,
    toEntry: ({ readers, ...row }: EntryRow, cursor): TournamentFeedEntry => ({
      cursor,
      at: row.at,
      kind: row.kind,
      tournament: row.tournament,
      roundId: row.roundId,
      packSlug: row.packSlug,
      readers: readers === null ? null : readers.split(' ').filter((id) => id !== ''),
    }),
  })
