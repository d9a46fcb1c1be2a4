import type { SavedInvitation } from '../domain/invitations.ts'
import type { SavedTournament, TournamentContent } from '../domain/tournaments.ts'

/** The state of a workspace besides the tournament, with a mark of each part. */
export type WorkspaceState = {
  /** Equal versions have equal states, apart from names of players. Opaque. */
  readonly version: string
  /** Changes with each save of the tournament, its rounds or its staff. Opaque. */
  readonly mark: string
  /** By the id of the round, of rounds with candidates or remarks: changes with these. Opaque. */
  readonly discussion: Readonly<Record<string, string>>
  /** The staff's open streams, in the order in which they were opened. */
  readonly here: readonly {
    readonly accountId: string
    readonly gameId: number
    /** null when none is known. */
    readonly username: string | null
    /** The id of the round that they look at; null for none. */
    readonly round: string | null
  }[]
}

/** An open stream of a workspace. */
export type Presence = {
  readonly id: string
  /** The process that serves it. */
  readonly holder: string
  readonly slug: string
  readonly accountId: string
  readonly round: string | null
}

/** How long a stream counts as open after its process has last renewed it. */
export const PRESENCE_LASTS_MS = 25_000

/**
 * The workspaces of tournaments, and who has one open: shared by all processes, by the clock that they share;
 * `callerNow` is what counts where there is none (ms since the epoch).
 */
export interface WorkspaceStore {
  /**
   * The states of those tournaments that exist, by slug, with everything that was confirmed before the call.
   *
   * @param known states that were read before: the same object is returned where its version is still right.
   */
  read(
    slugs: readonly string[],
    callerNow: number,
    known?: ReadonlyMap<string, WorkspaceState>,
  ): Promise<ReadonlyMap<string, WorkspaceState>>

  /** Adds open streams, except those whose account or tournament is gone. */
  enter(presences: readonly Presence[], callerNow: number): Promise<void>

  /**
   * Renews the open streams of a process. Returns how many there were; others have expired and are to be entered again.
   */
  renew(holder: string, callerNow: number): Promise<number>

  /** Removes a stream that is closed; null: all of the process. */
  leave(holder: string, id: string | null): Promise<void>
}

/**
 * Open invitations: not used, and made by somebody who is still a host. Each method is one whole transaction;
 * times are ms since the epoch. What a callback throws is passed on, and nothing is written.
 */
export interface InvitationStore {
  /** Of a tournament, newest first. */
  list(slug: string, now: number): Promise<readonly SavedInvitation[]>

  /**
   * Adds one, unless `limit` are open; null when there is no such tournament.
   *
   * @param tokenHash SHA-256 of its token, which is stored nowhere.
   */
  create(
    invitation: SavedInvitation,
    tokenHash: string,
    limit: number,
    check: (saved: SavedTournament) => void,
  ): Promise<'created' | 'full' | null>

  /** null when there is no such tournament; false when it has no such invitation. */
  remove(slug: string, id: string, check: (saved: SavedTournament) => void): Promise<boolean | null>

  find(tokenHash: string, now: number): Promise<SavedInvitation | null>

  /**
   * Saves the content that `join` returns, and uses the invitation up, so that of concurrent calls one does;
   * null from `join`: neither. null when there is no such invitation. Otherwise as `TournamentStore.change`.
   */
  accept(
    tokenHash: string,
    now: number,
    limit: number,
    join: (saved: SavedTournament, invitation: SavedInvitation) => TournamentContent | null,
  ): Promise<SavedTournament | 'no_account' | 'full' | 'no_host' | null>
}
