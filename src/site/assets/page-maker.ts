import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { FastifyBaseLogger } from 'fastify'
import { SingleFlight } from '../../domain/loading.ts'
import type { PackedPage } from '../pages/page-bytes.ts'
import type { PageJob, PageOrder, PageParts, PageResult } from './page-thread.ts'

/** Pages that may wait at a time; more are made where they are sent from. */
const MOST_WAITING = 32
/** Far longer than a page takes, even on a busy machine. */
const TIMEOUT_MS = 10_000
/** A thread with nothing to make is ended to free its memory. */
const IDLE_MS = 60_000
/** After a thread has failed, it takes so long until there is another one. */
const PAUSE_MS = 10_000
/**
 * What a page leaves behind is small; the guides take most of it. Half of the room for young objects makes a page a sixth
 * dearer: it is collected while a page is being made, which is all in use.
 */
const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 12 }

/** With the extension of this module: installed packages are compiled. */
const THREAD = new URL(`page-thread${extname(import.meta.url)}`, import.meta.url)

type MakeOptions = {
  readonly log: Pick<FastifyBaseLogger, 'warn'>
  /** Gets what the page took, on behalf of the request that it was made for. */
  readonly charge: (cpuMs: number) => void
}

type Pending = {
  readonly log: MakeOptions['log']
  readonly resolve: (result: PageResult | null) => void
}

/** Makes pages on a thread of their own; other requests go on meanwhile. */
export class PageMaker {
  readonly #newThread: () => Worker
  readonly #making = new SingleFlight<PackedPage | null>()
  readonly #pending = new Map<number, Pending>()
  #worker: Worker | null = null
  #isReady = false
  #lastId = 0
  #notBefore = 0
  #timer: NodeJS.Timeout | undefined

  constructor(
    parts: PageParts,
    newThread = () => new Worker(THREAD, { workerData: parts, resourceLimits }),
  ) {
    this.#newThread = newThread
  }

  /**
   * null, or resolves with null, when it does not make the page: while the thread starts, has failed, or has
   * enough to do. Never rejects.
   */
  make(job: PageJob, { log, charge }: MakeOptions): Promise<PackedPage | null> | null {
    if (!this.#isReady) this.#start(log)
    if (!this.#isReady || this.#pending.size >= MOST_WAITING) return null
    const text = JSON.stringify(job)
    return this.#making.run(text, async () => {
      const result = await this.#order(text, log)
      if (result === null) return null
      charge(result.cpuMs)
      return result.made
    })
  }

  #order(job: string, log: MakeOptions['log']): Promise<PageResult | null> {
    this.#lastId += 1
    const order: PageOrder = { id: this.#lastId, job }
    const { promise, resolve } = Promise.withResolvers<PageResult | null>()
    this.#pending.set(order.id, { log, resolve })
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#worker?.postMessage(order)
    if (this.#pending.size === 1) this.#watch()
    return promise
  }

  /** Ends the thread when it is late, or idle. */
  #watch(): void {
    clearTimeout(this.#timer)
    const isIdle = this.#pending.size === 0
    const late = new Error(`no page within ${TIMEOUT_MS} ms`)
    const end = (): void => this.#stop(isIdle ? null : late)
    this.#timer = setTimeout(end, isIdle ? IDLE_MS : TIMEOUT_MS).unref()
  }

  #start(log: MakeOptions['log']): void {
    if (this.#worker !== null || performance.now() < this.#notBefore) return
    try {
      const worker = this.#newThread()
      this.#worker = worker
      // It does not keep the process alive.
      worker.unref()
      worker.on('message', (result: PageResult) => this.#finish(result))
      worker.on('error', (error) => this.#stop(error as Error, log))
      worker.on('exit', (code) => this.#stop(new Error(`it ended with ${code}`), log))
    } catch (error) {
      this.#stop(error as Error, log)
    }
  }

  #finish(result: PageResult): void {
    this.#isReady = true
    this.#pending.get(result.id)?.resolve(result)
    this.#pending.delete(result.id)
    this.#watch()
  }

  /** Ends the thread. What it was to make is made where it is sent from. */
  #stop(failure: Error | null, log?: MakeOptions['log']): void {
    clearTimeout(this.#timer)
    const pending = [...this.#pending.values()]
    const worker = this.#worker
    this.#pending.clear()
    this.#worker = null
    this.#isReady = false
    if (failure !== null) {
      this.#notBefore = performance.now() + PAUSE_MS
      const message =
        'the thread that makes pages has failed: they are made without one for a while'
      const told = log ?? pending[0]?.log
      told?.warn({ err: failure }, message)
    }
    for (const { resolve } of pending) resolve(null)
    worker?.removeAllListeners().on('error', () => {})
    void worker?.terminate()
  }
}
