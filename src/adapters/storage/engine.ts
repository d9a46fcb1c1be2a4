import { type Kysely, type KyselyConfig, type RawBuilder, sql } from 'kysely'
import type { WorkMeter } from '../../ports/system.ts'
import type { Tables } from './tables.ts'

/** Where a query runs: on its own or in a transaction. */
export type Db = Kysely<Tables>

/** Where the entries of a feed of changes are. */
export type FeedTable = 'pack_change' | 'tournament_change'

/** What a write locks: transactions of different scopes write different tables. */
export type LockScope =
  | 'packs'
  | 'keys'
  | 'sessions'
  | 'beatmaps'
  | 'calls'
  | 'pages'
  | 'tournaments'
  | 'presence'
  | 'search'

/** What the stores ask of a database engine. Everything that differs between engines is here. */
export type Engine = {
  /** For single queries that write nothing. */
  readonly db: Db

  /** Runs several queries over one and the same state of the store; they write nothing. */
  readonly read: <T>(work: (tx: Db) => Promise<T>) => Promise<T>

  /**
   * Runs `work` as one transaction, serialized with all other writes of its scope in every process, and
   * perhaps several times. What it throws is passed on, and nothing is written.
   *
   * @param owner an account's id: `work` writes only what belongs to this account, and is serialized
   *   only with writes of the same owner and of none. null: with the latter only.
   * @param mayThrow false: `work` fails only as the database does, and then those committed with it may fail, too.
   */
  readonly write: <T>(
    scope: LockScope,
    work: (tx: Db) => Promise<T>,
    owner?: string | null,
    mayThrow?: boolean,
  ) => Promise<T>

  /**
   * Takes another scope's lock, or another owner's, within a `write`: as `write` would. Scopes in the order
   * packs, tournaments, keys, sessions, and owners of accounts last, by their ids. The search's is taken alone.
   */
  readonly lock: (tx: Db, scope: LockScope, owner?: string | null) => Promise<void>

  /**
   * Runs `work` as one transaction over one state of the store, while owners may write. null, and
   * nothing is written, when another process runs such a transaction or a write of no owner meanwhile.
   */
  readonly tryWrite: <T>(work: (tx: Db) => Promise<T>) => Promise<T | null>

  /** Ends a query for rows that are to be written: leaves out those that others are writing. */
  readonly skipLocked: RawBuilder<unknown>

  /**
   * The time that counts for all processes, ms since the epoch: the database's where they have one in common, else
   * the caller's (D-53).
   */
  readonly timeOf: (on: Db, callerNow: number) => Promise<number>

  /** As `timeOf`, within a statement; never a time to come, though the caller's may be one (D-26). */
  readonly presentTime: (callerTime: number) => RawBuilder<number>

  /** Whether a statement may write to more tables in its `with`. */
  readonly writesInWith: boolean

  /** The place of an entry that is added to a feed of changes; null where writes run side by side. */
  readonly nextSeq: (feed: FeedTable) => RawBuilder<number | null>

  /**
   * Before queries of a `read` that go along the order of an index for as far as is needed: lets them be planned
   * so, and once. null where they are.
   */
  readonly alongIndex: ((tx: Db) => Promise<unknown>) | null

  /** What the CPU time of the database is charged to; null where statements run on our own thread. */
  readonly charge: WorkMeter['add'] | null

  /** How the words of packs are kept and found. */
  readonly words: WordIndex

  /**
   * A cache of what is read, each value until a commit of any process touches one of its tags; always empty where an
   * engine cannot know them.
   *
   * @param tagsOf all that the value under this key is read from.
   */
  readonly newCache: <V extends object | string>(
    maxEntries: number,
    tagsOf: (key: string) => readonly CacheTag[],
  ) => Cache<V>
}

/** What `find` of a `WordIndex` looks for: tokens as `stores/search.ts` makes them. */
export type WordQuery = {
  /** One token of each list; empty: every pack. */
  readonly match: readonly (readonly Token[])[]
  /** Packs that match one of these are left out. */
  readonly except: readonly (readonly (readonly Token[])[])[]
  /** Only packs with smaller ids. */
  readonly before: number
  /** What else a pack must meet, of the columns of `found`, which has those of search_pack, and of `pack`. */
  readonly passes: RawBuilder<unknown>
  /** Does `passes` name columns of search_pack other than its key? */
  readonly isFiltered: boolean
  /** What is read of `pack`, in addition to its `id`. */
  readonly columns: RawBuilder<unknown>
  readonly limit: number
}

