import { BoundedMap, type Capacity } from '../domain/loading.ts'

type Entry<V> = { readonly shows: readonly unknown[]; readonly value: V }

/** Values that are made from others, cached until one of those is no longer the same. */
export class VersionCache<V> {
  readonly #entries: BoundedMap<string, Entry<V>>

  constructor({ sizeOf = () => 0, ...capacity }: Capacity<V>) {
    this.#entries = new BoundedMap({ ...capacity, sizeOf: ({ value }) => sizeOf(value) })
  }

  /**
   * @param key distinguishes values that may be cached at the same time.
   * @param shows everything that the value is made from; compared one by one, objects by identity.
   */
  get(key: string, shows: readonly unknown[]): V | undefined {
    const cached = this.#entries.get(key)
    return cached !== undefined && isSame(cached.shows, shows) ? cached.value : undefined
  }

  /** Caches a value in place of an older one, and returns it. */
  set(key: string, shows: readonly unknown[], value: V): V {
    this.#entries.set(key, { shows, value })
    return value
  }
}

function isSame(before: readonly unknown[], now: readonly unknown[]): boolean {
  return before.length === now.length && before.every((each, at) => each === now[at])
}
