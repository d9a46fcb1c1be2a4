import type { ChatProblem } from '../contract/announcements.ts'
import { MINUTE_MS } from '../contract/quotas.ts'
import {
  type AnnouncementContent,
  type Links,
  LONGEST_RETRY_MS,
  type News,
  newLinks,
  OFF_AFTER_MS,
  TOO_OLD_MS,
} from '../domain/announcements.ts'
import { type ChatFacts, type ChatMessage, chatMessagesOf } from '../domain/chat-messages.ts'
import type { SavedPack } from '../domain/packs.ts'
import { presentReleased } from '../domain/tournament-views.ts'
import type { AttemptEnd, Chat, ChatAnswer, LeasedAnnouncement } from '../ports/announcements.ts'
import type { Ports } from '../ports/ports.ts'
import { type KnownBeatmaps, lookedUpSlots, openCache } from './known-beatmaps.ts'
import { findRound } from './tournaments.ts'

/** Longer than a call to the chat and what is noted of it. */
export const LEASE_MS = 15_000
const FIRST_RETRY_MS = 5_000
/** By then, whatever waits for the end of a limit is too old. */
const LONGEST_PAUSE_MS = TOO_OLD_MS
/** So long a message waits for the names of beatmaps that are still looked up. */
const NAMES_WITHIN_MS = MINUTE_MS
const NAMES_EACH_MS = 2_000

export type SendingPorts = Pick<Ports, 'announcements' | 'tournaments' | 'packs' | 'clock'> & {
  readonly beatmapCache: KnownBeatmaps
  readonly chat: Chat
}

/** The sites as others know them; addresses have no slash at the end. null: there is none that others could open. */
export type PublicSites = {
  /** What this installation is called (D-102). */
  readonly name: string
  readonly tournamentsUrl: string | null
  readonly packsUrl: string | null
}

/** What became of an attempt, for the log and the metrics. */
export type Attempt = {
  readonly end: AttemptEnd
  /** Of the chat, where it was asked last; null: it was not. */
  readonly answer: ChatAnswer | null
  /** Why the channel was switched off. */
  readonly off: ChatProblem | null
}

/**
 * Sends an announcement that this process has leased, or what is left of it, and notes each message that was sent: one
 * is sent twice only if the process ends in between (D-97).
 */
export async function sendLeased(
  ports: SendingPorts,
  taken: LeasedAnnouncement,
  sites: PublicSites,
): Promise<Attempt> {
  const asked: { answer: ChatAnswer | null } = { answer: null }
  const end = await attempt(ports, taken, sites, asked)
  if (end === 'lost') {
    const ended: AttemptEnd = { kind: 'postponed', inMs: 0, problem: null }
    return { end: ended, answer: asked.answer, off: null }
  }
  const off = await ports.announcements.finish(taken, end, ports.clock.now())
  return { end, answer: asked.answer, off }
}

async function attempt(
  ports: SendingPorts,
  taken: LeasedAnnouncement,
  sites: PublicSites,
  asked: { answer: ChatAnswer | null },
): Promise<AttemptEnd | 'lost'> {
  const { announcements, clock, chat } = ports
  if (taken.ageMs > TOO_OLD_MS) return { kind: 'given-up', problem: 'too-old' }
  const made = await messagesFor(ports, taken, sites)
  if ('kind' in made) return made
  const { parts } = made
  if (taken.parts === null && !(await announcements.keepParts(taken, parts))) return 'lost'
  let pauseMs = 0
  for (let sent = taken.sentParts; sent < parts.length; sent += 1) {
    if (pauseMs > 0) return { kind: 'postponed', inMs: pauseMs, problem: 'limited' }
    const answer = await chat.post(taken.address, parts[sent]!)
    asked.answer = answer
    if (answer.kind !== 'sent') return endAfter(answer, taken.failures)
    if (!(await announcements.noteSent(taken, sent + 1, clock.now(), LEASE_MS))) return 'lost'
    pauseMs = Math.min(answer.pauseMs, LONGEST_PAUSE_MS)
  }
  return { kind: 'sent', pauseMs }
}

