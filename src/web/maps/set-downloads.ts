import { type Ask, askByRequest, Mirror } from './mirror.ts'
import type { SetStore } from './set-store.ts'

export type SetState =
  | { readonly state: 'waiting' }
  /** Bytes; `total` is null where the mirror does not say. */
  | { readonly state: 'loading'; readonly received: number; readonly total: number | null }
  | { readonly state: 'kept'; readonly size: number }
  | { readonly state: 'failed'; readonly reason: FailureReason }

/**
 * `lacking`: no mirror has it. `unreachable`: one that may have it did not serve it. `unkept`: it came, and the browser
 * could not write it.
 */
export type FailureReason = 'lacking' | 'unreachable' | 'unkept'

/** `full`: the browser's storage has no more room. */
type Phase = 'idle' | 'loading' | 'paused' | 'full' | 'done'

type Options = {
  /** Addresses with `{set}` in them, tried in turn. */
  readonly mirrors: readonly string[]
  readonly store: SetStore
  readonly onChange: () => void
  readonly ask?: Ask
  /** Resolves after so many ms, or when aborted. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>
  readonly isOnline?: () => boolean
}

const AT_ONCE = 3
/** Of each mirror, while its failures may pass. */
const MAX_TRIES = 8
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 8_000
/** Between looks for a connection. */
const OFFLINE_MS = 2_000

type Run = {
  readonly stop: AbortController
  readonly mirrors: readonly Mirror[]
  readonly taken: Set<number>
  active: number
  readonly ended: PromiseWithResolvers<void>
  /** When nothing of it touches the store any more. */
  readonly settled: PromiseWithResolvers<void>
}

/**
 * Loads sets from mirrors into the browser's storage, each once and three at a time. What is kept stays when the page is
 * closed, and other pages of the site do not load it again.
 */
export class SetDownloads {
  readonly #options: Required<Options>
  readonly #states = new Map<number, SetState>()
  #ids: readonly number[] = []
  #phase: Phase = 'idle'
  #run: Run | null = null
  #removal: Promise<void> | null = null

  constructor(options: Options) {
    this.#options = {
      ask: askByRequest,
      sleep: pause,
      isOnline: () => navigator.onLine,
      ...options,
    }
  }

  get phase(): Phase {
    return this.#phase
  }

  /** Waits for a connection. */
  get isOffline(): boolean {
    return this.#phase === 'loading' && !this.#options.isOnline()
  }

  stateOf(id: number): SetState {
    return this.#states.get(id) ?? waiting
  }

  /** Sets what to load, in this order; while it loads, too. Resolves when it is known what of it is kept. */
  async want(ids: readonly number[]): Promise<void> {
    this.#ids = [...new Set(ids)]
    if (this.#run !== null) this.#fill(this.#run)
    await this.refresh()
  }

  /** Looks for what is kept: an earlier download may have kept more, and the browser may have removed some. */
  async refresh(): Promise<void> {
    const { store, onChange } = this.#options
    for (const id of this.#ids) {
      const set = await store.read(id)
      const { state } = this.stateOf(id)
      if (set !== null && state !== 'loading')
        this.#states.set(id, { state: 'kept', size: set.size })
      if (set === null && state === 'kept') this.#states.set(id, waiting)
    }
    if (this.#run !== null) this.#fill(this.#run)
    else if (this.#phase === 'done' || this.#endPhase() === 'done') this.#phase = this.#endPhase()
    onChange()
  }

  #endPhase(): 'idle' | 'done' {
    return this.#ids.some((id) => this.stateOf(id).state === 'waiting') ? 'idle' : 'done'
  }

  /** Loads what is missing, what failed before included. Resolves when nothing is left to do, or on `pause`. */
  async start(): Promise<void> {
    if (this.#removal !== null) await this.#removal
    if (this.#run !== null) return this.#run.ended.promise
    const { mirrors, onChange: _, ...rest } = this.#options
    const run: Run = {
      stop: new AbortController(),
      mirrors: mirrors.map((template) => new Mirror({ template, ...rest })),
      taken: new Set(),
      active: 0,
      ended: Promise.withResolvers(),
      settled: Promise.withResolvers(),
    }
    this.#run = run
    for (const [id, { state }] of this.#states) {
      if (state !== 'kept') this.#states.set(id, waiting)
    }
    this.#enter('loading')
    this.#fill(run)
    return run.ended.promise
  }

  /** Stops; what is not whole yet is loaded again from its beginning. */
  pause(phase: 'paused' | 'full' = 'paused'): void {
    const run = this.#run
    if (run === null) return
    run.stop.abort()
    for (const [id, { state }] of this.#states) {
      if (state === 'loading') this.#states.set(id, waiting)
    }
    this.#end(run, phase)
    // What was whole by then is kept.
    void run.settled.promise.then(() => this.refresh())
  }

  /** Stops, and removes what is kept of these sets. */
  async cancel(): Promise<void> {
    const run = this.#run
    this.pause()
    this.#removal ??= this.#remove(run).finally(() => (this.#removal = null))
    await this.#removal
  }

  async #remove(run: Run | null): Promise<void> {
    await run?.settled.promise
    for (const id of this.#ids) {
      // One that cannot be removed is shown as kept again.
      await this.#options.store.remove(id).catch(() => {})
      this.#states.set(id, waiting)
    }
    this.#phase = 'idle'
    await this.refresh()
  }

  #enter(phase: Phase): void {
    this.#phase = phase
    this.#options.onChange()
  }

  #end(run: Run, phase: Phase): void {
    if (this.#run !== run) return
    this.#run = null
    if (run.active === 0) run.settled.resolve()
    this.#enter(phase)
    run.ended.resolve()
  }

  /** Begins with as many sets as may be loaded at once. */
  #fill(run: Run): void {
    while (!run.stop.signal.aborted && run.active < AT_ONCE) {
      const id = this.#ids.find(
        (each) => this.stateOf(each).state === 'waiting' && !run.taken.has(each),
      )
      if (id === undefined) break
      run.taken.add(id)
      run.active += 1
      void this.#take(id, run)
    }
    if (run.active > 0) return
    run.settled.resolve()
    this.#end(run, this.#endPhase())
  }

  async #take(id: number, run: Run): Promise<void> {
    const { store } = this.#options
    const { signal } = run.stop
    try {
      await store.alone(id, signal, async () => {
        // Another page, or the end of an earlier run, may have loaded it meanwhile.
        if (!(await this.#setKept(id, signal))) await this.#load(id, run)
      })
    } catch {
      this.#set(id, { state: 'failed', reason: 'unreachable' }, signal)
    }
    run.active -= 1
    this.#fill(run)
  }

  #set(id: number, state: SetState, signal: AbortSignal): void {
    if (signal.aborted) return
    this.#states.set(id, state)
    this.#options.onChange()
  }

  /** Returns false where it is not kept. */
  async #setKept(id: number, signal: AbortSignal): Promise<boolean> {
    const set = await this.#options.store.read(id)
    if (set !== null) this.#set(id, { state: 'kept', size: set.size }, signal)
    return set !== null
  }

  /** Asks one mirror after the other, and those again that may answer later. */
  async #load(id: number, run: Run): Promise<void> {
    const { sleep, isOnline } = this.#options
    const { signal } = run.stop
    const left = new Set(run.mirrors)
    let isRefused = false
    for (let tries = 0; tries < MAX_TRIES;) {
      for (const mirror of left) {
        if (!mirror.isOut) continue
        left.delete(mirror)
        isRefused = true
      }
      const ready = [...left].filter(({ rest }) => rest === null)
      if (left.size === 0) break
      if (!isOnline()) await sleep(OFFLINE_MS, signal)
      else if (ready.length === 0) await Promise.race([...left].flatMap(({ rest }) => rest ?? []))
      if (signal.aborted) return
      for (const mirror of ready) {
        // As other sets have found it meanwhile.
        if (mirror.isOut || mirror.rest !== null) continue
        const outcome = await mirror.load(id, signal, (received, total) =>
          this.#set(id, { state: 'loading', received, total }, signal),
        )
        if (signal.aborted) return
        if (outcome === 'kept') {
          if (!(await this.#setKept(id, signal))) this.#set(id, waiting, signal)
          return
        }
        if (outcome === 'full') return this.pause('full')
        // To load it again would not help.
        if (outcome === 'unkept')
          return this.#set(id, { state: 'failed', reason: 'unkept' }, signal)
        if (outcome === 'later') continue
        left.delete(mirror)
        isRefused ||= outcome === 'refused'
      }
      this.#set(id, waiting, signal)
      // What fails without a connection says nothing of a mirror.
      if (ready.length === 0 || !isOnline()) continue
      const waitMs = Math.min(FIRST_PAUSE_MS * 2 ** tries, LONGEST_PAUSE_MS)
      tries += 1
      if (left.size > 0 && tries < MAX_TRIES) await sleep(waitMs, signal)
      if (signal.aborted) return
    }
    const reason = left.size === 0 && !isRefused ? 'lacking' : 'unreachable'
    this.#set(id, { state: 'failed', reason }, signal)
  }
}

const waiting: SetState = { state: 'waiting' }

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end)
  })
