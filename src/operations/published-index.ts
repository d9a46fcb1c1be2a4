import type { IndexVersion } from '../ports/search-index.ts'

/** How the search index can be sent, the smallest first; `identity` is the text as it is. */
export const indexCodings = ['br', 'gzip', 'identity'] as const
export type IndexCoding = (typeof indexCodings)[number]

/** The search index in one coding. */
export type IndexFile = {
  readonly bytes: Uint8Array
  /** Strong, with its quotes: equal bytes, equal tag. */
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

/**
 * Where the search index lies for whoever serves it: whoever builds it puts each new one in the place
 * of the one before.
 */
export class IndexShelf {
  readonly #first = Promise.withResolvers<PublishedIndex>()
  #current: PublishedIndex | null = null
  #freshAt: number | null = null
  #isBuiltHere = false

  /** null before the first one. */
  current(): PublishedIndex | null {
    return this.#current
  }

  /** Up to when everything is known to be in it, ms since the epoch; null before the first one. */
  freshAt(): number | null {
    return this.#freshAt
  }

  /** Is it this process that builds the index, or was it the last to do so? */
  isBuiltHere(): boolean {
    return this.#isBuiltHere
  }

  noteBuilder(isBuiltHere: boolean): void {
    this.#isBuiltHere = isBuiltHere
  }

  /** The first one, as soon as it is there. */
  first(): Promise<PublishedIndex> {
    return this.#first.promise
  }

  put(index: PublishedIndex): void {
    this.#current = index
    this.#first.resolve(index)
  }

  /** Says that the current one shows everything that happened until then. */
  confirm(freshAt: number): void {
    this.#freshAt = freshAt
  }
}
