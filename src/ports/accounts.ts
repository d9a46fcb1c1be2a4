import type { Account } from '../domain/accounts.ts'

/** The accounts. Each method is one whole transaction; times are ms since the epoch. */
export interface AccountStore {
  read(id: string): Promise<Account | null>

  findByGameId(gameId: number): Promise<Account | null>

  /** A player's, by the username in any case; of several that have had it, the one that was created last. */
  findByUsername(username: string): Promise<Account | null>

  /**
   * Creates the player's account with the id `newId` and the creation time `now`, or updates the
   * username of the existing one (D-42). Concurrent calls create one account for each `gameId`.
   */
  ensurePlayer(
    player: { gameId: number; username: string },
    newId: string,
    now: number,
  ): Promise<Account>

  /** How many players there are, without the system account, which always exists. */
  countPlayers(): Promise<number>

  /** Valid at once in every process, also before the first sign-in. false when it was so already. */
  setModerator(gameId: number, isModerator: boolean, now: number): Promise<boolean>

  /**
   * Deletes a player's account with its packs, keys, sessions and moderator role; the moderation log
   * loses only the names of the packs and of the player, and the feed of changes everything that others
   * could not read. false when there is no such player.
   */
  remove(id: string, now: number): Promise<boolean>
}
