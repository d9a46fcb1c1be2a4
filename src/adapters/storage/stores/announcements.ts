import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { ChatProblem } from '../../../contract/announcements.ts'
import type { AnnouncementContent, LoggedAnnouncement } from '../../../domain/announcements.ts'
import { ChatAddress } from '../../../domain/chat-address.ts'
import type { ChatMessage } from '../../../domain/chat-messages.ts'
import type {
  AnnouncementBacklog,
  AnnouncementStore,
  AttemptEnd,
  LeasedAnnouncement,
} from '../../../ports/announcements.ts'
import { type Db, type Engine, prepareQueries } from '../engine.ts'
import type { Tables } from '../tables.ts'
import { createOutbox } from './outbox.ts'
import { newTournamentMark, tournamentReads } from './tournament-rows.ts'

export function createAnnouncementStore(engine: Engine): AnnouncementStore {
  const { db, write, timeOf } = engine
  const reads = tournamentReads(engine)
  const outbox = createOutbox()
  const queries = announcementQueries()

  /** Runs `work` while the lease is this one's; null when it is lost. */
  const leased = <T>(
    { slug, lease }: LeasedAnnouncement,
    work: (tx: Db, failingSince: number | null) => Promise<T>,
  ) =>
    write(
      'tournaments',
      async (tx): Promise<T | null> => {
        const [chat] = await queries.leased(tx, { slug, lease })
        return chat === undefined ? null : work(tx, chat.failingSince)
      },
      slug,
    )

  async function takeOne(slug: string, callerNow: number, leaseMs: number) {
    return write(
      'tournaments',
      async (tx): Promise<LeasedAnnouncement | null> => {
        const now = await timeOf(tx, callerNow)
        const lease = randomInt(1, 2 ** 47)
        const until = now + leaseMs
        const [chat] = await queries.take(tx, { slug, now, until, lease })
        if (chat === undefined) return null
        const [channel] = await queries.url(tx, { slug })
        const address = ChatAddress.parse(channel?.url ?? '')
        const [row] = await queries.first(tx, { slug })
        if (row === undefined || address === null) {
          const idle = { dueAt: null, notBefore: 0, failures: 0, failingSince: null }
          await queries.endLease(tx, { slug, ...idle })
          return null
        }
        const { name: id, roundId, kind, at, sentParts } = row
        const content = JSON.parse(row.content) as AnnouncementContent
        const parts = row.parts === null ? null : (JSON.parse(row.parts) as ChatMessage[])
        const sending = { lease, parts, sentParts, failures: chat.failures }
        return { slug, address, id, news: { kind, roundId, content }, at, ...sending }
      },
      slug,
    )
  }

  return {
    async take(callerNow, leaseMs, limit) {
      const now = await timeOf(db, callerNow)
      const due = await queries.due(db, { now, limit })
      const taken: LeasedAnnouncement[] = []
      for (const { slug } of due) {
        const one = await takeOne(slug, callerNow, leaseMs)
        if (one !== null) taken.push(one)
      }
      return taken
    },

    async keepParts(taken, parts) {
      const text = JSON.stringify(parts)
      const kept = await leased(taken, (tx) => queries.keepParts(tx, { name: taken.id, text }))
      return kept !== null
    },

    async noteSent(taken, sentParts, callerNow, leaseMs) {
      const noted = await leased(taken, async (tx) => {
        const until = (await timeOf(tx, callerNow)) + leaseMs
        await queries.renew(tx, { slug: taken.slug, until })
        return queries.noteSent(tx, { name: taken.id, sentParts })
      })
      return noted !== null
    },

    finish: (taken, end, callerNow) =>
      leased(taken, async (tx, failedSince): Promise<ChatProblem | null> => {
        const { slug, id: name } = taken
        const now = await timeOf(tx, callerNow)
        const state = stateAfter(end)
        const finishedAt = state === 'waiting' ? null : now
        const attempts = end.kind === 'postponed' ? 0 : 1
        const problem = problemOf(end)
        await queries.setState(tx, { name, state, finishedAt, attempts, problem })
        const isWaiting = (await queries.first(tx, { slug })).length > 0
        const failing = failingAfter(end, now, isWaiting, { failedSince, failures: taken.failures })
        const off = offAfter(end, now, failing.failingSince)
        const dueAt = off !== null || !isWaiting ? null : now + retryInMs(end)
        await queries.endLease(tx, { slug, dueAt, notBefore: now + pauseAfter(end), ...failing })
        if (off !== null) await queries.switchOff(tx, { slug, off, mark: newTournamentMark() })
        return off
      }),

    list: async (slug, limit) => queries.list(db, { slug, limit }),

    add: (slug, callerNow, make) =>
      reads.change(slug, async (tx, saved) => {
        const made = make(saved)
        if (saved.discord === null) return null
        const now = await timeOf(tx, callerNow)
        if ('again' in made) {
          const [found] = await queries.sendAgain(tx, { slug, name: made.again, at: now })
          if (found === undefined) return null
        } else await outbox.append(tx, slug, now, [made])
        await queries.hurry(tx, { slug, now })
        if (saved.discord.off !== null) {
          await outbox.restart(tx, slug, now)
          await queries.switchOff(tx, { slug, off: null, mark: newTournamentMark() })
        }
        return { ...saved.discord, off: null }
      }),

    async backlog() {
      const [backlog] = await queries.backlog(db, {})
      return backlog ?? { waiting: 0, oldestAt: null }
    },
  }
}

const stateAfter = ({ kind }: AttemptEnd): Message['state'] =>
  kind === 'sent' ? 'sent' : kind === 'given-up' ? 'given-up' : 'waiting'

function problemOf(end: AttemptEnd): Message['problem'] {
  if (end.kind === 'sent') return null
  return end.kind === 'gone' ? 'gone' : end.problem
}

const retryInMs = (end: AttemptEnd): number =>
  end.kind === 'failed' || end.kind === 'postponed' ? end.inMs : 0

/** For how long the channel takes nothing, whatever is added meanwhile. */
function pauseAfter(end: AttemptEnd): number {
  if (end.kind === 'sent') return end.pauseMs
  return end.kind === 'postponed' && end.problem === 'limited' ? end.inMs : 0
}

/** What counts of failures. An end for which the chat was not asked leaves them, while something is waiting. */
function failingAfter(
  end: AttemptEnd,
  now: number,
  isWaiting: boolean,
  { failedSince, failures }: { failedSince: number | null; failures: number },
) {
  if (end.kind === 'failed') return { failures: failures + 1, failingSince: failedSince ?? now }
  const isUnasked =
    end.kind === 'given-up'
      ? end.problem !== 'rejected'
      : end.kind === 'postponed' && end.problem === null
  return isUnasked && isWaiting
    ? { failures, failingSince: failedSince }
    : { failures: 0, failingSince: null }
}

function offAfter(end: AttemptEnd, now: number, failingSince: number | null): ChatProblem | null {
  if (end.kind === 'gone') return 'gone'
  if (end.kind !== 'failed' || failingSince === null) return null
  return now - failingSince >= end.offAfterMs ? 'failing' : null
}

type Message = Tables['tournament_message']
type Slug = { readonly slug: string }

/** Of a channel: it may be sent to, now or later. */
const isOn = sql`exists (
  select slug from tournament where slug = chat.tournament
    and discord_url is not null and discord_off is null and hidden_at is null
)`

const logColumns =
  sql.raw(`name as id, round_id as "roundId", round_name as round, kind, at, state, attempts, problem,
  finished_at as "finishedAt"`)

function announcementQueries() {
  return prepareQueries({
    /** A failure before does not hold it up. */
    hurry: ({ slug, now }: Slug & { now: number }) => sql`
      insert into tournament_chat (tournament, due_at) values (${slug}, ${now})
      on conflict (tournament) do update set due_at = ${now}`,

    due: ({ now, limit }: { now: number; limit: number }) => sql<Slug>`
      select tournament as slug from tournament_chat as chat
      where due_at is not null and due_at <= ${now} and lease_until <= ${now} and ${isOn}
      order by due_at, tournament limit ${limit}`,

    take: (row: Slug & { now: number; until: number; lease: number }) =>
      sql<{ failures: number }>`
        update tournament_chat as chat set lease_until = ${row.until}, lease_token = ${row.lease}
        where tournament = ${row.slug} and due_at is not null and due_at <= ${row.now}
          and lease_until <= ${row.now} and ${isOn}
        returning failures`,

    url: ({ slug }: Slug) => sql<{ url: string }>`
      select coalesce(discord_url, '') as url from tournament where slug = ${slug}`,

    leased: ({ slug, lease }: Slug & { lease: number }) =>
      sql<{ failingSince: number | null }>`
        select failing_since as "failingSince" from tournament_chat
        where tournament = ${slug} and lease_token = ${lease}`,

    first: ({ slug }: Slug) =>
      sql<
        Pick<Message, 'name' | 'kind' | 'at' | 'content' | 'parts'> & {
          readonly roundId: string | null
          readonly sentParts: number
        }
      >`
        select name, round_id as "roundId", kind, at, content, parts, sent_parts as "sentParts"
        from tournament_message where tournament = ${slug} and state = 'waiting'
        order by id limit 1`,

    renew: ({ slug, until }: Slug & { until: number }) => sql`
      update tournament_chat set lease_until = ${until} where tournament = ${slug}`,

    keepParts: ({ name, text }: { name: string; text: string }) => sql`
      update tournament_message set parts = ${text} where name = ${name}`,

    noteSent: ({ name, sentParts }: { name: string; sentParts: number }) => sql`
      update tournament_message set sent_parts = ${sentParts} where name = ${name}`,

    /** `attempts`: that are added to those before. */
    setState: (
      row: Pick<Message, 'name' | 'state' | 'problem' | 'attempts'> & { finishedAt: number | null },
    ) => sql`
      update tournament_message set state = ${row.state}, problem = ${row.problem},
        finished_at = ${row.finishedAt}, attempts = attempts + ${row.attempts}
      where name = ${row.name}`,

    endLease: (
      row: Slug & {
        dueAt: number | null
        notBefore: number
        failures: number
        failingSince: number | null
      },
    ) => sql`
      update tournament_chat
      set due_at = ${row.dueAt}, lease_until = ${row.notBefore}, lease_token = 0,
        failures = ${row.failures}, failing_since = ${row.failingSince}
      where tournament = ${row.slug}`,

    switchOff: ({ slug, off, mark }: Slug & { off: ChatProblem | null; mark: number }) => sql`
      update tournament set discord_off = ${off}, mark = ${mark} where slug = ${slug}`,

    /** As new: it is not too old to be sent. */
    sendAgain: ({ slug, name, at }: Slug & { name: string; at: number }) => sql<{ id: number }>`
      update tournament_message
      set state = 'waiting', sent_parts = 0, at = ${at}, finished_at = null, problem = null
      where tournament = ${slug} and name = ${name} returning id`,

    list: ({ slug, limit }: Slug & { limit: number }) => sql<LoggedAnnouncement>`
      select ${logColumns} from tournament_message
      where tournament = ${slug} order by tournament_message.id desc limit ${limit}`,

    backlog: () => sql<AnnouncementBacklog>`
      select count(*) as waiting, min(at) as "oldestAt" from tournament_message
      where state = 'waiting' and exists (
        select slug from tournament where slug = tournament_message.tournament
          and discord_url is not null and discord_off is null and hidden_at is null
      )`,
  })
}
