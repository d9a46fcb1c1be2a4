import type { ChatProblem, SendingProblem } from '../contract/announcements.ts'
import type { AskedByHand, LoggedAnnouncement, News } from '../domain/announcements.ts'
import type { ChatAddress } from '../domain/chat-address.ts'
import type { ChatMessage } from '../domain/chat-messages.ts'
import type { DiscordChannel, SavedTournament } from '../domain/tournaments.ts'

/** An announcement that this process sends: no other one does until the lease has expired. */
export type LeasedAnnouncement = {
  readonly slug: string
  readonly address: ChatAddress
  readonly lease: number
  readonly id: string
  readonly news: News
  /** When it became one, ms since the epoch, by the clock that all processes share. */
  readonly at: number
  /** The messages that it is sent as; null: not made yet. */
  readonly parts: readonly ChatMessage[] | null
  /** How many of them were sent. */
  readonly sentParts: number
  /** Failures in a row of this channel before this attempt. */
  readonly failures: number
}

/** How a chat has refused a message. */
export type ChatRefusal = {
  /** Of HTTP. */
  readonly status: number
  /** That Discord has given, of its documented ones; null: none, as a proxy answers. */
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
  /** It waits, and is no failure: for the limit of the channel, or for what is shown in it. */
  | { readonly kind: 'postponed'; readonly inMs: number; readonly problem: SendingProblem | null }
  /** It is tried again. A channel that has failed for `offAfterMs` is switched off. */
  | {
      readonly kind: 'failed'
      readonly inMs: number
      readonly offAfterMs: number
      readonly problem: SendingProblem
    }
  /** It is never sent; the next one is. */
  | { readonly kind: 'given-up'; readonly problem: SendingProblem }
  /** There is no such channel any more: it is switched off. */
  | { readonly kind: 'gone' }

/** What is waiting, for metrics. */
export type AnnouncementBacklog = {
  readonly waiting: number
  /** When the longest waiting one became an announcement, ms since the epoch; null: none waits. */
  readonly oldestAt: number | null
}

/**
 * What is to be announced in the channels of tournaments (D-97). `TournamentStore.changeWithPacks` adds to it in its own
 * transaction. Each method is one whole transaction; `callerNow` (ms since the epoch) counts where processes have no
 * clock in common.
 */
export interface AnnouncementStore {
  /**
   * Leases the first announcement that is waiting of channels that may be sent to now, at most `limit` channels. Those of
   * tournaments that a moderator has hidden wait (D-76). What announces a deletion is forgotten as soon as it ends.
   */
  take(callerNow: number, leaseMs: number, limit: number): Promise<readonly LeasedAnnouncement[]>

  /** Keeps the messages that it is sent as. false: the lease is lost. */
  keepParts(taken: LeasedAnnouncement, parts: readonly ChatMessage[]): Promise<boolean>

  /** So many of its messages are sent; the lease begins anew. false: it is lost. */
  noteSent(
    taken: LeasedAnnouncement,
    sentParts: number,
    callerNow: number,
    leaseMs: number,
  ): Promise<boolean>

  /** Ends the lease. Returns why the channel is switched off now; null: it is not, or the lease was lost. */
  finish(taken: LeasedAnnouncement, end: AttemptEnd, callerNow: number): Promise<ChatProblem | null>

  /** The newest ones of a tournament, the last first. */
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
   * Forgets what announces deletions from before a time (ms since the epoch), with their addresses: where nothing is sent
   * (D-98), nothing ends it. Whether there may be more.
   */
  forgetDeletions(before: number): Promise<boolean>
}

/** What a chat has answered; ms from now. */
export type ChatAnswer =
  /** @property pauseMs until it takes another message; 0: at once. */
  | { readonly kind: 'sent'; readonly pauseMs: number }
  | { readonly kind: 'limited'; readonly retryInMs: number }
  /** There is no such webhook, or its token is not valid any more. */
  | ({ readonly kind: 'gone' } & ChatRefusal)
  /** It will not take this message, however often it is sent. */
  | ({ readonly kind: 'rejected' } & ChatRefusal)
  | {
      readonly kind: 'failed'
      readonly problem: 'no-answer' | 'refused-address'
      /** For the operators' log; without the address. */
      readonly reason: string
    }
  | ({ readonly kind: 'failed'; readonly problem: 'status' } & ChatRefusal)

/** The chat where releases are announced. Nothing that it throws or returns has the address in it. */
export interface Chat {
  /** Sends one message, of which nothing mentions anybody. Always resolves. */
  post(address: ChatAddress, message: ChatMessage): Promise<ChatAnswer>
}
