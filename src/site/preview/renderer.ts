import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Installation } from '../../domain/installation.ts'
import { BoundedMap, SingleFlight } from '../../domain/loading.ts'
import type { PictureParts } from './marks.ts'
import type { PictureJob, PictureResult } from './render-thread.ts'

/** Pictures that may wait for the one that is being drawn: a second or two. */
const MAX_QUEUED = 8
/** So many times as long as it drew, the thread pauses: drawing takes a third of a core at most. */
const PAUSE_RATIO = 2
/** A thread with nothing to draw is ended to free its memory. */
const IDLE_MS = 30_000
/** Far longer than a picture takes, even on a busy machine. */
const TIMEOUT_MS = 20_000

/** Several times what a picture needs: heaps grow with garbage while there is room. */
const resourceLimits = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 12 }

/** With the extension of this module: installed packages are compiled. */
const THREAD = new URL(`render-thread${extname(import.meta.url)}`, import.meta.url)

/** Starts threads that draw for an installation. */
export function drawingFor({ name, logo }: Pick<Installation, 'name' | 'logo'>): () => Worker {
  const parts: PictureParts = { name, logo: logo && logo.bytes }
  return () => new Worker(THREAD, { workerData: parts, resourceLimits })
}

type Drawing = {
  readonly job: PictureJob
  readonly resolve: (drawn: { readonly png: Buffer; readonly cpuMs: number }) => void
  readonly reject: (error: Error) => void
}

/** Draws pictures on a thread of their own, one at a time, with pauses: other requests go on meanwhile. */
export class PictureRenderer {
  readonly #newThread: () => Worker
  readonly #charge: (cpuMs: number) => void
  #worker: Worker | null = null
  readonly #queue: Drawing[] = []
  #current: Drawing | null = null
  #isPausing = false
  #timer: NodeJS.Timeout | undefined

  /**
   * @param newThread starts a thread that answers each `PictureJob` with a `PictureResult`.
   * @param charge gets what a picture took, on behalf of the request that it was drawn for.
   */
  constructor(newThread: () => Worker, charge: (cpuMs: number) => void = () => {}) {
    this.#newThread = newThread
    this.#charge = charge
  }

  get isFull(): boolean {
    return this.#queue.length >= MAX_QUEUED
  }

  /** null if the queue is full. */
  draw(job: PictureJob): Promise<Buffer> | null {
    if (this.isFull) return null
    const { promise, ...settle } = Promise.withResolvers<Parameters<Drawing['resolve']>[0]>()
    this.#queue.push({ job, ...settle })
    this.#next()
    return promise.then(({ png, cpuMs }) => {
      this.#charge(cpuMs)
      return png
    })
  }

  /** Ends the thread; pending pictures fail. */
  async close(): Promise<void> {
    const closed = new Error('the picture renderer is closed')
    const dropped = this.#queue.splice(0)
    await this.#stop(closed)
    for (const { reject } of dropped) reject(closed)
  }

  #next(): void {
    if (this.#current !== null || this.#isPausing) return
    clearTimeout(this.#timer)
    const next = this.#queue.shift()
    if (next === undefined) {
      this.#timer = setTimeout(() => void this.#stop(null), IDLE_MS).unref()
      return
    }
    this.#current = next
    const late = new Error(`no picture within ${TIMEOUT_MS} ms`)
    this.#timer = setTimeout(() => void this.#stop(late), TIMEOUT_MS).unref()
    try {
      this.#worker ??= this.#start()
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      this.#worker.postMessage(next.job)
    } catch (error) {
      // The system may have no thread left.
      void this.#stop(error as Error)
    }
  }

  #start(): Worker {
    const worker = this.#newThread()
    // It does not keep the process alive.
    worker.unref()
    worker.on('message', (result: PictureResult) => this.#finish(result))
    worker.on('error', (error) => void this.#stop(error as Error))
    return worker
  }

  #finish(result: PictureResult): void {
    const drawing = this.#current
    this.#current = null
    const { cpuMs } = result
    if ('png' in result) drawing?.resolve({ png: Buffer.from(result.png), cpuMs })
    else drawing?.reject(new Error(`a picture could not be drawn: ${result.error}`))
    clearTimeout(this.#timer)
    this.#isPausing = true
    this.#timer = setTimeout(() => this.#goOn(), PAUSE_RATIO * cpuMs).unref()
  }

  #goOn(): void {
    this.#isPausing = false
    this.#next()
  }

  /** Ends the thread and fails what it was drawing; the next picture starts a new one. */
  async #stop(reason: Error | null): Promise<void> {
    clearTimeout(this.#timer)
    this.#isPausing = false
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
}

/** The most recently used pictures by what they show; one has 50 to 100 KB. */
export class PictureCache {
  readonly #pictures = new BoundedMap<string, Buffer>({
    maxSize: 16 * 1024 * 1024,
    sizeOf: (png) => png.length,
  })
  readonly #drawing = new SingleFlight<Buffer | null>()

  /** The picture; otherwise the result of `draw`, which concurrent requests share. */
  find(tag: string, draw: () => Promise<Buffer> | null): Promise<Buffer | null> {
    const picture = this.#pictures.get(tag)
    if (picture !== undefined) return Promise.resolve(picture)
    return this.#drawing.run(tag, async () => {
      const png = await draw()
      if (png !== null) this.#pictures.set(tag, png)
      return png
    })
  }
}
