import type { DatabaseSync } from 'node:sqlite'
import { BoundedMap } from '../../../domain/bounded-map.ts'
import type { Cache } from '../engine.ts'

/**
 * Caches what was read while the store's version stays the same. It is read once in each turn of the
 * event loop: a write by another process is seen from the next turn on, one of this process at once.
 */
export class ReadCache {
  readonly #readVersion: () => number | null
  readonly #atEndOfTurn: (work: () => void) => void
  readonly #caches: BoundedMap<string, unknown>[] = []
  #version: number | null = null
  /** Was the version read in this turn? */
  #isCurrent = false

  /**
   * @param readVersion changes with each commit to the store; null when it cannot be read now.
   * @param atEndOfTurn calls back when this turn of the event loop ends.
   */
  constructor(
    readVersion: () => number | null,
    atEndOfTurn: (work: () => void) => void = setImmediate,
  ) {
    this.#readVersion = readVersion
    this.#atEndOfTurn = atEndOfTurn
  }

  /** The next use reads the version again. */
  readonly invalidate = (): void => {
    this.#isCurrent = false
  }

  newCache<V extends object | string>(maxEntries: number): Cache<V> {
    const cached = new BoundedMap<string, V>({ maxEntries })
    this.#caches.push(cached)

    const fill = async <T extends V | null>(
      version: number | null,
      key: string,
      load: () => Promise<T>,
    ): Promise<T> => {
      const loaded = await load()
      // The version was read before the value, which is at least as new as it.
      if (loaded !== null && version !== null && version === this.#version) cached.set(key, loaded)
      return loaded
    }
    return (key, load) => {
      const version = this.#currentVersion()
      return cached.peek(key) ?? fill(version, key, load)
    }
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
      // Locked for a moment or already closed: then nothing cached can be trusted.
      return null
    }
  }
}
