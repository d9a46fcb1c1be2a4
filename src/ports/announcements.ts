import type { ChatProblem, SendingProblem } from '../contract/announcements.ts'
import type { AskedByHand, LoggedAnnouncement, News } from '../domain/announcements.ts'
import type { ChatAddress } from '../domain/chat-address.ts'
import type { ChatMessage } from '../domain/chat-messages.ts'
import type { DiscordChannel, SavedTournament } from '../domain/tournaments.ts'

/** An announcement that this process has leased: no other process sends it until the lease expires. */
export type LeasedAnnouncement = {
  readonly slug: string
  readonly address: ChatAddress
  readonly lease: number
  readonly id: string
  readonly news: News
  /** For how long it has been queued, ms, by the clock that all processes share. */
  readonly ageMs: number
  /** Its messages; null: not composed yet. */
  readonly parts: readonly ChatMessage[] | null
  /** How many of them were sent. */
  readonly sentParts: number
  /** Failures in a row of this channel before this attempt. */
  readonly failures: number
}

/** How a chat has refused a message. */
export type ChatRefusal = {
  /** The status of HTTP. */
  readonly status: number
  /** The error code of Discord, if it is a documented one; null without one, as in answers of proxies. */
  readonly code: number | null
}

/** How an attempt ended. Times are ms from now. */
export type AttemptEnd = AttemptOutcome & {
  /** The last answer of the chat; left out when it was not asked, did not answer, or took the message. */
  readonly refusal?: ChatRefusal | undefined
}

type AttemptOutcome =
  /** All of it was sent. `pauseMs`: until the channel takes another message. */
  | { readonly kind: 'sent'; readonly pauseMs: number }
  /** It waits for the limit of the channel, or until its pack is readable; this is no failure. */
  | { readonly kind: 'postponed'; readonly inMs: number; readonly problem: SendingProblem | null }
  /** It failed and is tried again. A channel that has failed for `offAfterMs` is switched off. */
  | {
      readonly kind: 'failed'
      readonly inMs: number
      readonly offAfterMs: number
      readonly problem: SendingProblem
    }
  /** It is not sent and not tried again; the next one is. */
  | { readonly kind: 'given-up'; readonly problem: SendingProblem }
  /** The channel no longer exists: it is switched off. */
  | { readonly kind: 'gone' }

/** What is waiting, for metrics. */
export type AnnouncementBacklog = {
  readonly waiting: number
  /** When the oldest waiting one was queued, ms since the epoch; null: none waits. */
  readonly oldestAt: number | null
}

/**
 * What is to be announced in the channels of tournaments (D-97). `TournamentStore.changeWithPacks` adds to it in its own
 * transaction. Each method is one whole transaction; `callerNow` (ms since the epoch) is used if processes share no
 * clock.
 */
export interface AnnouncementStore {
  /**
   * Leases the first announcement that is waiting of channels that may be sent to now, at most `limit` channels. Those of
   * tournaments that a moderator has hidden wait (D-76). What announces a deletion is forgotten as soon as it ends.
   */
  take(callerNow: number, leaseMs: number, limit: number): Promise<readonly LeasedAnnouncement[]>

  /** Stores its messages. false: the lease is lost. */
  keepParts(taken: LeasedAnnouncement, parts: readonly ChatMessage[]): Promise<boolean>

  /** Records how many of its messages are sent, and renews the lease. false: the lease is lost. */
  noteSent(
    taken: LeasedAnnouncement,
    sentParts: number,
    callerNow: number,
    leaseMs: number,
  ): Promise<boolean>

  /** Ends the lease. Returns why the channel is now switched off; null if it is not, or if the lease was lost. */
  finish(taken: LeasedAnnouncement, end: AttemptEnd, callerNow: number): Promise<ChatProblem | null>

  /** The newest announcements of a tournament, newest first. */
  list(slug: string, limit: number): Promise<readonly LoggedAnnouncement[]>

  /**
   * By hand of a host: adds what `make` returns, or has the announcement with the id that it returns sent once more, and
   * switches the channel on. What `make` throws is passed on. null: there is no such tournament, announcement or channel.
   */
  add(
    slug: string,
    callerNow: number,
    make: (saved: SavedTournament, asked: AskedByHand) => News | { readonly again: string },
  ): Promise<DiscordChannel | null>

  backlog(): Promise<AnnouncementBacklog>

  /**
   * Deletes announcements of deletions from before a time (ms since the epoch), with their addresses: an installation that
   * sends nothing (D-98) would keep them. Returns whether there may be more.
   */
  forgetDeletions(before: number): Promise<boolean>
}

/** What a chat has answered; ms from now. */
export type ChatAnswer =
  /** @property pauseMs how long until it takes another message; 0: at once. */
  | { readonly kind: 'sent'; readonly pauseMs: number }
  | { readonly kind: 'limited'; readonly retryInMs: number }
  /** There is no such webhook, or its token is not valid any more. */
  | ({ readonly kind: 'gone' } & ChatRefusal)
  /** It refuses this message for good. */
  | ({ readonly kind: 'rejected' } & ChatRefusal)
  | {
      readonly kind: 'failed'
      readonly problem: 'no-answer' | 'refused-address'
      /** For the operators' log; without the address. */
      readonly reason: string
    }
  | ({ readonly kind: 'failed'; readonly problem: 'status' } & ChatRefusal)

/** The chat where releases are announced. Errors and results never contain the address. */
export interface Chat {
  /** Sends one message, without mentions. Always resolves. */
  post(address: ChatAddress, message: ChatMessage): Promise<ChatAnswer>
}
