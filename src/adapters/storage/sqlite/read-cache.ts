import { remember } from '../remember.ts'

/**
 * What was read under `key`, or what `load` reads now. A null is not kept. While nothing is
 * written, the same object comes out again.
 */
export type Shelf<V> = <T extends V | null>(key: string, load: () => Promise<T>) => Promise<V | T>

/**
 * How long one look at the version serves, in ms. Whoever commits needs longer than that to be told
 * so and to have a request of theirs arrive here: nobody can find out.
 */
const LOOK_SERVES = 0.05

/**
 * Remembers what was read for as long as the store's version stays the same. One look at the
 * version before each use makes it exact: a write by anybody, another process included, is seen
 * by the very next read.
 */
export class ReadCache {
  readonly #readVersion: () => number | null
  readonly #lookServes: number
  readonly #shelves: Map<string, unknown>[] = []
  #seen: number | null = null
  #lookedAt = Number.NEGATIVE_INFINITY

  /**
   * @param readVersion changes with each commit to the store; null when it cannot be told now.
   * @param lookServes ms that one look serves.
   */
  constructor(readVersion: () => number | null, lookServes: number = LOOK_SERVES) {
    this.#readVersion = readVersion
    this.#lookServes = lookServes
  }

  /** Something was written here: the look before it serves no longer. */
  lookAgain(): void {
    this.#lookedAt = Number.NEGATIVE_INFINITY
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
    const now = performance.now()
    if (now - this.#lookedAt < this.#lookServes) return this.#seen
    const version = this.#readVersion()
    this.#lookedAt = version === null ? Number.NEGATIVE_INFINITY : now
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
      remember(kept, bound, key, loaded)
    }
    return loaded
  }
}
