import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { PictureJob, PictureResult } from './render-thread.ts'

/** Pictures that may wait for the one that is being drawn: a second or two's worth. */
const MAX_QUEUED = 8
/** A thread that has nothing to draw gives its memory back. */
const IDLE_MS = 30_000
/** Far beyond what a picture takes, even on a busy machine. */
const TIMEOUT_MS = 20_000

/** Of the same kind as this module: installed packages hold compiled ones. */
const THREAD = new URL(`render-thread${extname(import.meta.url)}`, import.meta.url)

type Waiting = {
  readonly job: PictureJob
  readonly resolve: (png: Buffer) => void
  readonly reject: (error: Error) => void
}

/** Draws pictures on a thread of their own, one at a time, so that requests never wait for them. */
export class PictureRenderer {
  #worker: Worker | null = null
  readonly #queue: Waiting[] = []
  #current: Waiting | null = null
  #timer: NodeJS.Timeout | null = null

  /** Whether too many are waiting already. */
  get isFull(): boolean {
    return this.#queue.length >= MAX_QUEUED
  }

  /** null when too many are waiting already. */
  draw(job: PictureJob): Promise<Buffer> | null {
    if (this.isFull) return null
    return new Promise((resolve, reject) => {
      this.#queue.push({ job, resolve, reject })
      this.#next()
    })
  }

  /** Ends the thread; what was to be drawn fails. */
  async close(): Promise<void> {
    const dropped = this.#queue.splice(0)
    await this.#stop(new Error('the picture renderer is closed'))
    for (const { reject } of dropped) reject(new Error('the picture renderer is closed'))
  }

  #next(): void {
    if (this.#current !== null) return
    this.#clearTimer()
    const next = this.#queue.shift()
    if (next === undefined) {
      this.#timer = setTimeout(() => void this.#stop(null), IDLE_MS).unref()
      return
    }
    this.#current = next
    this.#timer = setTimeout(() => {
      void this.#stop(new Error(`no picture within ${TIMEOUT_MS} ms`))
    }, TIMEOUT_MS).unref()
    this.#worker ??= this.#start()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#worker.postMessage(next.job)
  }

  #start(): Worker {
    const worker = new Worker(THREAD)
    // A process that has nothing else to do may end.
    worker.unref()
    worker.on('message', (result: PictureResult) => this.#finish(result))
    worker.on('error', (error) => void this.#stop(error as Error))
    return worker
  }

  #finish(result: PictureResult): void {
    const done = this.#current
    this.#current = null
    if ('png' in result) done?.resolve(Buffer.from(result.png))
    else done?.reject(new Error(`a picture could not be drawn: ${result.error}`))
    this.#next()
  }

  /** Ends the thread and fails what it was drawing; the next picture starts a new one. */
  async #stop(reason: Error | null): Promise<void> {
    this.#clearTimer()
    const [worker, current] = [this.#worker, this.#current]
    this.#worker = null
    this.#current = null
    worker
      ?.removeAllListeners('message')
      .removeAllListeners('error')
      .on('error', () => {})
    current?.reject(reason ?? new Error('the picture was given up'))
    if (this.#queue.length > 0) this.#next()
    await worker?.terminate()
  }

  #clearTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }
}
