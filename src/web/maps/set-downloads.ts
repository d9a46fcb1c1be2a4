import type { SetStore } from './set-store.ts'

/** A set of beatmaps that a pool needs. */
export type WantedSet = {
  readonly id: number
  /** Where the host says that it can be had; tried first. */
  readonly link?: string | undefined
}

export type SetState =
  | { readonly state: 'waiting' }
  /** Bytes; `total` is null where the mirror does not say. */
  | { readonly state: 'loading'; readonly received: number; readonly total: number | null }
  | { readonly state: 'kept'; readonly size: number }
  /** No mirror has it, or none could be reached. */
  | { readonly state: 'failed'; readonly reason: 'lacking' | 'unreachable' }

export type Phase = 'idle' | 'loading' | 'paused' | 'full' | 'done'

type Options = {
  readonly sets: readonly WantedSet[]
  /** Addresses with `{set}` in them, tried in turn. */
  readonly mirrors: readonly string[]
  readonly store: SetStore
  readonly onChange: () => void
  readonly fetch?: typeof fetch
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>
}

const AT_ONCE = 3
/** Of each mirror, while its failures may pass. */
const MAX_TRIES = 8
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 8_000
/** A mirror that sends nothing for so long is given up. */
const SILENCE_MS = 30_000

/**
 * Loads sets from mirrors into the browser's storage, each once and three at a time. What is kept stays when the page is
 * closed: a later download goes on with the others.
 */
export class SetDownloads {
  readonly #options: Required<Options>
  readonly #states = new Map<number, SetState>()
  #phase: Phase = 'idle'
  #running: AbortController | null = null

  constructor(options: Options) {
    this.#options = { fetch: (...args) => fetch(...args), sleep: pause, ...options }
    for (const { id } of options.sets) this.#states.set(id, { state: 'waiting' })
  }

  get phase(): Phase {
    return this.#phase
  }

  stateOf(id: number): SetState {
    return this.#states.get(id) ?? { state: 'waiting' }
  }