function endAfter(answer: Exclude<ChatAnswer, { kind: 'sent' }>, failures: number): AttemptEnd {
  const refusal = 'status' in answer ? { status: answer.status, code: answer.code } : undefined
  if (answer.kind === 'gone') return { kind: 'gone', refusal }
  if (answer.kind === 'rejected') return { kind: 'given-up', problem: 'rejected', refusal }
  if (answer.kind === 'limited') {
    const inMs = Math.min(Math.max(answer.retryInMs, 1), LONGEST_PAUSE_MS)
    return { kind: 'postponed', inMs, problem: 'limited' }
  }
  const inMs = Math.min(FIRST_RETRY_MS * 2 ** Math.min(failures, 20), LONGEST_RETRY_MS)
  return { kind: 'failed', inMs, offAfterMs: OFF_AFTER_MS, problem: answer.problem, refusal }
}

/** The messages of an announcement, or why there are none, or not yet. */
async function messagesFor(
  ports: SendingPorts,
  { slug, id, news, parts, ageMs }: LeasedAnnouncement,
  sites: PublicSites,
): Promise<{ readonly parts: readonly ChatMessage[] } | AttemptEnd> {
  if (news.kind === 'deletion') return { parts: parts ?? deletionMessages(news, id, sites) }
  const tournament = await ports.tournaments.read(slug)
  if (tournament === null) return { kind: 'given-up', problem: 'removed' }
  const { kind, roundId, content } = news
  const round = roundId === null ? null : findRound(tournament, roundId)
  const isOfRelease = kind !== 'trial' && kind !== 'withdrawal'
  const shown = round && presentReleased(round)
  // What is no longer public is not shown in the chat either.
  const pack = isOfRelease ? (round?.released?.pack ?? null) : null
  const { madeAt = pack?.createdAt } = content.after ?? {}
  // Nor what a release that was withdrawn has shown, after the round was released again.
  if (isOfRelease && (shown === null || madeAt !== pack?.createdAt)) {
    return { kind: 'given-up', problem: 'hidden' }
  }
  // Of links, those that lead elsewhere by now are announced by themselves.
  const { before, after } = content
  if (kind === 'links' && shown && before && after) {
    const announced = Object.entries(newLinks(before, after))
    const isSame = announced.every(([name, url]) => shown[name as keyof Links] === url)
    if (!isSame) return { kind: 'given-up', problem: 'hidden' }
  }
  if (parts !== null) return { parts }
  const names = await namesOf(ports, pack, content)
  const isYoung = ageMs < NAMES_WITHIN_MS
  // Links and a withdrawal name no beatmap.
  if (
    isOfRelease &&
    kind !== 'links' &&
    names.isUnknown &&
    pack?.stats?.complete !== true &&
    isYoung
  ) {
    return { kind: 'postponed', inMs: NAMES_EACH_MS, problem: null }
  }
  const { name: siteName, tournamentsUrl, packsUrl } = sites
  const isPublic = tournament.visibility === 'public'
  const packUrl = packsUrl !== null && pack !== null ? `${packsUrl}/p/${pack.slug}` : null
  const facts: ChatFacts = {
    id,
    siteName,
    nameOf: names.nameOf,
    tournamentUrl: tournamentsUrl !== null && isPublic ? `${tournamentsUrl}/t/${slug}` : null,
    packUrl,
    // Chats keep a picture by its address.
    pictureUrl:
      packUrl &&
      pack &&
      `${packUrl}/pool.png?scale=2&version=${pack.createdAt.toString(36)}-${pack.version}`,
  }
  return { parts: chatMessagesOf(news, facts) }
}

/** Nothing is left that a link could lead to. */
const deletionMessages = (news: News, id: string, { name: siteName }: PublicSites) =>
  chatMessagesOf(news, {
    id,
    siteName,
    nameOf: String,
    tournamentUrl: null,
    packUrl: null,
    pictureUrl: null,
  })

/** How beatmaps are called, of which everybody may know. */
async function namesOf(
  { beatmapCache }: Pick<SendingPorts, 'beatmapCache'>,
  pack: SavedPack | null,
  { before, after }: AnnouncementContent,
) {
  const slots = [...(before?.slots ?? []), ...(after?.slots ?? [])]
  const ids = [...new Set(slots.flatMap(({ beatmapId }) => beatmapId ?? []))]
  const cache = openCache(beatmapCache, pack === null ? [] : lookedUpSlots(pack))
  const known = await cache.readBeatmaps(ids)
  return {
    isUnknown: ids.some((id) => !known.has(id)),
    nameOf: (id: number): string => {
      const beatmap = known.get(id)?.beatmap ?? 'gone'
      if (beatmap === 'gone') return `beatmap ${id}`
      return `${beatmap.artist} – ${beatmap.title} [${beatmap.difficulty}]`
    },
  }
}
