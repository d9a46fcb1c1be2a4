import type { DatabaseSync } from 'node:sqlite'
import { BoundedMap } from '../../../domain/bounded-map.ts'
import type { Cache } from '../engine.ts'

/**
 * Caches what was read for as long as the store's version stays the same. The version is read once
 * in each turn of the event loop that uses the cache: a write by another process is seen from the
 * next turn on, and a write of this process by the very next read.
 */
export class ReadCache {
  readonly #readVersion: () => number | null
  readonly #atEndOfTurn: (work: () => void) => void
  readonly #caches: BoundedMap<string, unknown>[] = []
  #version: number | null = null
  /** Was the version read in this turn? */
  #isCurrent = false

  /**
   * @param readVersion changes with each commit to the store; null when it cannot be told now.
   * @param atEndOfTurn calls back when this turn of the event loop ends.
   */
  constructor(
    readVersion: () => number | null,
    atEndOfTurn: (work: () => void) => void = setImmediate,
  ) {
    this.#readVersion = readVersion
    this.#atEndOfTurn = atEndOfTurn
  }

  /** Something was written here: the next use reads the version again. */
  readonly invalidate = (): void => {
    this.#isCurrent = false
  }

  newCache<V extends object | string>(maxEntries: number): Cache<V> {
    const kept = new BoundedMap<string, V>({ maxEntries })
    this.#caches.push(kept)
    return (key, load) => {
      const version = this.#currentVersion()
      return kept.peek(key) ?? this.#fill(kept, version, key, load)
    }
  }

  async #fill<V extends object | string, T extends V | null>(
    kept: BoundedMap<string, V>,
    version: number | null,
    key: string,
    load: () => Promise<T>,
  ): Promise<T> {
    const loaded = await load()
    // The version was read before the value: the value is at least as new as what it is kept under.
    if (loaded !== null && version !== null && version === this.#version) kept.set(key, loaded)
    return loaded
  }

  /** The version now; what was read at another one is dropped. */
  #currentVersion(): number | null {
    if (this.#isCurrent) return this.#version
    const version = this.#readVersion()
    if (version !== null) {
      this.#isCurrent = true
      this.#atEndOfTurn(this.invalidate)
    }
    if (version !== this.#version || version === null) {
      for (const cache of this.#caches) cache.clear()
      this.#version = version
    }
    return version
  }
}

/**
 * Reads a number that changes with each commit by any other connection, of this process or another.
 *
 * @param watcher a connection that writes nothing and is never in a transaction.
 */
export function versionOf(watcher: DatabaseSync): () => number | null {
  const statement = watcher.prepare('pragma data_version')
  statement.setReturnArrays(true)
  return () => {
    try {
      const [version] = statement.get() as unknown as [number]
      return version
    } catch {
      // Locked for a moment or already closed: then nothing remembered can be trusted.
      return null
    }
  }
}
