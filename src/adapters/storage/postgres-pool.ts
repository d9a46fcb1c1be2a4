import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { PostgresPool } from 'kysely'
import { Client, type ClientConfig, Pool, type PoolClient, types } from 'pg'
import type { ConnectionUsage } from '../../ports/store.ts'
import type { Line } from './line.ts'
import { readPostgresUrl } from './postgres-address.ts'
import {
  hasNoConnectionLeft,
  isDiskFull,
  isStatementForgotten,
  TooLate,
} from './postgres-errors.ts'
import { PostgresLoan } from './postgres-loan.ts'
import { setUpSession } from './postgres-session.ts'

/** How the database is reached. */
export type PostgresConnection = {
  /** `postgres://…` with one host or several; a secret. */
  readonly url: string
  /** false: no statement is prepared under a name. Left out: those that are not of many lengths are. */
  readonly isPrepared?: boolean
  /** Connections that this process has at most. */
  readonly size: number
  /** ms that a call of a store waits for a connection, and then has for its work; null: without bound. */
  readonly patience: number | null
}

const IDLE_MS = 30_000
/** A connection that a firewall has forgotten is found out before it is used. */
const KEEP_ALIVE_MS = 10_000
/** After a refusal the process keeps to the connections that it has for so long. */
const REFUSED_MS = 5_000
const WHICH_SERVER = 'select pg_backend_pid() as pid'
/** While it has none, it asks for one this often. */
const ASK_AGAIN_MS = 100
const INT8: number = types.builtins.INT8

const whole = (text: string): number => Number(text)

// All of ours fit in a number: times, ids, counts. The driver would give text to be safe.
const numbers = { getTypeParser: parserOf } as unknown as typeof types

function parserOf(oid: number, format?: 'text' | 'binary'): unknown {
  return oid === INT8 ? whole : types.getTypeParser(oid, format ?? 'text')
}

/** The pool of a process over one host, or over several of which one takes writes. */
export class HostPool extends Pool {
  readonly isPrepared: boolean
  readonly #urls: readonly string[]
  #current = 0

