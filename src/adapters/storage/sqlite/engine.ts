import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  type Driver,
  DummyDriver,
  Kysely,
  type QueryResult,
  sql,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type TransactionSettings,
} from 'kysely'
import { BoundedMap, Mutex } from '../../../domain/loading.ts'
import type { WorkMeter } from '../../../ports/system.ts'
import { type Engine, statementLog, type StoreObserver } from '../engine.ts'
import type { Tables } from '../tables.ts'
import type { SqliteFile } from './file.ts'
import { FileCaches, noteTouched, versionOf } from '../caches.ts'
import { asUnavailable, type SqliteHealth, whenFree } from './watch.ts'
import { sqliteWords } from './words.ts'

export type SqliteEngine = Engine & { readonly writer: Kysely<Tables> }

/**
 * One connection writes, another reads what is committed, so that no reader waits for a writer.
 *
 * @param timeoutMs how long a request waits for a lock, its time in the queue included.
 */
export function createSqliteEngine(
  file: SqliteFile,
  timeoutMs: number,
  observer?: StoreObserver,
  work?: WorkMeter,
): SqliteEngine {
  const dialectOf = (driver: SqliteDriver): Dialect => ({
    createDriver: () => driver,
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new UnqueuedAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  })
  const open = (driver: SqliteDriver) =>
    new Kysely<Tables>({ ...statementLog(observer), dialect: dialectOf(driver) })
  const caches = new FileCaches(versionOf(file.writer))
  const takeTouched = noteTouched(file.writer)
  const driver = new SqliteDriver(file.writer, timeoutMs, {
    health: file.health,
    onEnd: () => caches.touch(takeTouched()),
    work,
  })
  const db = open(new SqliteDriver(file.reader, timeoutMs, { work }))
  const writer = open(driver)
  const tx = openTransaction(driver, dialectOf(driver), observer)
  // One file, one writer: all scopes and owners are one.
  const write: Engine['write'] = (_scope, work, _owner, mayThrow) =>
    driver.write(() => work(tx), mayThrow)
  return {
    db,
    writer,
    read: (work) => db.transaction().setAccessMode('read only').execute(work),
    write,
    lock: async () => {},
    tryWrite: (work) => write('packs', work),
    skipLocked: sql``,
    timeOf: async (_on, callerNow) => callerNow,
    presentTime: (time) => sql`min(${time}, cast(unixepoch('subsec') * 1000 as integer))`,
    writesInWith: false,
    nextSeq: (feed) => sql`case
      when exists (select id from ${sql.table(feed)} where seq is null) then null
      else coalesce((select max(seq) from ${sql.table(feed)}), 0) + 1
    end`,
    alongIndex: null,
    charge: null,
    words: sqliteWords,
    newCache: (maxEntries, tagsOf) => caches.newCache(maxEntries, tagsOf),
  }
}

/**
 * Runs the queries of whichever transaction has acquired the connection, each at once: Kysely's own transactions make
 * an executor for each query, and five promises around its answer.
 */
function openTransaction(
  { connection }: SqliteDriver,
  dialect: Dialect,
  observer: StoreObserver | undefined,
): Kysely<Tables> {
  class TransactionExecutor extends DefaultQueryExecutor {
    override async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      const begun = observer === undefined ? 0 : performance.now()
      try {
        return connection.run<R>(sql, parameters)
      } finally {
        observer?.onStatement(performance.now() - begun)
      }
    }
  }
  const provider = {
    provideConnection: () => Promise.reject(new Error('a transaction has its connection already')),
  }
  const executor = new TransactionExecutor(
    dialect.createQueryCompiler(),
    dialect.createAdapter(),
    provider,
  )
  return new Kysely<Tables>({ config: { dialect }, driver: new DummyDriver(), executor, dialect })
}

/** Switches off Kysely's own queue: time spent there would not count toward the timeout. */
class UnqueuedAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

type DriverOptions = {
  /** Of the store, for the connection that writes. */
  readonly health?: SqliteHealth
  /** Called when a group of writes has ended, on the disk or undone, before anybody learns of it. */
  readonly onEnd?: () => void
  readonly work?: WorkMeter | undefined
}

/**
 * One `node:sqlite` connection for Kysely. Callers queue for it, so that the statements of one
 * transaction stay together.
 *
 * What is written in one iteration of the event loop is committed together, because waiting for the disk
 * costs more than all else. Each writing transaction is acknowledged only when all are on the disk. It is a savepoint, and
 * fails alone; but not the first, which has nothing before it to be kept, nor one that fails only as the disk does: a
 * savepoint copies each page that is written after it.
 */
export class SqliteDriver implements Driver {
  readonly connection: SqliteConnection
  readonly #timeoutMs: number
  readonly #health: SqliteHealth | undefined
  readonly #onEnd: (() => void) | undefined
  readonly #mutex = new Mutex()
  #group: CommitGroup | null = null

  constructor(database: DatabaseSync, timeoutMs: number, { health, onEnd, work }: DriverOptions) {
    this.connection = new SqliteConnection(database, (error) => health?.noteFailure(error), work)
    this.#timeoutMs = timeoutMs
    this.#health = health
    this.#onEnd = onEnd
  }

  async init(): Promise<void> {}

  /**
   * Runs `work` as one transaction that writes, on this connection; see `Engine.write`.
   *
   * @throws StoreUnavailable when the file cannot be written, or another process holds its lock for too long.
   */
  async write<T>(work: () => Promise<T>, mayThrow: boolean | undefined): Promise<T> {
    const acquired = await this.acquireConnection()
    try {
      await this.beginTransaction(acquired, {}, mayThrow)
      try {
        const result = await work()
        await this.commitTransaction(acquired)
        return result
      } catch (error) {
        await this.rollbackTransaction(acquired)
        throw error
      }
    } catch (error) {
      throw asUnavailable(error, this.connection.file)
    } finally {
      acquired.release()
    }
  }

  async acquireConnection(): Promise<AcquiredConnection> {
    const deadline = performance.now() + this.#timeoutMs
    return new AcquiredConnection(this.connection, deadline, await this.#mutex.acquire())
  }

  async releaseConnection(acquired: AcquiredConnection): Promise<void> {
    acquired.release()
  }

  /** Begins a transaction within the open group; the first of a group takes the write lock. */
  async beginTransaction(
    acquired: AcquiredConnection,
    { accessMode }: TransactionSettings,
    mayThrow = true,
  ): Promise<void> {
    if (accessMode === 'read only') return void (await acquired.run('begin'))
    if (this.#group === null) {
      acquired.group = await this.#openGroup(acquired)
      return
    }
    acquired.group = this.#group
    if (!mayThrow) return
    this.connection.run('savepoint member')
    acquired.hasSavepoint = true
  }

  async commitTransaction(acquired: AcquiredConnection): Promise<void> {
    const { group } = acquired
    if (group === null) return void (await acquired.run('commit'))
    if (acquired.hasSavepoint) this.connection.run('release member')
    group.hasWritten = true
    acquired.release()
    await group.promise
  }

  async rollbackTransaction(acquired: AcquiredConnection): Promise<void> {
    const { group } = acquired
    if (group === null) return this.connection.rollback()
    // After a commit that failed there is nothing left to undo, and others may be at work.
    if (group !== this.#group) return
    const reason = 'A write failed and undid those that shared its commit'
    try {
      if (acquired.hasSavepoint) {
        this.connection.run('rollback to member')
        this.connection.run('release member')
      } else {
        this.#undo(group, new Error(reason))
      }
    } catch (cause) {
      // On a full disk SQLite has undone the whole group by itself.
      this.#undo(group, new Error(reason, { cause }))
    }
    acquired.release()
    // The failure may be due to what the others wrote: wait until that is true.
    await group.promise.catch(() => {})
  }

  async destroy(): Promise<void> {}

  async #openGroup(acquired: AcquiredConnection): Promise<CommitGroup> {
    // A failing disk can make even a rollback fail; the next transaction repeats it.
    this.connection.rollback()
    await acquired.run('begin immediate')
    const group = { ...Promise.withResolvers<void>(), hasWritten: false }
    group.promise.catch(() => {})
    this.#group = group
    setImmediate(() => void this.#end(group))
    return group
  }

  async #end(group: CommitGroup): Promise<void> {
    const release = await this.#mutex.acquire()
    if (group === this.#group) {
      try {
        if (group.hasWritten) this.#health?.checkFiles()
        this.connection.run(group.hasWritten ? 'commit' : 'rollback')
        // Nothing is acknowledged that went into files which were taken away in that moment.
        if (group.hasWritten) this.#health?.checkFiles()
        this.#group = null
        this.#onEnd?.()
        group.resolve()
      } catch (error) {
        this.#undo(group, error)
      }
    }
    release()
  }

  #undo(group: CommitGroup, reason: unknown): void {
    this.#group = null
    this.#onEnd?.()
    group.reject(reason)
    try {
      this.connection.rollback()
    } catch {
      // `#openGroup` tries again.
    }
  }
}

