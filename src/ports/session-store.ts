import type { Session } from '../domain/session.ts'

/** A session about to begin. */
export type NewSession = Pick<Session, 'hash' | 'accountId' | 'csrf' | 'createdAt'>

/**
 * Who is signed in where. Each method is one whole transaction, and what it ends is over in every
 * process before it returns. All times are ms since the epoch.
 */
export interface SessionStore {
  /**
   * Begins a session, last seen when it was created, in place of the one that has the hash
   * `replaces`, if there is one.
   */
  create(session: NewSession, replaces: string | null): Promise<void>

  /** The session with this hash, unless it was last seen before `idleBefore`; null when there is none. */
  find(hash: string, idleBefore: number): Promise<Session | null>

  /** Notes that the session was used; the time never goes back. */
  touch(hash: string, at: number): Promise<void>

  /** Ends one session; false when there was none. */
  end(hash: string): Promise<boolean>

  /** Ends all sessions of the account. How many there were. */
  endAll(accountId: string): Promise<number>

  /** The account's sessions not last seen before `idleBefore`, newest first. */
  list(
    accountId: string,
    idleBefore: number,
  ): Promise<readonly Pick<Session, 'createdAt' | 'lastSeenAt'>[]>

  /** Forgets sessions last seen before `idleBefore`. How many there were. */
  removeIdle(idleBefore: number): Promise<number>
}
