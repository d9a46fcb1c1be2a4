import type { HandOver, ListedSession, Session, SessionLimits } from '../domain/sessions.ts'

/** A session about to begin. */
export type NewSession = Pick<Session, 'hash' | 'accountId' | 'service' | 'csrf' | 'createdAt'> &
  Pick<ListedSession, 'device'>

/** What a code is worth: a session, or why its account has none; null: nothing. */
type Redeemed =
  | { readonly accountId: string; readonly createdAt: number }
  | { readonly suspendedFor: string }
  | null

/**
 * Who is signed in where. Each method is one whole transaction, and a session that it ends is over in
 * every process before it returns. All times are ms since the epoch.
 */
export interface SessionStore {
  /**
   * Begins a session, last seen when it was created, in place of the one with the hash `replaces`, if
   * there is one. Of more than `MAX_SESSIONS` of the account, the least recently used end. Returns null; or if the
   * account is suspended, why, and nothing is written.
   */
  create(session: NewSession, replaces: string | null): Promise<string | null>

  /**
   * Keeps a hand-over of the session with the hash `from` until that session ends, and removes those made before
   * `since`. Returns false if there is no such session.
   */
  offer(handOver: HandOver, from: string, at: number, since: number): Promise<boolean>

  /** Uses up the hand-over with this hash without a session. */
  discard(hash: string): Promise<void>

  /**
   * Uses up the hand-over with this hash, whatever becomes of it: of any number of calls in any processes, one finds it.
   * If it is of this service and challenge, not made before `since` or after `until`, and of a session within the limits,
   * begins a session of the same account, as `create`. That one began when the other did, so that it ends no later; it
   * was last seen `at`.
   */
  redeem(
    handOver: HandOver,
    made: { readonly since: number; readonly until: number },
    limits: SessionLimits,
    session: Omit<NewSession, 'accountId' | 'createdAt' | 'service'>,
    at: number,
    replaces: string | null,
  ): Promise<Redeemed>

  /** The session with this hash, while it is within the limits. */
  find(hash: string, limits: SessionLimits): Promise<Session | null>

  /** Those of these hashes of which the session is there, and within the limits. */
  findLive(hashes: readonly string[], limits: SessionLimits): Promise<ReadonlySet<string>>

  /** Notes that the session was used; the time never goes back. */
  touch(hash: string, at: number): Promise<void>

  /** Ends one session; false when there was none. */
  end(hash: string): Promise<boolean>

  /** Ends the account's session that pages name by `id` (`sessionId`); false when there was none. */
  endById(accountId: string, id: string): Promise<boolean>

  /** Ends all sessions of the account, but the one with the hash `except`. Returns how many. */
  endAll(accountId: string, except: string | null): Promise<number>

  /** The account's sessions within the limits, newest first. */
  list(accountId: string, limits: SessionLimits): Promise<readonly ListedSession[]>

  /** Deletes sessions outside the limits. Returns how many. */
  removeExpired(limits: SessionLimits): Promise<number>
}
