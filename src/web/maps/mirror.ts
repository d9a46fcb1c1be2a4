import type { SetStore } from './set-store.ts'

type Options = {
  /** Its address, with `{set}` in it. */
  readonly template: string
  readonly store: SetStore
  readonly ask: Ask
  /** Resolves after so many ms, or when aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  readonly isOnline: () => boolean
}

/**
 * What became of asking a mirror for a set; `lacking` and `refused` are not asked again for it. `full`, `unkept`: the mirror
 * served it, and the store had no room for it, or could not write it.
 */
type Outcome = 'kept' | 'lacking' | 'refused' | 'later' | 'full' | 'unkept'

/** Called with what has come so far, in bytes; `total` is null where the mirror does not say. */
type OnProgress = (received: number, total: number | null) => void

type Answer = { readonly status: number; readonly retryAfter: string | null; readonly body: Blob }

/** Gets what is at an address; rejects where no whole answer came, or this page may not read it. */
export type Ask = (address: string, signal: AbortSignal, onProgress: OnProgress) => Promise<Answer>

/** One that sends nothing for so long is not waited for. */
const SILENCE_MS = 30_000
/** One that asks for a longer pause is not asked again. */
const MAX_RETRY_AFTER_MS = 300_000
/** One that fails so often without a success is not asked again: as often as the first sets need to give up. */
const MAX_FAILURES = 24

/** A mirror, as one download finds it. */
export class Mirror {
  readonly #options: Options
  /** Since it last served a set, or answered that it has none. */
  #failures = 0
  #isRefusing = false
  #rest: Promise<unknown> | null = null

  constructor(options: Options) {
    this.#options = options
  }

  /** Ends when it may be asked again, as it has asked for; null where it may be asked now. */
  get rest(): Promise<unknown> | null {
    return this.#rest
  }

  /** Not to be asked any more. */
  get isOut(): boolean {
    return this.#isRefusing || this.#failures >= MAX_FAILURES
  }

  /** Loads a set into the store. Never rejects; aborted, the outcome says nothing. */
  async load(id: number, signal: AbortSignal, onProgress: OnProgress): Promise<Outcome> {
    const outcome = await this.#load(id, signal, onProgress)
    if (outcome !== 'later' && outcome !== 'refused') this.#failures = 0
    // What fails without a connection says nothing of a mirror.
    else if (!signal.aborted && this.#options.isOnline()) this.#failures += 1
    return outcome
  }

  async #load(id: number, signal: AbortSignal, onProgress: OnProgress): Promise<Outcome> {
    const { template, ask } = this.#options
    const silence = new AbortController()
    let timer = setTimeout(() => silence.abort(), SILENCE_MS)
    const heard: OnProgress = (received, total) => {
      clearTimeout(timer)
      timer = setTimeout(() => silence.abort(), SILENCE_MS)
      // What is announced is the length of what is sent, which may be compressed.
      onProgress(received, total !== null && received <= total ? total : null)
    }
    try {
      const ending = AbortSignal.any([signal, silence.signal])
      const answer = await ask(addressOf(template, id), ending, heard)
      if (answer.status !== 200) return this.#refusal(answer, signal)
      return (await isArchive(answer.body)) ? await this.#keep(id, answer.body) : 'later'
    } catch {
      return 'later'
    } finally {
      clearTimeout(timer)
    }
  }

  async #keep(id: number, set: Blob): Promise<Outcome> {
    try {
      await this.#options.store.put(id, set)
      return 'kept'
    } catch (error) {
      return isStorageFull(error) ? 'full' : 'unkept'
    }
  }

  #refusal({ status, retryAfter }: Answer, signal: AbortSignal): Outcome {
    if (status === 404 || status === 410 || status === 451) return 'lacking'
    if (status !== 408 && status !== 429 && status < 500) return 'refused'
    const restMs = Number(retryAfter) * 1_000
    if (restMs > MAX_RETRY_AFTER_MS) this.#isRefusing = true
    else if (restMs > 0) this.#restFor(restMs, signal)
    return 'later'
  }

  /** Sets that are asked for at once may be told different times: the last to end counts. */
  #restFor(ms: number, signal: AbortSignal): void {
    const sleep = this.#options.sleep(ms, signal)
    const rest = Promise.all([this.#rest, sleep]).finally(() => {
      if (this.#rest === rest) this.#rest = null
    })
    this.#rest = rest
  }
}

/**
 * Not by `fetch`: a blob of XMLHttpRequest is on its way to the disk while it comes, and its progress is known; of `fetch`, one
 * or the other is.
 */
export const askByRequest: Ask = (address, signal, onProgress) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const stop = (): void => request.abort()
    request.responseType = 'blob'
    const fail = (): void => reject(new Error('no answer'))
    request.addEventListener('progress', ({ loaded, total }) => onProgress(loaded, total || null))
    request.addEventListener('load', () => {
      const { status } = request
      // One that may not be read is a complaint in the console.
      const retryAfter = /^retry-after: *(.*)$/im.exec(request.getAllResponseHeaders())?.[1] ?? null
      resolve({ status, retryAfter, body: request.response as Blob })
    })
    request.addEventListener('error', fail)
    request.addEventListener('abort', fail)
    request.addEventListener('loadend', () => signal.removeEventListener('abort', stop))
    request.open('GET', address)
    request.send()
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
  })

/** Where a mirror has a set. */
export const addressOf = (template: string, id: number): string =>
  template.replaceAll('{set}', String(id))

const isStorageFull = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'QuotaExceededError'

const BEGINNING = 0x504b0304
const DIRECTORY_END = 0x504b0506
const ZIP64_LOCATOR = 0x504b0607
const ZIP64_END = 0x504b0606
/** Of the record at the end of an archive, without its comment. */
const END_SIZE = 22
const LONGEST_END = END_SIZE + 65_535
const LOCATOR_SIZE = 20
/** Of all records that follow the directory. */
const LONGEST_TAIL = LONGEST_END + LOCATOR_SIZE + 56

/**
 * Whether this is a whole archive: mirrors answer errors with pages, and cut files off. No proper beginning of an archive is
 * one, not even where it ends with an archive inside.
 */
export async function isArchive(file: Blob): Promise<boolean> {
  if (file.size < END_SIZE) return false
  const head = await viewOf(file.slice(0, 4))
  if (head.getUint32(0) !== BEGINNING) return false
  const tail = await viewOf(file.slice(-LONGEST_TAIL))
  const before = file.size - tail.byteLength
  const first = Math.max(0, tail.byteLength - LONGEST_END)
  for (let at = tail.byteLength - END_SIZE; at >= first; at--) {
    if (tail.getUint32(at) !== DIRECTORY_END) continue
    if (at + END_SIZE + tail.getUint16(at + 20, true) !== tail.byteLength) continue
    if (directoryEnd(tail, at, before) === before + at) return true
  }
  return false
}

/** Where the directory ends by the record at `at`, and the record of 64 bits that may come before it. */
function directoryEnd(tail: DataView, at: number, before: number): number {
  const locator = at - LOCATOR_SIZE
  if (locator >= 0 && tail.getUint32(locator) === ZIP64_LOCATOR) {
    const record = Number(tail.getBigUint64(locator + 8, true)) - before
    if (record >= 0 && record < locator && tail.getUint32(record) === ZIP64_END) return before + at
  }
  return tail.getUint32(at + 12, true) + tail.getUint32(at + 16, true)
}

const viewOf = async (part: Blob): Promise<DataView> => new DataView(await part.arrayBuffer())
