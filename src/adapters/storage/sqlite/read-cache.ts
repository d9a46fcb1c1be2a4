import type { DatabaseSync } from 'node:sqlite'
import { BoundedMap } from '../../../domain/bounded-map.ts'
import type { Cache } from '../engine.ts'

/**
 * How long one look at the version serves, in ms. Whoever commits needs longer than that to be told
 * so and to have a request of theirs arrive here: nobody can find out.
 */
const LOOK_SERVES_MS = 0.05

/**
 * Remembers what was read for as long as the store's version stays the same. One look at the
 * version before each use makes it exact: a write by anybody, another process included, is seen
 * by the very next read.
 */
export class ReadCache {
  readonly #readVersion: () => number | null
  readonly #lookServesMs: number
  readonly #caches: BoundedMap<string, unknown>[] = []
  #version: number | null = null
  #lookedAt = Number.NEGATIVE_INFINITY

  /**
   * @param readVersion changes with each commit to the store; null when it cannot be told now.
   * @param lookServesMs ms that one look serves.
   */
  constructor(readVersion: () => number | null, lookServesMs: number = LOOK_SERVES_MS) {
    this.#readVersion = readVersion
    this.#lookServesMs = lookServesMs
  }

  /** Something was written here: the next use looks at the version again. */
  invalidate(): void {
    this.#lookedAt = Number.NEGATIVE_INFINITY
  }

  newCache<V extends object | string>(maxEntries: number): Cache<V> {
    const kept = new BoundedMap<string, V>({ maxEntries })
    this.#caches.push(kept)
    return async (key, load) => {
      const version = this.#currentVersion()
      const known = kept.get(key)
      if (known !== undefined) return known
      const loaded = await load()
      // The version was read before the value: the value is at least as new as what it is kept under.
      if (loaded !== null && version !== null && version === this.#version) kept.set(key, loaded)
      return loaded
    }
  }

  /** The version now; what was read at another one is dropped. */
  #currentVersion(): number | null {
    const now = performance.now()
    if (now - this.#lookedAt < this.#lookServesMs) return this.#version
    const version = this.#readVersion()
    this.#lookedAt = version === null ? Number.NEGATIVE_INFINITY : now
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