/** Transactions that reach the disk together; the promise resolves when they are there. */
export type CommitGroup = PromiseWithResolvers<void> & { hasWritten: boolean }

export class AcquiredConnection implements DatabaseConnection {
  readonly #connection: SqliteConnection
  readonly #deadline: number
  readonly release: () => void
  /** The group that a writing transaction is part of. */
  group: CommitGroup | null = null
  hasSavepoint = false

  /** @param deadline until when to wait for a lock, on the scale of `performance.now()`. */
  constructor(connection: SqliteConnection, deadline: number, release: () => void) {
    this.#connection = connection
    this.#deadline = deadline
    this.release = release
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    try {
      return await this.run(sql, parameters)
    } catch (error) {
      throw asUnavailable(error, this.#connection.file)
    }
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query)
  }

  run<R>(sql: string, parameters?: readonly unknown[]): Promise<QueryResult<R>> {
    return whenFree(() => this.#connection.run<R>(sql, parameters), this.#deadline)
  }
}

/** More than we have. */
const MAX_STATEMENTS = 500

/** One connection to the file, which keeps its statements prepared. */
export class SqliteConnection {
  /** null of a store in memory. */
  readonly file: string | null
  readonly #database: DatabaseSync
  readonly #prepared = new BoundedMap<string, { statement: StatementSync; returnsRows: boolean }>({
    maxEntries: MAX_STATEMENTS,
  })
  readonly #onFailure: (error: unknown) => void
  readonly #work: WorkMeter | undefined

  /** @param work measures what statements cost the request that they are for; left out: nothing does. */
  constructor(
    database: DatabaseSync,
    onFailure: (error: unknown) => void = () => {},
    work?: WorkMeter,
  ) {
    this.file = database.location()
    this.#database = database
    this.#onFailure = onFailure
    this.#work = work
  }

  get statements(): number {
    return this.#prepared.size
  }

  run<R>(sql: string, parameters: readonly unknown[] = []): QueryResult<R> {
    const work = this.#work
    return work === undefined
      ? this.#run(sql, parameters)
      : work.measure(() => this.#run(sql, parameters))
  }

  #run<R>(sql: string, parameters: readonly unknown[]): QueryResult<R> {
    try {
      const { statement, returnsRows } = this.#prepared.get(sql) ?? this.#prepare(sql)
      const values = parameters as SQLInputValue[]
      if (returnsRows) return { rows: statement.all(...values) as R[] }
      return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) }
    } catch (error) {
      this.#onFailure(error)
      throw error
    }
  }

  /** Undoes the whole transaction, unless SQLite has done that by itself, as it does on a full disk. */
  rollback(): void {
    if (this.#database.isTransaction) this.run('rollback')
  }

  #prepare(sql: string) {
    const statement = this.#database.prepare(sql)
    const prepared = { statement, returnsRows: statement.columns().length > 0 }
    // The rows that a full-text index writes for itself have larger ids than a number holds.
    if (!prepared.returnsRows) statement.setReadBigInts(true)
    this.#prepared.set(sql, prepared)
    return prepared
  }
}
