import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { PostgresPool } from 'kysely'
import type { PoolClient } from 'pg'
import type { ConnectionUsage } from '../../../ports/store.ts'
import type { Lock } from '../../../domain/loading.ts'
import { PooledConnection } from './connection.ts'
import {
  asUnavailable,
  hasNoConnectionLeft,
  isDiskFull,
  isStatementForgotten,
  TimedOut,
} from './errors.ts'
import { HostPool, type PoolSettings } from './host-pool.ts'

/** After a refusal the process keeps to the connections that it has for so long. */
const REFUSED_MS = 5_000
const WHICH_SERVER = 'select pg_backend_pid() as pid'
/** While it has none, it asks for one this often. */
const ASK_AGAIN_MS = 100

/** A pool of connections, each acquired for a bounded time. */
export class ConnectionPool {
  readonly #pool: HostPool
  /** Connections at most. */
  readonly size: number
  readonly #timeoutMs: number | null
  readonly #isPrepared: boolean
  #calls = 0
  #waiting = 0
  #refusedUntil = 0
  #hasForgotten = false
  #probing: Promise<boolean> | null = null
  #onAllReleased = () => {}
  #closing: Promise<void> | null = null
  /** Has the server refused a write for want of room, and taken none that needs room since? */
  isDiskFull = false

  /** No connection is opened yet. */
  constructor(settings: PoolSettings) {
    this.#pool = new HostPool(settings)
    this.size = settings.size
    this.#timeoutMs = settings.timeoutMs
    this.#isPrepared = settings.isPrepared ?? true
  }

  get usage(): ConnectionUsage {
    const { totalCount: open, idleCount } = this.#pool
    return { open, inUse: open - idleCount, waiting: this.#waiting }
  }

  /**
   * Does a pooler lead one of our connections to several servers, and forget what was prepared over
   * it? Requests fail then for as long as statements are prepared.
   */
  async isForgetful(): Promise<boolean> {
    if (!this.#isPrepared || this.#hasForgotten) return this.#isPrepared
    // Each holds one connection and waits for another: they must not wait for each other.
    this.#probing ??= this.#forgets().finally(() => {
      this.#probing = null
    })
    return this.#probing
  }

  /** The pool as Kysely sees it; each connection is held with the lock. */
  forKysely(lock?: Lock): PostgresPool {
    return {
      connect: () => this.#acquire(lock),
      // Several share it: see `close`.
      end: async () => {},
      options: {},
    }
  }

  /** Throws when all that `work` does takes longer than a single call may, its waiting included. */
  async inTime<T>(work: () => Promise<T>): Promise<T> {
    if (this.#timeoutMs === null) return work()
    const { promise: late, reject } = Promise.withResolvers<never>()
    const giveUp = () => reject(new TimedOut())
    // Where connections have to be waited for, the wait has time of its own, as for a single call.
    const wait = () => (timer = this.#after(giveUp))
    let timer = this.#after(() => (this.#waiting > 0 ? wait() : giveUp()))
    try {
      return await Promise.race([work(), late])
    } finally {
      clearTimeout(timer)
    }
  }

  /** Ends the pool after all running calls. */
  async close(): Promise<void> {
    this.#closing ??= new Promise<void>((resolve) => {
      this.#onAllReleased = resolve
      if (this.#calls === 0) resolve()
    }).then(() => this.#pool.end())
    await this.#closing
  }

  /**
   * Waits for the lock and a connection, and fails when they were not to be had in time. A connection
   * that is not released in time fails whatever waits for an answer from it.
   */
  #acquire(lock?: Lock): Promise<PooledConnection> {
    const { promise, resolve, reject } = Promise.withResolvers<PooledConnection>()
    const call = { isLate: false, refusal: undefined as unknown }
    let releaseLock: (() => void) | undefined
    let timer = this.#after(() => {
      call.isLate = true
      releaseLock?.()
      reject(new TimedOut(call.refusal))
    })

    const fetch = async (): Promise<void> => {
      releaseLock = await lock?.acquire()
      const end = () => {
        clearTimeout(timer)
        releaseLock?.()
        this.#calls -= 1
        if (this.#calls === 0) this.#onAllReleased()
      }
      try {
        if (call.isLate) return end()
        const connection = new PooledConnection(await this.#connect(call), {
          isPrepared: this.#isPrepared,
          timeoutMs: this.#timeoutMs,
          onRelease: end,
          onError: (error, isThroughPooler) => {
            this.isDiskFull ||= isDiskFull(error)
            this.#hasForgotten ||= isThroughPooler && isStatementForgotten(error)
          },
        })
        // The caller has given up.
        if (call.isLate) return connection.release()
        clearTimeout(timer)
        timer = this.#after(() => connection.fail(new TimedOut()))
        resolve(connection)
      } catch (error) {
        end()
        reject(asUnavailable(error))
      } finally {
        this.#waiting -= 1
      }
    }
    this.#calls += 1
    this.#waiting += 1
    void fetch()
    return promise
  }

  /** Prepares a statement, and runs it again where another server may answer. */
  async #forgets(): Promise<boolean> {
    const one = await this.#acquire()
    try {
      if (!one.isThroughPooler || this.#pool.options.max < 2) return false
      const two = await this.#acquire()
      try {
        const name = `probe_${randomUUID()}`
        const before = await one.run<{ pid: number }>(WHICH_SERVER, [], name)
        await two.query('begin', [])
        const meanwhile = await two.query<{ pid: number }>(WHICH_SERVER, [])
        // In a session of its own, or while others keep the pooler busy, nothing is learned.
        if (before.rows[0]?.pid === meanwhile.rows[0]?.pid) {
          await one.run(WHICH_SERVER, [], name).catch(() => {})
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
    return this.#timeoutMs === null ? undefined : setTimeout(then, this.#timeoutMs)
  }

  /** A connection; while the server refuses to open more, one of those that there are. */
  async #connect(call: { readonly isLate: boolean; refusal: unknown }): Promise<PoolClient> {
    for (;;) {
      if (performance.now() >= this.#refusedUntil) this.#pool.options.max = this.size
      try {
        return await this.#pool.connectToAny()
      } catch (error) {
        // The driver's own words for a connection that did not come about in time.
        if (error instanceof Error && error.message === 'timeout expired') throw new TimedOut(error)
        const hasSome = this.#pool.totalCount > 0
        if (!hasNoConnectionLeft(error) || (!hasSome && this.#timeoutMs === null)) throw error
        call.refusal = error
        if (call.isLate) throw error
        this.#refusedUntil = performance.now() + REFUSED_MS
        this.#pool.options.max = Math.max(1, this.#pool.totalCount)
        if (!hasSome) await pause(ASK_AGAIN_MS)
      }
    }
  }
}
