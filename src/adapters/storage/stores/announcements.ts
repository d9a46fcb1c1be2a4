import { randomInt } from 'node:crypto'
import type { ChatProblem } from '../../../contract/announcements.ts'
import {
  type AnnouncementContent,
  LONGEST_RETRY_MS,
  TOO_OLD_MS,
} from '../../../domain/announcements.ts'
import { ChatAddress } from '../../../domain/chat-address.ts'
import type { ChatMessage } from '../../../domain/chat-messages.ts'
import type {
  AnnouncementStore,
  AttemptEnd,
  LeasedAnnouncement,
} from '../../../ports/announcements.ts'
import type { Db, Engine } from '../engine.ts'
import { announcementQueries, type Message } from './announcement-queries.ts'
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
        const [chat] = await queries.take(tx, { slug, ...timesAt(now), until, lease })
        if (chat === undefined) return null
        const [channel] = await queries.url(tx, { slug })
        const address = ChatAddress.parse(channel?.url ?? '')
        const [row] = await queries.first(tx, { slug })
        if (row === undefined || address === null) {
          const idle = { dueAt: null, notBefore: 0, failures: 0, failingSince: null }
          await queries.endLease(tx, { slug, ...idle })
          await forgetDeleted(tx, slug)
          return null
        }
        const { name: id, roundId, kind, at, sentParts } = row
        const content = JSON.parse(row.content) as AnnouncementContent
        const parts = row.parts === null ? null : (JSON.parse(row.parts) as ChatMessage[])
        const sending = { lease, parts, sentParts, failures: chat.failures }
        return { slug, address, id, news: { kind, roundId, content }, ageMs: now - at, ...sending }
      },
      slug,
    )
  }

  async function forgetDeleted(tx: Db, slug: string): Promise<void> {
    const [deleted] = await queries.forgetChat(tx, { slug })
    if (deleted !== undefined) await queries.forgetMessages(tx, { slug })
  }

  return {
    async take(callerNow, leaseMs, limit) {
      const now = await timeOf(db, callerNow)
      const due = await queries.due(db, { ...timesAt(now), limit })
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
        const { status = null, code = null } = end.refusal ?? {}
        const ended = { state, finishedAt, attempts, problem: problemOf(end), status, code }
        await queries.setState(tx, { name, ...ended })
        const isWaiting = (await queries.first(tx, { slug })).length > 0
        const failing = failingAfter(end, now, isWaiting, { failedSince, failures: taken.failures })
        const off = offAfter(end, now, failing.failingSince)
        const dueAt = off !== null || !isWaiting ? null : now + retryInMs(end)
        const pauseMs = pauseAfter(end)
        const notBefore = pauseMs === 0 ? 0 : now + pauseMs
        await queries.endLease(tx, { slug, dueAt, notBefore, ...failing })
        if (off !== null) await queries.switchOff(tx, { slug, off, mark: newTournamentMark() })
        if (dueAt === null) await forgetDeleted(tx, slug)
        return off
      }),

    async list(slug, limit) {
      const [chat] = await queries.nextAttempt(db, { slug })
      const all = await queries.list(db, { slug, limit })
      const first = all.findLast(({ state }) => state === 'waiting')
      return all.map((each) => ({
        ...each,
        nextAttemptAt:
          each === first && chat !== undefined ? Math.max(chat.dueAt, chat.until) : null,
      }))
    },

    add: (slug, callerNow, make) =>
      reads.change(slug, async (tx, saved) => {
        const now = await timeOf(tx, callerNow)
        const [chat] = await queries.asked(tx, { slug })
        const waiting = await queries.waiting(tx, { slug })
        const made = make(saved, {
          at: chat?.at ?? null,
          now,
          trial: waiting.find(({ kind }) => kind === 'trial')?.id ?? null,
          isWaiting: (id) => waiting.some((each) => each.id === id),
        })
        if (saved.discord === null) return null
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

    async forgetDeletions(before) {
      const old = await queries.oldDeletions(db, { before })
      for (const { slug } of old) {
        await write('tournaments', (tx) => forgetDeleted(tx, slug), slug)
      }
      return old.length > 0
    },

    async backlog() {
      const [backlog] = await queries.backlog(db, {})
      return backlog ?? { waiting: 0, oldestAt: null }
    },
  }
}

const timesAt = (now: number) => ({
  now,
  pastRetries: now + LONGEST_RETRY_MS,
  pastLeases: now + TOO_OLD_MS,
})

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
  // A failure while the clock was ahead is none of the future.
  const failingSince = Math.min(failedSince ?? now, now)
  if (end.kind === 'failed') return { failures: failures + 1, failingSince }
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
