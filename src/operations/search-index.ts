import { MAX_INDEX_PACKS } from '../contract/bounds.ts'
import type { SearchIndex } from '../contract/search-index.ts'
import { type IndexedPack, indexEntryOf } from '../domain/search-index.ts'
import type { IndexVersion, PublicIndex } from '../ports/search-index.ts'

/**
 * Gives what builds the search index from the newest public packs (spec 2.10). It keeps the entries
 * it wrote, so that a build writes down only what has changed since the one before.
 *
 * @returns a build. It awaits `breathe` after each portion, for other work to go on; what `breathe`
 *   or the store throws ends the build and is passed on.
 */
export function createIndexBuilder(
  publicIndex: Pick<PublicIndex, 'readPortion'>,
  poolsOwnerName: string,
): (breathe: () => Promise<void>) => Promise<IndexText> {
  let known: ReadonlyMap<string, KnownEntry> = new Map()

  const entryOf = (pack: IndexedPack): KnownEntry => {
    const held = known.get(pack.slug)
    if (held !== undefined && isStill(held, pack)) return held
    return { text: JSON.stringify(indexEntryOf(pack, poolsOwnerName)), pack }
  }

  return async (breathe) => {
    const entries = new Map<string, KnownEntry>()
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
    known = entries
    return { pieces: [...pieces, TAIL], packs: entries.size }
  }
}

/** So few that reading them and writing them down keeps nobody waiting. */
const PORTION = 100

const FRAME = JSON.stringify({ v: 1, packs: [] } satisfies SearchIndex)
const HEAD = FRAME.slice(0, -2)
const TAIL = FRAME.slice(-2)

/** The search index as JSON text. */
type IndexText = {
  /** Its pieces in order, each short enough to be worked on without a pause. */
  readonly pieces: readonly string[]
  readonly packs: number
}

/** An entry as it was written down, and the pack that it shows. */
type KnownEntry = { readonly text: string; readonly pack: IndexedPack }

/** Compares what is shown, not the time of the save alone: a save may be lost and come again. */
const isStill = ({ pack: known }: KnownEntry, pack: IndexedPack): boolean =>
  known.updatedAt === pack.updatedAt &&
  known.createdAt === pack.createdAt &&
  known.name === pack.name &&
  known.description === pack.description &&
  known.slotCount === pack.slotCount &&
  known.ownerUsername === pack.ownerUsername &&
  known.stats?.computedAt === pack.stats?.computedAt &&
  known.stats?.complete === pack.stats?.complete

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
export class PublishedIndexCache {
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
