import * as texts from '#texts/import'
import { trusted } from '../../trusted-types.ts'
// oxlint-disable-next-line import/default -- of the bundler
import workerPath from './import-worker.ts?worker&url'
import type { ImportReply, ImportRequest } from './read-source.ts'

/** A worker that reads for longer is ended. */
const LONGEST_MS = 10_000
/** A reading of more than this is not waited for when another one is wanted, UTF-16 code units or bytes. */
export const LARGE = 20_000

type Job = {
  readonly request: ImportRequest
  /** null: another reading came in its place. */
  readonly resolve: (reply: ImportReply | null) => void
}

/** Reads in a worker, one request at a time; of those that wait, only the last one counts. */
export class ImportReader {
  #worker: Worker | null = null
  #isReady = false
  #running: Job | null = null
  #next: Job | null = null
  #timer: ReturnType<typeof setTimeout> | undefined

  /** Never rejects; null if another request or `stop` came first. */
  read(request: ImportRequest): Promise<ImportReply | null> {
    return new Promise((resolve) => {
      this.#next?.resolve(null)
      this.#next = { request, resolve }
      if (this.#running !== null && sizeOf(this.#running.request) > LARGE) this.#end(null)
      else this.#start()
    })
  }

  /** Ends the worker; the next request starts another. */
  stop(): void {
    this.#next?.resolve(null)
    this.#next = null
    this.#end(null)
  }

  #start(): void {
    if (this.#running !== null || this.#next === null) return
    this.#running = this.#next
    this.#next = null
    this.#worker ??= this.#open()
    this.#worker.postMessage(this.#running.request, [])
    if (this.#isReady) this.#watch()
  }

  #open(): Worker {
    const worker = new Worker(trusted.createScriptURL(workerPath), { type: 'module' })
    worker.addEventListener('message', ({ data }: MessageEvent<ImportReply | 'ready'>) => {
      if (data !== 'ready') return this.#finish(data)
      this.#isReady = true
      this.#watch()
    })
    worker.addEventListener('error', (event) => {
      event.preventDefault()
      const reason = this.#isReady ? texts.notUnderstood : texts.readerNotLoaded
      this.#end({ kind: 'refused', reason })
    })
    return worker
  }

  /** Loading takes as long as it takes; only reading is timed. */
  #watch(): void {
    clearTimeout(this.#timer)
    if (this.#running === null) return
    this.#timer = setTimeout(
      () => this.#end({ kind: 'refused', reason: texts.tooSlow }),
      LONGEST_MS,
    )
  }

  #finish(reply: ImportReply | null): void {
    clearTimeout(this.#timer)
    const job = this.#running
    this.#running = null
    job?.resolve(reply)
    this.#start()
  }

  #end(reply: ImportReply | null): void {
    this.#worker?.terminate()
    this.#worker = null
    this.#isReady = false
    this.#finish(reply)
  }
}

export function sizeOf({ source }: ImportRequest): number {
  return source.kind === 'text' ? source.text.length : source.bytes.length
}
