import type { SetStore } from './set-store.ts'

type Options = {
  /** Its address, with `{set}` in it. */
  readonly template: string
  readonly store: SetStore
  readonly fetch: typeof fetch
  /** Resolves after so many ms, or when aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  readonly isOnline: () => boolean
}

/** What became of asking a mirror for a set; `lacking` and `refused` are not asked again for it. */
type Outcome = 'kept' | 'lacking' | 'refused' | 'later' | 'full'

/** Called with what has come so far, in bytes; `total` is null where the mirror does not say. */
type OnProgress = (received: number, total: number | null) => void

/** One that sends nothing for so long is not waited for. */
const SILENCE_MS = 30_000
/** One that asks for a longer pause is not asked again. */
const LONGEST_REST_MS = 300_000
/** One that fails so often without a success is not asked again: as often as the first sets need to give up. */
const MAX_FAILURES = 24

/** A mirror, as one download finds it. */
export class Mirror {
  readonly #options: Options
  /** Since it last served a set, or said that it has none. */
  #failures = 0
  #isRefusing = false
  #rest: Promise<void> | null = null

  constructor(options: Options) {
    this.#options = options
  }

  /** Ends when it may be asked again, as it has asked for; null where it may be asked now. */
  get rest(): Promise<void> | null {
    return this.#rest
  }

  /** Not to be asked any more. */
  get isOut(): boolean {
    return this.#isRefusing || this.#failures >= MAX_FAILURES
  }

  /** Loads a set into the store. Never rejects; aborted, the outcome says nothing. */
  async load(id: number, signal: AbortSignal, onProgress: OnProgress): Promise<Outcome> {
    const outcome = await this.#load(id, signal, onProgress)
    if (outcome === 'kept' || outcome === 'lacking') this.#failures = 0
    // What fails without a connection says nothing of a mirror.
    else if (outcome !== 'full' && !signal.aborted && this.#options.isOnline()) this.#failures += 1
    return outcome
  }

  async #load(id: number, signal: AbortSignal, onProgress: OnProgress): Promise<Outcome> {
    const { template, fetch, store } = this.#options
    const silence = new AbortController()
    const ending = AbortSignal.any([signal, silence.signal])
    let timer = setTimeout(() => silence.abort(), SILENCE_MS)
    const heard = (): void => {
      clearTimeout(timer)
      timer = setTimeout(() => silence.abort(), SILENCE_MS)
    }
    try {
      const response = await fetch(addressOf(template, id), {
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        // What is kept here is not kept twice.
        cache: 'no-store',
        signal: ending,
      })
      if (!response.ok || response.body === null) {
        void response.body?.cancel()
        return this.#refusal(response, signal)
      }
      const length = Number(response.headers.get('content-length')) || null
      let received = 0
      const counted = response.body.pipeThrough(
        wholeArchive((bytes) => {
          heard()
          received += bytes
          // The length is that of what is sent, which may be compressed.
          onProgress(received, length !== null && received <= length ? length : null)
        }),
      )
      await store.put(id, counted)
      return 'kept'
    } catch (error) {
      return isStorageFull(error) ? 'full' : 'later'
    } finally {
      clearTimeout(timer)
    }
  }

  #refusal({ status, headers }: Response, signal: AbortSignal): Outcome {
    if (status === 404 || status === 410 || status === 451) return 'lacking'
    if (status !== 408 && status !== 429 && status < 500) return 'refused'
    const restMs = Number(headers.get('retry-after')) * 1_000
    if (restMs > LONGEST_REST_MS) this.#isRefusing = true
    else if (restMs > 0) {
      this.#rest = this.#options.sleep(restMs, signal).then(() => void (this.#rest = null))
    }
    return 'later'
  }
}

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
 * Lets an archive through that is whole, and fails otherwise: mirrors answer errors with pages, and cut files off. No proper
 * beginning of an archive passes, not even one that ends with an archive inside.
 *
 * @param onBytes is called with how many more have come.
 */
export function wholeArchive(
  onBytes: (count: number) => void,
): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let beginning = new Uint8Array(0)
  /** The last chunks, which hold the record at the end. */
  let last: Uint8Array[] = []
  let kept = 0
  let size = 0
  return new TransformStream({
    transform(chunk, controller) {
      if (beginning.length < 4) {
        beginning = joined([beginning, chunk.slice(0, 4 - beginning.length)])
        if (beginning.length === 4 && wordAt(beginning, 0) !== BEGINNING) {
          throw new Error('no archive')
        }
      }
      last.push(chunk)
      size += chunk.length
      kept += chunk.length
      while (kept - last[0]!.length >= LONGEST_TAIL) kept -= last.shift()!.length
      onBytes(chunk.length)
      controller.enqueue(chunk)
    },
    flush() {
      if (!hasEnd(joined(last), size)) throw new Error('the archive is not whole')
      last = []
    },
  })
}

/** Whether the record at the end is there, and the directory that it names is just before it. */
function hasEnd(tail: Uint8Array, size: number): boolean {
  const view = new DataView(tail.buffer, tail.byteOffset, tail.length)
  for (let at = tail.length - END_SIZE; at >= Math.max(0, tail.length - LONGEST_END); at--) {
    if (view.getUint32(at) !== DIRECTORY_END) continue
    if (at + END_SIZE + view.getUint16(at + 20, true) !== tail.length) continue
    const before = size - tail.length
    if (at >= LOCATOR_SIZE && view.getUint32(at - LOCATOR_SIZE) === ZIP64_LOCATOR) {
      const record = Number(view.getBigUint64(at - LOCATOR_SIZE + 8, true)) - before
      if (record < 0 || record >= at) continue
      if (view.getUint32(record) === ZIP64_END) return true
    }
    const directory = view.getUint32(at + 12, true) + view.getUint32(at + 16, true)
    if (directory === before + at) return true
  }
  return false
}

const wordAt = (bytes: Uint8Array, at: number): number =>
  new DataView(bytes.buffer, bytes.byteOffset).getUint32(at)

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
