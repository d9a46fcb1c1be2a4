import type { FeedEntry, PackFeedEntry } from '../domain/changes.ts'
import type { TournamentFeedEntry } from '../domain/tournament-feed.ts'

/**
 * Entries after a cursor, in the order of their commits. `newest` is the cursor of the last entry there
 * is, or of the empty feed. Nothing is read after a cursor that is `malformed`, or lies in the `future`:
 * after the last entry. `gone`: what is after it is not all kept, or commits were lost since; `oldest` is
 * a cursor to continue with.
 */
export type FeedPortion<Entry extends FeedEntry> =
  | { readonly outcome: 'read'; readonly entries: readonly Entry[]; readonly newest: string }
  | { readonly outcome: 'malformed' | 'future' }
  | { readonly outcome: 'gone'; readonly oldest: string }

/** A feed of changes (D-73, D-89). Stores append each change in its own transaction. */
export interface Feed<Entry extends FeedEntry> {
  /**
   * At most `limit` entries after a cursor; null: none, only where the feed ends. Every write that was
   * confirmed before the call is in the feed, and no entry is ever added before one that was read.
   */
  read(after: string | null, limit: number): Promise<FeedPortion<Entry>>

  /**
   * The last entries, at most `limit`, with the cursors of the one before them and of the last: where a reader begins
   * is for what it may know to decide, and not for what else was saved (D-74).
   */
  readLast(limit: number): Promise<{
    readonly entries: readonly Entry[]
    readonly before: string
    readonly newest: string
  }>

  /**
   * The same of the entries that the account may know, and of nothing else that was saved (D-74): `gone` only if one of
   * them that is after the cursor is from before `since`, whether it is deleted or not.
   */
  readFor(
    accountId: string,
    after: string,
    limit: number,
    since: number,
  ): Promise<FeedPortion<Entry>>

  /** The cursor of the last entry that the account may know, deleted or not; that of the empty feed without any. */
  endFor(accountId: string): Promise<string>

  /**
   * Deletes some of the entries that are followed by another one from before a time; false when none are
   * left. For accounts that might have read them, `readFor` then returns `gone`.
   */
  forget(before: number): Promise<boolean>
}

export type ChangeFeed = Feed<PackFeedEntry>
export type TournamentFeed = Feed<TournamentFeedEntry>
