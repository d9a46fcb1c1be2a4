import { hash } from 'node:crypto'
import { BoundedMap, type Capacity } from '../domain/loading.ts'

type Entry<V> = { readonly shows: readonly unknown[]; loaded: Loaded; readonly value: V }

/** Objects from the store by their content; weakly, so that what is kept keeps nothing else in memory. */
type Loaded = { readonly refs: readonly unknown[]; readonly digest: string }

const nothingLoaded: Loaded = { refs: [], digest: '' }

/** Values that are made from others, cached until one of those is no longer the same. */
export class VersionCache<V> {
  readonly #entries: BoundedMap<string, Entry<V>>

  constructor({ sizeOf = () => 0, ...capacity }: Omit<Capacity<V>, 'onDrop'>) {
    this.#entries = new BoundedMap({ ...capacity, sizeOf: ({ value }) => sizeOf(value) })
  }

  /**
   * @param key distinguishes values that may be cached at the same time.
   * @param shows what the value is made from; compared one by one, objects by identity.
   * @param loaded what else it is made from, as the store has it: when it has been loaded again, it may be equal.
   */
  get(key: string, shows: readonly unknown[], loaded: readonly unknown[] = []): V | undefined {
    const cached = this.#entries.get(key)
    if (cached === undefined || !isSame(cached.shows, shows)) return undefined
    if (isSame(cached.loaded.refs.map(valueOf), loaded)) return cached.value
    const now = loadedOf(loaded)
    if (now.digest !== cached.loaded.digest) return undefined
    cached.loaded = now
    return cached.value
  }

  /** Caches a value in place of an older one, and returns it. */
  set(key: string, shows: readonly unknown[], value: V, loaded: readonly unknown[] = []): V {
    const entry = { shows, loaded: loaded.length === 0 ? nothingLoaded : loadedOf(loaded), value }
    this.#entries.set(key, entry)
    return value
  }
}

function isSame(before: readonly unknown[], now: readonly unknown[]): boolean {
  return before.length === now.length && before.every((each, at) => each === now[at])
}

const valueOf = (ref: unknown): unknown => (ref instanceof WeakRef ? ref.deref() : ref)

/** As JSON, which is what pages are made from: equal objects can differ in how the engine has them. */
function loadedOf(loaded: readonly unknown[]): Loaded {
  return {
    refs: loaded.map((each) =>
      typeof each === 'object' && each !== null ? new WeakRef(each) : each,
    ),
    digest: hash('sha1', JSON.stringify(loaded), 'base64url'),
  }
}