  /** Looks for what earlier downloads have kept. */
  async open(): Promise<void> {
    const { sets, store } = this.#options
    for (const { id } of sets) {
      const size = await store.sizeOf(id)
      if (size !== null) this.#states.set(id, { state: 'kept', size })
    }
    if (this.#phase === 'idle' && this.#isComplete()) this.#phase = 'done'
    this.#options.onChange()
  }

  /** Loads what is missing, what failed before included. Resolves when nothing is left to do, or on `pause`. */
  async start(): Promise<void> {
    if (this.#running !== null) return
    const running = new AbortController()
    this.#running = running
    for (const [id, { state }] of this.#states) {
      if (state !== 'kept') this.#states.set(id, { state: 'waiting' })
    }
    this.#enter('loading')
    const queue = this.#options.sets.filter(({ id }) => this.stateOf(id).state !== 'kept')
    const work = async (): Promise<void> => {
      for (let set = queue.shift(); set !== undefined; set = queue.shift()) {
        if (running.signal.aborted) return
        await this.#load(set, running.signal)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    if (this.#running !== running) return
    this.#running = null
    this.#enter('done')
  }

  /** Stops; what is not whole yet is loaded again from its beginning. */
  pause(phase: 'paused' | 'full' = 'paused'): void {
    if (this.#running === null) return
    this.#running.abort()
    this.#running = null
    for (const [id, { state }] of this.#states) {
      if (state === 'loading') this.#states.set(id, { state: 'waiting' })
    }
    this.#enter(phase)
  }

  /** Stops, and removes what was kept of these sets. */
  async cancel(): Promise<void> {
    this.pause()
    const { sets, store } = this.#options
    for (const { id } of sets) {
      await store.remove(id)
      this.#states.set(id, { state: 'waiting' })
    }
    this.#enter('idle')
  }

  #isComplete(): boolean {
    return [...this.#states.values()].every(({ state }) => state === 'kept')
  }

  #enter(phase: Phase): void {
    this.#phase = phase
    this.#options.onChange()
  }

  #set(id: number, state: SetState, signal: AbortSignal): void {
    if (signal.aborted) return
    this.#states.set(id, state)
    this.#options.onChange()
  }

  /** Asks one mirror after the other, and those again that may answer later. */
  async #load(set: WantedSet, signal: AbortSignal): Promise<void> {
    const { mirrors, sleep } = this.#options
    const addresses = new Set([
      ...(set.link === undefined ? [] : [set.link]),
      ...mirrors.map((mirror) => mirror.replaceAll('{set}', String(set.id))),
    ])
    for (let tried = 0; tried < MAX_TRIES && addresses.size > 0; tried++) {
      let waitMs = Math.min(FIRST_PAUSE_MS * 2 ** tried, LONGEST_PAUSE_MS)
      for (const address of addresses) {
        const outcome = await this.#loadFrom(address, set.id, signal)
        if (outcome === 'kept' || signal.aborted) return
        if (outcome === 'full') return this.pause('full')
        if (outcome === 'lacking') addresses.delete(address)
        else waitMs = Math.max(waitMs, outcome.waitMs)
      }
      if (addresses.size === 0 || tried === MAX_TRIES - 1) break
      this.#set(set.id, { state: 'waiting' }, signal)
      await sleep(waitMs, signal)
      if (signal.aborted) return
    }
    const reason = addresses.size === 0 ? 'lacking' : 'unreachable'
    this.#set(set.id, { state: 'failed', reason }, signal)
  }

  async #loadFrom(address: string, id: number, signal: AbortSignal): Promise<Outcome> {
    const { fetch, store } = this.#options
    const silence = new AbortController()
    const ending = AbortSignal.any([signal, silence.signal])
    let timer = setTimeout(() => silence.abort(), SILENCE_MS)
    const heard = (): void => {
      clearTimeout(timer)
      timer = setTimeout(() => silence.abort(), SILENCE_MS)
    }
    try {
      const response = await fetch(address, {
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        // What is kept here is not kept twice.
        cache: 'no-store',
        signal: ending,
      })
      if (!response.ok || response.body === null) {
        void response.body?.cancel()
        return refusalOf(response)
      }
      const total = Number(response.headers.get('content-length')) || null
      let received = 0
      const counted = response.body.pipeThrough(
        wholeArchive((bytes) => {
          heard()
          received += bytes
          this.#set(id, { state: 'loading', received, total }, signal)
        }),
      )
      await store.put(id, counted, ending)
      this.#set(id, { state: 'kept', size: received }, signal)
      return 'kept'
    } catch (error) {
      return isStorageFull(error) ? 'full' : { waitMs: 0 }
    } finally {
      clearTimeout(timer)
    }
  }
}

/** `lacking`: not there, and not to be asked again; otherwise, how long it asks to be left alone. */
type Outcome = 'kept' | 'lacking' | 'full' | { readonly waitMs: number }

function refusalOf({ status, headers }: Response): Outcome {
  const canPass = status === 408 || status === 429 || status >= 500
  if (!canPass) return 'lacking'
  return { waitMs: Math.min(60, Number(headers.get('retry-after')) || 0) * 1_000 }
}

const isStorageFull = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'QuotaExceededError'

const BEGINNING = [0x50, 0x4b, 0x03, 0x04]
const END = [0x50, 0x4b, 0x05, 0x06]
/** The record at the end of an archive, with its longest comment. */
const LONGEST_END = 22 + 65_535

/**
 * Lets a set through that is a whole archive, and fails otherwise: mirrors answer errors with pages, and cut files off.
 *
 * @param onBytes hears how many more have come.
 */
function wholeArchive(
  onBytes: (count: number) => void,
): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let beginning: number[] = []
  let tail = new Uint8Array(0)
  return new TransformStream({
    transform(chunk, controller) {
      if (beginning.length < BEGINNING.length) {
        beginning = [...beginning, ...chunk.subarray(0, BEGINNING.length - beginning.length)]
        if (beginning.some((byte, at) => byte !== BEGINNING[at])) throw new Error('no archive')
      }
      tail = joined(tail, chunk).slice(-LONGEST_END)
      onBytes(chunk.length)
      controller.enqueue(chunk)
    },
    flush() {
      if (!hasEnd(tail)) throw new Error('the archive is not whole')
    },
  })
}

function joined(tail: Uint8Array, chunk: Uint8Array): Uint8Array<ArrayBuffer> {
  const kept = chunk.length >= LONGEST_END ? new Uint8Array(0) : tail
  const both = new Uint8Array(kept.length + chunk.length)
  both.set(kept)
  both.set(chunk, kept.length)
  return both
}

/** Whether a record of an end is there whose comment ends with the file. */
function hasEnd(tail: Uint8Array): boolean {
  for (let at = tail.length - 22; at >= 0; at--) {
    if (END.some((byte, place) => tail[at + place] !== byte)) continue
    const comment = tail[at + 20]! + 256 * tail[at + 21]!
    if (at + 22 + comment === tail.length) return true
  }
  return false
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })
