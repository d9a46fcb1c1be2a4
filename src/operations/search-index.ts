import { MAX_INDEX_PACKS } from '../contract/bounds.ts'
import type { SearchIndex } from '../contract/search-index.ts'
import { type IndexedPack, indexEntryOf } from '../domain/search-index.ts'
import type { IndexVersion, PublicIndex } from '../ports/search-index.ts'

/**
 * Creates the function that builds the search index from the newest public packs (spec 2.10). It keeps
 * the serialized entries, so that a build serializes only those that changed since the last one.
 *
 * @returns the build. It awaits `breathe` after each portion, so that other work can run; it rejects
 *   with what `breathe` or the store throws.
 */
export function createIndexBuilder(
  publicIndex: Pick<PublicIndex, 'readPortion'>,
  poolsOwnerName: string,
): (breathe: () => Promise<void>) => Promise<IndexText> {
  let cached: ReadonlyMap<string, CachedEntry> = new Map()

  const entryOf = (pack: IndexedPack): CachedEntry => {
    const held = cached.get(pack.slug)
    if (held !== undefined && isUnchanged(held, pack)) return held
    return { text: JSON.stringify(indexEntryOf(pack, poolsOwnerName)), pack }
  }

  return async (breathe) => {
    const entries = new Map<string, CachedEntry>()
    const pieces = [HEAD]
    let last: IndexedPack | null = null
    let isEnd = false
    while (!isEnd) {
      const limit: number = Math.min(PORTION, MAX_INDEX_PACKS - entries.size)
      const portion: readonly IndexedPack[] = await publicIndex.readPortion(last, limit)
      const comma = entries.size > 0 && portion.length > 0 ? ',' : ''
      const texts = portion.map((pack) => {
        const entry = entryOf(pack)
        entries.set(pack.slug, entry)
        return entry.text
      })
      pieces.push(comma + texts.join(','))
      last = portion.at(-1) ?? null
      isEnd = portion.length < limit || entries.size === MAX_INDEX_PACKS
      await breathe()
    }
    cached = entries
    return { pieces: [...pieces, TAIL], packs: entries.size }
  }
}

/** Few enough that reading and serializing them does not delay other requests. */
const PORTION = 100

const FRAME = JSON.stringify({ v: 1, packs: [] } satisfies SearchIndex)
const HEAD = FRAME.slice(0, -2)
const TAIL = FRAME.slice(-2)

/** The search index as JSON text. */
type IndexText = {
  /** In order, each short enough to be processed without a pause. */
  readonly pieces: readonly string[]
  readonly packs: number
}

/** A serialized entry and its pack. */
type CachedEntry = { readonly text: string; readonly pack: IndexedPack }

/** Compares the content, not only the time: after a restore, a save may happen again at the same time. */
const isUnchanged = ({ pack: cached }: CachedEntry, pack: IndexedPack): boolean =>
  cached.updatedAt === pack.updatedAt &&
  cached.createdAt === pack.createdAt &&
  cached.name === pack.name &&
  cached.description === pack.description &&
  cached.slotCount === pack.slotCount &&
  cached.ownerUsername === pack.ownerUsername &&
  cached.stats?.computedAt === pack.stats?.computedAt &&
  cached.stats?.complete === pack.stats?.complete

/** The codings of the search index, the smallest first. */
export const indexCodings = ['br', 'gzip', 'identity'] as const
export type IndexCoding = (typeof indexCodings)[number]

/** The search index in one coding. */
export type IndexFile = {
  readonly bytes: Uint8Array
  /** Strong, with quotes: equal bytes, equal tag. */
  readonly etag: string
}

/** The search index as it is served (D-38). */
export type PublishedIndex = {
  /** The store's version that it shows at least. */
  readonly version: IndexVersion
  /** ms since the epoch. */
  readonly builtAt: number
  /** How many packs it lists. */
  readonly packs: number
  readonly files: Readonly<Record<IndexCoding, IndexFile>>
}

/** Holds the current search index of this process: the worker loop replaces it, the site serves it. */
export class PublishedIndexCache {
  readonly #first = Promise.withResolvers<PublishedIndex>()
  #current: PublishedIndex | null = null
  /** Every change until then is known to be in it; ms since the epoch, null before the first one. */
  freshAt: number | null = null
  /** Whether this process builds the index, or was the last to do so. */
  isBuiltHere = false

  /** null before the first one. */
  current(): PublishedIndex | null {
    return this.#current
  }

  /** Resolves with the first one. */
  first(): Promise<PublishedIndex> {
    return this.#first.promise
  }

  put(index: PublishedIndex): void {
    this.#current = index
    this.#first.resolve(index)
  }
}
