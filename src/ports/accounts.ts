import type { ServiceName } from '../contract/services.ts'
import type { Account } from '../domain/accounts.ts'
import type { Awaitable } from '../domain/loading.ts'
import type { Moderator, SuspensionNote } from '../domain/moderation.ts'
import type { Page } from './store.ts'

/** The accounts. Each method is one whole transaction; times are ms since the epoch. */
export interface AccountStore {
  read(id: string): Promise<Account | null>

  findByGameId(gameId: number): Promise<Account | null>

  /** A player's account by its username, ignoring case; of several that have had the name, the newest. */
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

  /** Sets the language of the pages (BCP 47; null: that of the browser), valid at once in every process. */
  setLanguage(id: string, language: string | null): Promise<void>

  /** How many players there are, without the system account, which always exists. */
  countPlayers(): Promise<number>

  /**
   * Makes a player a moderator, or revokes that, at once in every process and also before the first sign-in. Returns false
   * when nothing changed.
   *
   * @param by is noted in the log; left out: nothing is.
   */
  setModerator(gameId: number, isModerator: boolean, now: number, by?: Moderator): Promise<boolean>

  /** The moderators, and those who become one at their first sign-in; newest first. */
  listModerators(): Promise<readonly ModeratorRow[]>

  /**
   * Deletes a player's account with its packs, keys, sessions and moderator role; the moderation log
   * loses only the names of the packs and of the player, and the feed of changes everything that others
   * could not read. false when there is no such player.
   *
   * @param by is noted in the log, with the id on the platform alone; left out: nothing is.
   */
  remove(id: string, now: number, by?: Moderator): Promise<boolean>
}

/** Times are ms since the epoch. */
export type ModeratorRow = {
  readonly gameId: number
  /** null before the first sign-in. */
  readonly username: string | null
  readonly since: number
  /** When the newest of their sessions that are kept began; null when none is. */
  readonly signedInAt: number | null
}

/** That a player is suspended, and why (D-76). */
export type Suspension = {
  /** ms since the epoch. */
  readonly at: number
  readonly reason: string
  /** `operator`, or the moderator's username now; null when they have no account any more. */
  readonly by: { readonly username: string | null } | 'operator'
}

/** A player as moderators see them. */
export type PlayerRow = {
  readonly gameId: number
  /** null when none is known, as before the first sign-in. */
  readonly username: string | null
  readonly isModerator: boolean
  /** null when they are not suspended. */
  readonly suspension: Suspension | null
}

/** Who is suspended, by the id on the platform, whether or not there is an account. Times are ms since the epoch. */
export interface SuspensionStore {
  /**
   * Suspends a player and notes it in the log; of one who is suspended, only another reason is noted. Before it
   * returns, in every process: their sessions and invitations are gone, their keys are not found, they can begin
   * nothing, and all their packs are hidden, as are the tournaments without another host and the packs of their rounds.
   * Many packs are hidden in several transactions; `finishSuspensions` goes on if this is broken off.
   * `check` is called first with the reason of one who is suspended, and what it throws ends this with nothing done.
   * `moderator`: nothing is done, because one moderator cannot suspend another.
   */
  suspend(
    gameId: number,
    by: SuspensionNote & { readonly reason: string },
    check?: (standing: string) => void,
  ): Promise<'suspended' | 'unchanged' | 'moderator'>

  /**
   * Lifts a suspension and notes it. Everything is as before, but what a moderator has hidden by itself, and pins,
   * sessions and invitations. false when the player was not suspended.
   */
  unsuspend(gameId: number, by: SuspensionNote): Promise<boolean>

  /** Continues an interrupted suspension; false when there was none. */
  finishSuspensions(): Promise<boolean>

  /** null when the player is not suspended. */
  readSuspension(gameId: number): Promise<Suspension | null>

  /**
   * Players whose username contains the query, and before them the one whose id it is, who may have no account; for an
   * empty query, all who are suspended.
   */
  findPlayers(query: string, page: number, pageSize: number): Promise<Page<PlayerRow>>
}

/** An API key as it is stored, from which the key cannot be derived (D-40). Times are ms since the epoch. */
export type StoredKey = {
  /** SHA-256 of the whole key, 43 characters of base64url. */
  readonly hash: string
  /** The first four characters after the prefix. */
  readonly shown: string
  readonly createdAt: number
}

/** A use of a key, on a day counted from the epoch. */
export type KeyUse = Pick<StoredKey, 'hash'> & {
  readonly service: ServiceName
  readonly day: number
}

/** The API keys: one for each account and service. Each method is one whole transaction. */
export interface ApiKeyStore {
  /**
   * Sets the account's key. The previous one stops working before this returns, in every process. Nothing is written if
   * the account is suspended, or has a key that is not the one that begins with `replaced`: '' is none; left out, any.
   */
  replace(
    accountId: string,
    service: ServiceName,
    key: StoredKey,
    replaced?: string,
  ): Promise<'set' | 'suspended' | 'another key'>

  /**
   * Deletes the account's key, if `shown` is left out or the key's; it stops working before this returns. false when
   * there was no such key.
   */
  revoke(accountId: string, service: ServiceName, shown?: string): Promise<boolean>

  /** The account's key, and the day of its last use (days since the epoch; null before the first). */
  read(
    accountId: string,
    service: ServiceName,
  ): Promise<(StoredKey & { readonly lastUsedDay: number | null }) | null>

  /** The id of the account whose live key has this hash. */
  findOwner(service: ServiceName, hash: string): Awaitable<string | null>

  /** Notes that keys were used. The latest day is kept; keys that no longer exist are ignored. */
  noteUses(uses: readonly KeyUse[]): Promise<void>
}
