import type { ListedSession, Session, SessionLimits } from '../domain/sessions.ts'

/** A session about to begin. */
export type NewSession = Pick<Session, 'hash' | 'accountId' | 'service' | 'csrf' | 'createdAt'> &
  Pick<ListedSession, 'device'>

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