/** Whether a token is a word, and none of the other kinds that `migrations/` lists. */
export const isWord = (token: string): boolean => !token.includes('_')

/** A token, or the start of one. */
export type Token = { readonly text: string; readonly isPrefix: boolean }

/** Packs by descending id. */
export type WordScan<R> = {
  readonly rows: readonly (R & { readonly id: number })[]
  /** Up to which id a scan has come that found fewer than `limit`; null: to the end. */
  readonly end: number | null
}

/** `tokens` are separated by spaces; is the pack there already? */
type WordEntry = { row: Tables['search_pack']; tokens: string; isHeld: boolean }

/** How an engine keeps the words of packs (`search_pack` and what belongs to it) in its transactions. */
export type WordIndex = {
  /** The items of a JSON array as rows with the column `value`. */
  readonly each: (json: string | RawBuilder<unknown>) => RawBuilder<unknown>
  /** Writes the packs that are not so already; returns the words that these had, without those of older versions. */
  readonly put: (tx: Db, entries: readonly WordEntry[]) => Promise<readonly string[]>
  /** Returns the words that the pack had, as `put` does. */
  readonly remove: (tx: Db, packId: number) => Promise<readonly string[]>
  /** Where what is there cannot be relied on: each pack is written again when it is put. */
  readonly restart: (tx: Db) => Promise<void>
  /** Those of these words that no pack has. */
  readonly unused: (tx: Db, words: readonly string[]) => Promise<readonly string[]>
  /** In a `read`, of which it is the last query. */
  readonly find: <R>(tx: Db, query: WordQuery) => Promise<WordScan<R>>
}

/** Candidates of one scan with filters: as many as are looked at in a tenth of a second. */
export const MOST_CANDIDATES = 50_000

/** Where a scan ended that found fewer packs than it looked for, with filters among these candidates. */
export async function endOf(tx: Db, candidates: RawBuilder<unknown>): Promise<number | null> {
  const { rows } = await sql<{ packs: number; lowest: number | null }>`
    select count(*) as packs, min(pack_id) as lowest from (${candidates}) as candidate`.execute(tx)
  const { packs = 0, lowest = null } = rows[0] ?? {}
  return packs < MOST_CANDIDATES ? null : lowest
}

/**
 * What a commit can touch: one pack as `pack SLUG`, what an owner has as `owner ID`, what a host is on the staff of as
 * `host ID`, where a beatmap is used as `use ID`, one account, key, session or tournament likewise; `list`, all public packs;
 * `pins`, the pinned ones; `names` of accounts; `moderators`; `tournaments`, what everybody sees of them without their
 * rounds, and which rounds are released.
 */
export type CacheTag =
  | `${'account' | 'host' | 'key' | 'owner' | 'pack' | 'session' | 'tournament' | 'use'} ${string}`
  | 'list'
  | 'moderators'
  | 'names'
  | 'pins'
  | 'tournaments'

/** The value cached under `key`, at once, or what `load` reads now. A null is not cached. */
export type Cache<V> = <T extends V | null>(
  key: string,
  load: () => Promise<T>,
) => V | Promise<V | T>

/** Runs one statement by itself; `$1` is the first value. */
export type RunStatement = <R>(text: string, values: readonly unknown[]) => Promise<readonly R[]>

export type StoreObserver = {
  /** A statement was answered, or failed. */
  readonly onStatement: (tookMs: number) => void
  /** A write has its lock, after waiting for others in this process and for other processes. */
  readonly onLock: (scope: LockScope, waitedMs: number) => void
}

export function statementLog(observer: StoreObserver | undefined): Pick<KyselyConfig, 'log'> {
  if (observer === undefined) return {}
  return { log: ({ queryDurationMillis }) => observer.onStatement(queryDurationMillis) }
}

/** The engine, reporting how long each write waits for its lock. */
export function observeLocks(engine: Engine, observer: StoreObserver | undefined): Engine {
  if (observer === undefined) return engine
  return {
    ...engine,
    write(scope, work, ...how) {
      let asked: number | null = performance.now()
      const observed = (tx: Db) => {
        // When the engine starts the work again, the wait was reported before.
        if (asked !== null) observer.onLock(scope, performance.now() - asked)
        asked = null
        return work(tx)
      }
      return engine.write(scope, observed, ...how)
    },
  }
}
