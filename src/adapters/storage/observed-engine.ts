import type { KyselyConfig } from 'kysely'
import type { Engine, Realm } from './engine.ts'

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
