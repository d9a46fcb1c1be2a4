import type { Kysely } from 'kysely'
import type { Shelf } from './read-cache.ts'
import type { Tables } from './tables.ts'

/** Where a query runs: on its own or in a transaction. */
export type Db = Kysely<Tables>

/** What is kept together: transactions of different realms write different tables. */
export type Realm = 'packs' | 'keys' | 'sessions' | 'beatmaps' | 'calls' | 'pages'

/** What the stores ask of a database engine. Whatever differs between engines stands behind this. */
export type Engine = {
  /** For single queries that write nothing. */
  readonly db: Db

  /** Runs several queries over one and the same state of the store; they write nothing. */
  readonly read: <T>(work: (tx: Db) => Promise<T>) => Promise<T>

  /**
   * Runs `work` as one transaction, as if no other write of its realm went on meanwhile, by
   * whichever process. What it throws is passed on and nothing is written. An engine may start
   * `work` again from the beginning.
   */
  readonly write: <T>(realm: Realm, work: (tx: Db) => Promise<T>) => Promise<T>

  /** Runs what asks more than once, one after the other, in the time that a single call has. */
  readonly asOne: <T>(work: () => Promise<T>) => Promise<T>

  /**
   * A place for at most `bound` things read, emptied as soon as anybody has written anything. An
   * engine that cannot tell keeps nothing there.
   */
  readonly newShelf: <V extends object | string>(bound: number) => Shelf<V>
}
