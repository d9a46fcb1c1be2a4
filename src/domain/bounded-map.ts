/** Without bounds by default; `maxSize` bounds the sum of `sizeOf`, such as bytes. */
export type Capacity<V> = {
  readonly maxEntries?: number
  readonly maxSize?: number
  readonly sizeOf?: (value: V) => number
}

/** A map of bounded size: beyond its capacity the least recently used entries are dropped. */
export class BoundedMap<K, V> {
  readonly #capacity: Required<Capacity<V>>
  /** The least recently used first. */
  readonly #entries = new Map<K, V>()
  #totalSize = 0

  constructor({ maxEntries = Infinity, maxSize = Infinity, sizeOf = () => 0 }: Capacity<V>) {
    this.#capacity = { maxEntries, maxSize, sizeOf }
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
    if (value !== undefined) this.#totalSize -= this.#capacity.sizeOf(value)
    return this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
    this.#totalSize = 0
  }
}
