/**
 * What was read under `key`, or what `load` reads now. A null is not kept. While nothing is
 * written, the same object comes out again.
 */
export type Shelf<V> = <T extends V | null>(key: string, load: () => Promise<T>) => Promise<V | T>

/**
 * Remembers what was read for as long as the store's version stays the same. One look at the
 * version before each use makes it exact: a write by anybody, another process included, is seen
 * by the very next read.
 */
export class ReadCache {
  readonly #readVersion: () => number | null
  readonly #shelves: Map<string, unknown>[] = []
  #seen: number | null = null

  /** @param readVersion changes with each commit to the store; null when it cannot be told now. */
  constructor(readVersion: () => number | null) {
    this.#readVersion = readVersion
  }

  newShelf<V extends object | string>(bound: number): Shelf<V> {
    const kept = new Map<string, V>()
    this.#shelves.push(kept)
    return (key, load) => {
      const version = this.#dropOutdated()
      const known = kept.get(key)
      if (known !== undefined) return Promise.resolve(known)
      return this.#fill(kept, bound, version, key, load)
    }
  }

  #dropOutdated(): number | null {
    const version = this.#readVersion()
    if (version !== this.#seen || version === null) {
      for (const shelf of this.#shelves) shelf.clear()
      this.#seen = version
    }
    return version
  }

  async #fill<V extends object | string, T extends V | null>(
    kept: Map<string, V>,
    bound: number,
    version: number | null,
    key: string,
    load: () => Promise<T>,
  ): Promise<T> {
    const loaded = await load()
    // The version was read before the value: the value is at least as new as what it is kept under.
    if (loaded !== null && version !== null && version === this.#seen) {
      const oldest = kept.size >= bound ? kept.keys().next().value : undefined
      if (oldest !== undefined) kept.delete(oldest)
      kept.set(key, loaded)
    }
    return loaded
  }
}
