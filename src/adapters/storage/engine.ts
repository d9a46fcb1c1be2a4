import type { Kysely, KyselyConfig } from 'kysely'
import type { Shelf } from './sqlite/read-cache.ts'
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

/** Hears what a store takes, in ms, for whoever measures it. */
export type StoreObserver = {
  /** A statement was answered, or failed. */
  readonly onStatement: (tookMs: number) => void
  /** A write has its lock after so much waiting: for others in this process, and for other processes. */
  readonly onLock: (scope: Realm, waitedMs: number) => void
}

/** What Kysely is told so that each statement is observed; nothing where nobody measures. */
export const statementLog = (observer: StoreObserver | undefined): Pick<KyselyConfig, 'log'> =>
  observer === undefined
    ? {}
    : { log: ({ queryDurationMillis }) => observer.onStatement(queryDurationMillis) }

/** The engine, telling how long each write waits for its lock. */
export const observeLocks = (engine: Engine, observer: StoreObserver | undefined): Engine =>
  observer === undefined
    ? engine
    : {
        ...engine,
        write(realm, work) {
          let asked: number | null = performance.now()
          return engine.write(realm, (tx) => {
            // An engine may start the work again; the lock was had before.
            if (asked !== null) observer.onLock(realm, performance.now() - asked)
            asked = null
            return work(tx)
          })
        },
      }

/** Runs one statement by itself and gives its rows; `$1` stands for the first value. */
export type RunStatement = <R>(text: string, values: readonly unknown[]) => Promise<readonly R[]>

/** A line: one at a time, first come, first served. */
export class Line {
  #last: Promise<void> = Promise.resolve()

  /** Waits for one's turn; gives the function that ends it. Ending it twice does no harm. */
  async enter(): Promise<() => void> {
    const before = this.#last
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last = promise
    await before
    return resolve
  }
}