  constructor({ url, size, patience, isPrepared = true }: PostgresConnection) {
    const { urls } = readPostgresUrl(url)
    // Of the connection alone, not of the wait for one that is in use; the other hosts have time left.
    const connectBound = patience !== null && { connectionTimeoutMillis: patience / urls.length }
    const currentUrl = (): string => urls[this.#current] ?? url
    super({
      Client: class extends Client {
        constructor(config?: ClientConfig) {
          super({ ...config, ...connectBound, connectionString: currentUrl() })
        }
      },
      max: size,
      application_name: 'mapcrate',
      types: numbers,
      idleTimeoutMillis: IDLE_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      onConnect: (client) => setUpSession(client, patience, urls.length > 1),
    })
    this.#urls = urls
    this.isPrepared = isPrepared
    // Idle connections that break are taken out of the pool; who needs one makes a new one.
    this.on('error', () => {})
    // One that breaks while it is lent out tells so by the query that fails.
    this.on('connect', (client) => void client.on('error', () => {}))
  }

  /** A connection to the host that takes writes. Throws what the last host failed with. */
  async connectToAny(): Promise<PoolClient> {
    for (let left = this.#urls.length - 1; ; left -= 1) {
      const tried = this.#current
      try {
        return await this.connect()
      } catch (error) {
        const isFull = hasNoConnectionLeft(error)
        // Another call may have turned to the next one already.
        if (!isFull && tried === this.#current) this.#current = (tried + 1) % this.#urls.length
        if (isFull || left === 0) throw error
      }
    }
  }
}

/** Makes the connections of this process; none is opened yet. */
export const createPostgresPool = (connection: PostgresConnection): HostPool =>
  new HostPool(connection)

/** Lends the connections of a pool, each for a bounded time. */
export class PostgresLender {
  readonly #pool: HostPool
  readonly #size: number
  readonly #patience: number | null
  #calls = 0
  #waiting = 0
  #refusedUntil = 0
  #isDiskFull = false
  #hasForgotten = false
  #probing: Promise<boolean> | null = null
  #onAllBack = () => {}
  #closing: Promise<void> | null = null

  /**
   * @param patience ms that a call waits for a connection at most, and then has for its work; null:
   *   without bound.
   */
  constructor(pool: HostPool, patience: number | null) {
    this.#pool = pool
    this.#size = pool.options.max
    this.#patience = patience
  }

  get usage(): ConnectionUsage {
    const { totalCount: open, idleCount } = this.#pool
    return { open, inUse: open - idleCount, waiting: this.#waiting }
  }

  /** Has the server refused a write for want of room since `noteRoom`? */
  get isDiskFull(): boolean {
    return this.#isDiskFull
  }

  /**
   * Does a pooler lead one of our connections to several servers, and forget what was prepared over
   * it? Requests fail then for as long as statements are prepared.
   */
  async isForgetful(): Promise<boolean> {
    const { isPrepared } = this.#pool
    if (!isPrepared || this.#hasForgotten) return isPrepared
    // Each holds one connection and waits for another: they must not wait for each other.
    this.#probing ??= this.#forgets().finally(() => {
      this.#probing = null
    })
    return this.#probing
  }

  /** Is told that a write that needs room was committed. */
  noteRoom(): void {
    this.#isDiskFull = false
  }

  /**
   * The pool as Kysely sees it.
   *
   * @param line where to stand for a connection; left out: nowhere.
   */
  pool(line?: Line): PostgresPool {
    return {
      connect: () => this.#lend(line),
      // Several share it: see `close`.
      end: async () => {},
      options: {},
    }
  }

  /** @throws when all that `work` does takes longer than a single call may, its waiting included. */
  async inTime<T>(work: () => Promise<T>): Promise<T> {
    if (this.#patience === null) return work()
    const { promise: late, reject } = Promise.withResolvers<never>()
    const giveUp = () => reject(new TooLate())
    // Where connections have to be waited for, the wait has time of its own, as for a single call.
    const wait = () => (timer = this.#after(giveUp))
    let timer = this.#after(() => (this.#waiting > 0 ? wait() : giveUp()))
    try {
      return await Promise.race([work(), late])
    } finally {
      clearTimeout(timer)
    }
  }

  /** Ends the pool as soon as everything that was asked of it is done. */
  async close(): Promise<void> {
    this.#closing ??= new Promise<void>((resolve) => {
      this.#onAllBack = resolve
      if (this.#calls === 0) resolve()
    }).then(() => this.#pool.end())
    await this.#closing
  }

  /**
   * Waits for a connection, and fails when none was to be had in time. A connection that is not given
   * back in time fails whatever waits for an answer from it.
   */
  #lend(line: Line | undefined): Promise<PostgresLoan> {
    const { promise, resolve, reject } = Promise.withResolvers<PostgresLoan>()
    const call = { isLate: false, refusal: undefined as unknown }
    let leave: (() => void) | undefined
    let timer = this.#after(() => {
      call.isLate = true
      leave?.()
      reject(new TooLate(call.refusal))
    })

    const fetch = async (): Promise<void> => {
      leave = await line?.enter()
      const end = () => {
        clearTimeout(timer)
        leave?.()
        this.#calls -= 1
        if (this.#calls === 0) this.#onAllBack()
      }
      try {
        if (call.isLate) return end()
        const loan = new PostgresLoan(await this.#connect(call), {
          isPrepared: this.#pool.isPrepared,
          patience: this.#patience,
          giveBack: end,
          onError: (error, isThroughPooler) => {
            this.#isDiskFull ||= isDiskFull(error)
            this.#hasForgotten ||= isThroughPooler && isStatementForgotten(error)
          },
        })
        // Nobody waits for it any more.
        if (call.isLate) return loan.release()
        clearTimeout(timer)
        timer = this.#after(() => loan.fail(new TooLate()))
        resolve(loan)
      } catch (error) {
        end()
        reject(error)
      } finally {
        this.#waiting -= 1
      }
    }
    this.#calls += 1
    this.#waiting += 1
    void fetch()
    return promise
  }

  /** Prepares a statement, and runs it where another server answers, if the pooler has it so. */
  async #forgets(): Promise<boolean> {
    const one = await this.#lend(undefined)
    try {
      if (!one.isThroughPooler || this.#pool.options.max < 2) return false
      const two = await this.#lend(undefined)
      try {
        const name = `probe_${randomUUID()}`
        const before = await one.queryNamed(name, WHICH_SERVER)
        await two.query('begin', [])
        const meanwhile = await two.query<{ pid: number }>(WHICH_SERVER, [])
        // In a session of its own, or while others keep the pooler busy, nothing is learned.
        if (before.rows[0]?.pid === meanwhile.rows[0]?.pid) {
          await one.queryNamed(name, WHICH_SERVER).catch(() => {})
          if (this.#hasForgotten) await two.query(`deallocate "${name}"`, [])
        }
        await two.query('rollback', [])
        return this.#hasForgotten
      } finally {
        two.release()
      }
    } finally {
      one.release()
    }
  }

  #after(then: () => void): NodeJS.Timeout | undefined {
    return this.#patience === null ? undefined : setTimeout(then, this.#patience)
  }

  /** A connection; while the server refuses to open more, one of those that there are. */
  async #connect(call: { readonly isLate: boolean; refusal: unknown }): Promise<PoolClient> {
    for (;;) {
      if (performance.now() >= this.#refusedUntil) this.#pool.options.max = this.#size
      try {
        return await this.#pool.connectToAny()
      } catch (error) {
        // The driver's own words for a connection that did not come about in time.
        if (error instanceof Error && error.message === 'timeout expired') throw new TooLate(error)
        const hasSome = this.#pool.totalCount > 0
        if (!hasNoConnectionLeft(error) || (!hasSome && this.#patience === null)) throw error
        call.refusal = error
        if (call.isLate) throw error
        this.#refusedUntil = performance.now() + REFUSED_MS
        this.#pool.options.max = Math.max(1, this.#pool.totalCount)
        if (!hasSome) await pause(ASK_AGAIN_MS)
      }
    }
  }
}
