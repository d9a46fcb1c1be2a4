// What is in memory is there at once; what is not is loaded once for all who ask meanwhile, and kept within bounds.

/** A value that may be known already. */
export type Awaitable<T> = T | Promise<T>

/** Calls `next` with the value: synchronously when it is known, without a microtask. */
export function whenKnown<T, R>(
  value: Awaitable<T>,
  next: (known: T) => Awaitable<R>,
): Awaitable<R> {
  // oxlint-disable-next-line promise/no-callback-in-promise -- there is no callback but this one
  return value instanceof Promise ? value.then(next) : next(value)
}

type AllKnown<T extends readonly unknown[]> = { -readonly [at in keyof T]: Awaited<T[at]> }

/** Calls `next` with all of them: synchronously when all are known. */
export function whenAllKnown<T extends readonly unknown[] | [], R>(
  values: T,
  next: (known: AllKnown<T>) => Awaitable<R>,
): Awaitable<R> {
  const isKnown = values.every((value) => !(value instanceof Promise))
  return whenKnown(isKnown ? (values as unknown as AllKnown<T>) : Promise.all(values), next)
}

/** Without bounds by default; `maxSize` bounds the sum of `sizeOf`, such as bytes. */
export type Capacity<V> = {
  readonly maxEntries?: number
  readonly maxSize?: number
  readonly sizeOf?: (value: V) => number
  /** Told of each value that goes, by whatever way. */
  readonly onDrop?: (value: V) => void
}

/** A map of bounded size: beyond its capacity the least recently used entries are dropped. */
export class BoundedMap<K, V> {
  readonly #capacity: Required<Capacity<V>>
  /** The least recently used first. */
  readonly #entries = new Map<K, V>()
  #totalSize = 0

  constructor({
    maxEntries = Infinity,
    maxSize = Infinity,
    sizeOf = () => 0,
    onDrop = () => {},
  }: Capacity<V>) {
    this.#capacity = { maxEntries, maxSize, sizeOf, onDrop }
  }

  get size(): number {
    return this.#entries.size
  }

  /** The value, which counts as a use. */
  get(key: K): V | undefined {
    const value = this.#entries.get(key)
    if (value === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, value)
    return value
  }

  /** The value, without counting as a use. */
  peek(key: K): V | undefined {
    return this.#entries.get(key)
  }

  /** Sets a value, which counts as a use. One that is larger than `maxSize` is not kept, and drops no other. */
  set(key: K, value: V): void {
    const { maxEntries, maxSize, sizeOf } = this.#capacity
    this.delete(key)
    if (sizeOf(value) > maxSize) return
    this.#entries.set(key, value)
    this.#totalSize += sizeOf(value)
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= maxEntries && this.#totalSize <= maxSize) return
      this.delete(oldest)
    }
  }

  /** false when there was no such entry. */
  delete(key: K): boolean {
    const value = this.#entries.get(key)
    const isThere = this.#entries.delete(key)
    if (value !== undefined) {
      this.#totalSize -= this.#capacity.sizeOf(value)
      this.#capacity.onDrop(value)
    }
    return isThere
  }

  clear(): void {
    const dropped = [...this.#entries.values()]
    this.#entries.clear()
    this.#totalSize = 0
    for (const value of dropped) this.#capacity.onDrop(value)
  }
}

type Flight<T> = { readonly payer: string; readonly result: Promise<T> }

/** Makes at most one call per key at a time; callers meanwhile share its result, good or bad. */
export class SingleFlight<T> {
  readonly #calls = new Map<string, Flight<T>>()
  readonly #isOfPayer: (error: unknown) => boolean

  /** @param isOfPayer whether a call failed for its payer's budget: others then make their own. */
  constructor(isOfPayer: (error: unknown) => boolean = () => false) {
    this.#isOfPayer = isOfPayer
  }

  /**
   * @param start makes the call. `seal` ends the sharing before the result is there; it must not be
   *   called before `start` has returned.
   * @param payer whose budget the call spends; left out, all have one.
   */
  run(key: string, start: (seal: () => void) => Promise<T>, payer = ''): Promise<T> {
    const joined = this.#calls.get(key)
    if (joined?.payer === payer) return joined.result
    if (joined !== undefined) {
      return joined.result.catch((error: unknown) => {
        if (this.#isOfPayer(error)) return this.run(key, start, payer)
        throw error
      })
    }
    const seal = (): void => {
      if (this.#calls.get(key) === call) this.#calls.delete(key)
    }
    const call: Flight<T> = { payer, result: start(seal).finally(seal) }
    this.#calls.set(key, call)
    return call.result
  }
}

/**
 * Makes one call per queue at a time; callers that want the same while it waits share it. None gets
 * a call begun before it asked: its result may lack what that caller has changed since.
 */
export class SerialFlight {
  readonly #waiting = new SingleFlight<unknown>()
  readonly #tails = new Map<string, Promise<unknown>>()

  /** @param key the same for calls that may share a result, which must be of one type. */
  run<T>(queue: string, key: string, start: () => Promise<T>): Promise<T> {
    const shared = this.#waiting.run(`${queue} ${key}`, (seal) => {
      const before = this.#tails.get(queue) ?? Promise.resolve()
      const result = before.then(() => {
        seal()
        return start()
      })
      const tail = result
        .catch(() => {})
        .finally(() => {
          if (this.#tails.get(queue) === tail) this.#tails.delete(queue)
        })
      this.#tails.set(queue, tail)
      return result
    })
    return shared as Promise<T>
  }
}

/** What is acquired before something else is; `acquire` resolves to an idempotent release. */
export type Lock = { acquire(): Promise<() => void> }

/** A mutex: one holder at a time, first come, first served. */
export class Mutex implements Lock {
  #last: Promise<void> = Promise.resolve()

  async acquire(): Promise<() => void> {
    const before = this.#last
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last = promise
    await before
    return resolve
  }
}

/**
 * Answers questions in batches: those asked until `later` calls back, or `maxSize` of them at once.
 *
 * @param answerAll returns each question's answer, in their order.
 */
export function batch<Q, A>(
  answerAll: (questions: readonly Q[]) => readonly Promise<A>[],
  maxSize: number,
  later: (work: () => void) => void,
): (question: Q) => Promise<A> {
  let pending: (PromiseWithResolvers<A> & { readonly question: Q })[] = []

  function flush(): void {
    const asked = pending
    pending = []
    if (asked.length === 0) return
    try {
      const answers = answerAll(asked.map(({ question }) => question))
      for (const [at, { resolve }] of asked.entries()) resolve(answers[at] as Promise<A>)
    } catch (error) {
      for (const { reject } of asked) reject(error)
    }
  }

  return (question) => {
    const asked = { ...Promise.withResolvers<A>(), question }
    if (pending.length === 0) later(flush)
    if (pending.push(asked) === maxSize) flush()
    return asked.promise
  }
}

/** The items in their order, in arrays of at most `size`; none of them is empty. */
export function chunksOf<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  )
}
