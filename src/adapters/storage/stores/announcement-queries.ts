import { sql } from 'kysely'
import type { ChatProblem } from '../../../contract/announcements.ts'
import type { LoggedAnnouncement } from '../../../domain/announcements.ts'
import type { AnnouncementBacklog } from '../../../ports/announcements.ts'
import { prepareQueries } from '../query.ts'
import type { Tables } from '../tables.ts'

export type Message = Tables['tournament_message']
type Slug = { readonly slug: string }

/** Of a channel: it may be sent to, now or later. */
const isOn = sql`(exists (
  select slug from tournament where slug = chat.tournament
    and discord_url is not null and discord_off is null and hidden_at is null
) or chat.url is not null)`

/** Moments of the shared clock. */
type Times = {
  readonly now: number
  /** After the end of every wait for another attempt. */
  readonly pastRetries: number
  /** After the end of every lease, and of every limit of a channel. */
  readonly pastLeases: number
}

/** Also where a wait has begun while the clock was ahead: nothing waits for longer than it would by the right one (D-53). */
const mayBeSent = ({ now, pastRetries, pastLeases }: Times) => sql`
  due_at is not null and (due_at <= ${now} or due_at > ${pastRetries})
    and (lease_until <= ${now} or lease_until > ${pastLeases}) and ${isOn}`

const logColumns =
  sql.raw(`name as id, round_id as "roundId", round_name as round, kind, at, state, attempts, problem,
  finished_at as "finishedAt", status, code`)

export function announcementQueries() {
  return prepareQueries({
    /** A failure before does not hold it up. */
    hurry: ({ slug, now }: Slug & { now: number }) => sql`
      insert into tournament_chat (tournament, due_at, asked_at) values (${slug}, ${now}, ${now})
      on conflict (tournament) do update set due_at = ${now}, asked_at = ${now}`,

    asked: ({ slug }: Slug) => sql<{ at: number | null }>`
      select asked_at as at from tournament_chat where tournament = ${slug}`,

    waiting: ({ slug }: Slug) => sql<{ id: string; kind: Message['kind'] }>`
      select name as id, kind from tournament_message
      where tournament = ${slug} and state = 'waiting'`,

    /** None while it is being sent, nor of a channel that is off. */
    nextAttempt: ({ slug }: Slug) => sql<{ dueAt: number; until: number }>`
      select due_at as "dueAt", lease_until as until from tournament_chat as chat
      where tournament = ${slug} and due_at is not null and lease_token = 0 and ${isOn}`,

    due: ({ limit, ...times }: Times & { limit: number }) => sql<Slug>`
      select tournament as slug from tournament_chat as chat where ${mayBeSent(times)}
      order by due_at, tournament limit ${limit}`,

    take: (row: Slug & Times & { until: number; lease: number }) =>
      sql<{ failures: number }>`
        update tournament_chat as chat set lease_until = ${row.until}, lease_token = ${row.lease}
        where tournament = ${row.slug} and ${mayBeSent(row)}
        returning failures`,

    url: ({ slug }: Slug) => sql<{ url: string }>`
      select coalesce(chat.url, discord_url, '') as url
      from tournament_chat as chat left join tournament on slug = chat.tournament
      where chat.tournament = ${slug}`,

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
      row: Pick<Message, 'name' | 'state' | 'problem' | 'attempts' | 'status' | 'code'> & {
        finishedAt: number | null
      },
    ) => sql`
      update tournament_message set state = ${row.state}, problem = ${row.problem},
        finished_at = ${row.finishedAt}, attempts = attempts + ${row.attempts},
        status = ${row.status}, code = ${row.code}
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

    /** Whose tournament was deleted, when it is sent or given up. */
    forgetChat: ({ slug }: Slug) => sql<Slug>`
      delete from tournament_chat
      where tournament = ${slug} and url is not null returning tournament as slug`,

    oldDeletions: ({ before }: { before: number }) => sql<Slug>`
      select tournament as slug from tournament_chat
      where url is not null and due_at < ${before} and lease_until < ${before}
        and exists (
          select id from tournament_message
          where tournament_message.tournament = tournament_chat.tournament and at < ${before}
        )
      order by tournament limit 100`,

    forgetMessages: ({ slug }: Slug) => sql`
      delete from tournament_message where tournament = ${slug}`,

    /** As new: it is not too old to be sent. */
    sendAgain: ({ slug, name, at }: Slug & { name: string; at: number }) => sql<{ id: number }>`
      update tournament_message
      set sent_parts = case when state = 'waiting' then sent_parts else 0 end, state = 'waiting',
        at = ${at}, finished_at = null, problem = null, status = null, code = null
      where tournament = ${slug} and name = ${name} returning id`,

    list: ({ slug, limit }: Slug & { limit: number }) => sql<
      Omit<LoggedAnnouncement, 'nextAttemptAt'>
    >`
      select ${logColumns} from tournament_message
      where tournament = ${slug} order by tournament_message.id desc limit ${limit}`,

    backlog: () => sql<AnnouncementBacklog>`
      select count(*) as waiting, min(at) as "oldestAt" from tournament_message
      where state = 'waiting' and (kind = 'deletion' or exists (
        select slug from tournament where slug = tournament_message.tournament
          and discord_url is not null and discord_off is null and hidden_at is null
      ))`,
  })
}
