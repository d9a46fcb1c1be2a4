import { randomBytes } from 'node:crypto'
import { MAX_ANNOUNCEMENTS, MAX_TRIALS } from '../../../contract/bounds.ts'
import {
  type AnnouncementContent,
  announcementsOf,
  deletionOf,
  type LoggedAnnouncement,
  type News,
} from '../../../domain/announcements.ts'
import { newSlug } from '../../../domain/keys.ts'
import type { SavedTournament } from '../../../domain/tournaments.ts'
import type { Db } from '../engine.ts'
import { prepareQueries } from '../query.ts'
import type { Tables } from '../tables.ts'
import { sql } from 'kysely'

/** What the transactions that change tournaments and packs announce (D-97). They hold the lock of the tournament. */
export function createOutbox() {
  const queries = outboxQueries()

  async function insert(tx: Db, slug: string, now: number, { kind, roundId, content }: News) {
    const round = (content.after ?? content.before)?.name ?? null
    const row = { name: newSlug({ bytes: randomBytes }), slug, kind, roundId, round, at: now }
    await queries.insert(tx, { ...row, content: JSON.stringify(content) })
  }

  async function append(tx: Db, slug: string, now: number, all: readonly News[]): Promise<void> {
    if (all.length === 0) return
    for (const news of all) await insert(tx, slug, now, news)
    await queries.forgetOldest(tx, { slug, kept: MAX_ANNOUNCEMENTS })
    await queries.forgetTrials(tx, { slug, kept: MAX_TRIALS })
    await queries.markDue(tx, { slug, dueAt: now })
  }

  return {
    append,

    /** A channel begins anew: the lease that a process has is lost, and so is what failed before. */
    restart: (tx: Db, slug: string, now: number) => queries.restartChat(tx, { slug, now }),

    /** @param now by the clock that all processes share. */
    async note(tx: Db, now: number, before: SavedTournament, after: SavedTournament) {
      if (after.discord === null) return
      await append(tx, after.slug, now, announcementsOf(before, after))
    },

    /** A tournament is about to be deleted, with what waits to be announced of it. */
    async noteDeletion(tx: Db, now: number, before: SavedTournament) {
      const { slug, discord } = before
      if (discord === null || discord.off !== null) return
      const withdrawn = (await queries.waitingWithdrawals(tx, { slug })).flatMap(
        ({ content }) => (JSON.parse(content) as AnnouncementContent).before?.name ?? [],
      )
      const news = deletionOf(before, withdrawn)
      if (news === null) return
      await insert(tx, slug, now, news)
      await queries.outlive(tx, { slug, now, url: discord.address.reveal() })
    },

    /** The channel of a tournament was set or removed: what was waiting goes to the new one, or nowhere. */
    async noteChannel(tx: Db, now: number, { slug, discord }: SavedTournament) {
      if (discord === null) {
        await queries.giveUpAll(tx, { slug, now })
        await queries.removeChat(tx, { slug })
      } else await queries.restartChat(tx, { slug, now })
    },
  }
}

type Message = Tables['tournament_message']
type Slug = { readonly slug: string }

function outboxQueries() {
  return prepareQueries({
    insert: (
      row: Slug &
        Pick<Message, 'name' | 'kind' | 'at' | 'content'> &
        Pick<LoggedAnnouncement, 'roundId' | 'round'>,
    ) => sql`
      insert into tournament_message (name, tournament, round_id, round_name, kind, at, content)
      values (${row.name}, ${row.slug}, ${row.roundId}, ${row.round}, ${row.kind}, ${row.at},
        ${row.content})`,

    forgetOldest: ({ slug, kept }: Slug & { kept: number }) => sql`
      delete from tournament_message where tournament = ${slug} and id in (
        select id from tournament_message where tournament = ${slug} and kind <> 'trial'
        order by id desc limit 1000 offset ${kept}
      )`,

    forgetTrials: ({ slug, kept }: Slug & { kept: number }) => sql`
      delete from tournament_message where tournament = ${slug} and id in (
        select id from tournament_message where tournament = ${slug} and kind = 'trial'
        order by id desc limit 1000 offset ${kept}
      )`,

    waitingWithdrawals: ({ slug }: Slug) => sql<Pick<Message, 'content'>>`
      select content from tournament_message
      where tournament = ${slug} and kind = 'withdrawal' and state = 'waiting' order by id`,

    /** A process that is sending loses the lease, but what it has begun to send may arrive until that expires. */
    outlive: ({ slug, now, url }: Slug & { now: number; url: string }) => sql`
      insert into tournament_chat (tournament, due_at, url) values (${slug}, ${now}, ${url})
      on conflict (tournament) do update set due_at = ${now}, lease_token = 0, failures = 0,
        failing_since = null, url = ${url}`,

    markDue: ({ slug, dueAt }: Slug & { dueAt: number }) => sql`
      insert into tournament_chat (tournament, due_at) values (${slug}, ${dueAt})
      on conflict (tournament) do update set due_at = coalesce(tournament_chat.due_at, ${dueAt})`,

    restartChat: ({ slug, now }: Slug & { now: number }) => sql`
      insert into tournament_chat (tournament, due_at) values (${slug}, ${now})
      on conflict (tournament) do update set due_at = ${now}, lease_until = 0, lease_token = 0,
        failures = 0, failing_since = null`,

    removeChat: ({ slug }: Slug) => sql`delete from tournament_chat where tournament = ${slug}`,

    giveUpAll: ({ slug, now }: Slug & { now: number }) => sql`
      update tournament_message set state = 'given-up', problem = 'removed', finished_at = ${now}
      where tournament = ${slug} and state = 'waiting'`,
  })
}
