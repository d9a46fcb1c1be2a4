import { MAX_INDEX_PACKS } from '../contract/bounds.ts'
import type { SearchIndex } from '../contract/search-index.ts'
import { type IndexedPack, indexEntryOf } from '../domain/search-index.ts'
import type { IndexChanges, IndexVersion, PublicIndex } from '../ports/search-index.ts'

/**
 * Creates the function that builds the search index of the newest public packs (spec 2.10). It keeps
 * their serialized entries, so that a build reads and serializes only what has changed since the last
 * one. A build that fails leaves them as they were.
 *
 * @param maxPacks how many packs it lists at most.
 * @returns the build. It awaits `breathe` after each portion, so that other work can run; it rejects
 *   with what `breathe` or the store throws.
 */
export function createIndexBuilder(
  publicIndex: PublicIndex,
  poolsOwnerName: string,
  maxPacks = MAX_INDEX_PACKS,
): (breathe: () => Promise<void>) => Promise<IndexText> {
  let built: Listing | null = null

  const entryOf = (pack: IndexedPack): Entry => ({
    slug: pack.slug,
    createdAt: pack.createdAt,
    text: JSON.stringify(indexEntryOf(pack, poolsOwnerName)),
  })

  function applyChanges(before: Listing, { version, changed, gone }: IndexChanges): Listing {
    const last = before.isAll ? undefined : before.entries.at(-1)
    const replaced = new Set([...gone, ...changed.map(({ slug }) => slug)])
    const entries = [
      ...before.entries.filter(({ slug }) => !replaced.has(slug)),
      // Those after the last entry stay out: packs before them may not be known here.
      ...changed.filter((pack) => last === undefined || newestFirst(pack, last) <= 0).map(entryOf),
    ].toSorted(newestFirst)
    const isAll = before.isAll && entries.length <= maxPacks
    return { version, entries: entries.slice(0, maxPacks), isAll }
  }

  async function beginBuild(): Promise<Listing> {
    const changes = built && (await publicIndex.readChanges(built.version, MAX_CHANGES))
    if (built !== null && changes !== null) return applyChanges(built, changes)
    // Read before the packs: what changes while they are read is in the changes after it.
    return { version: await publicIndex.version(), entries: [], isAll: false }
  }

  return async (breathe) => {
    const { version, entries, ...begun } = await beginBuild()
    let { isAll } = begun
    while (!isAll && entries.length < maxPacks) {
      const limit = Math.min(PORTION, maxPacks - entries.length)
      const portion = await publicIndex.readPortion(entries.at(-1) ?? null, limit)
      entries.push(...portion.map(entryOf))
      isAll = portion.length < limit
      await breathe()
    }
    built = { version, entries, isAll }
    const text = HEAD + entries.map((entry) => entry.text).join(',') + TAIL
    return { version, text, packs: entries.length }
  }
}

/** Few enough that reading and serializing them does not delay other requests. */
const PORTION = 100
/** All packs of an account, whose owner may be renamed, and some more. They are read at a stretch. */
const MAX_CHANGES = 250

const FRAME = JSON.stringify({ v: 1, packs: [] } satisfies SearchIndex)
const HEAD = FRAME.slice(0, -2)
const TAIL = FRAME.slice(-2)

/** The search index as JSON text. */
type IndexText = {
  /** The store's version that it shows at least. */
  readonly version: IndexVersion
  readonly text: string
  readonly packs: number
}

type Place = Pick<IndexedPack, 'createdAt' | 'slug'>
/** A pack and its serialized entry. */
type Entry = Place & { readonly text: string }

type Listing = {
  readonly version: IndexVersion
  /** Newest first, without a gap. */
  readonly entries: Entry[]
  /** Whether no public pack follows the last entry. */
  readonly isAll: boolean
}

/** The order of `PublicIndex.readPortion`. */
function newestFirst(a: Place, b: Place): number {
  if (a.createdAt !== b.createdAt) return b.createdAt - a.createdAt
  if (a.slug === b.slug) return 0
  return a.slug < b.slug ? 1 : -1
}

/** The codings of the search index, the smallest first. */
export const indexCodings = ['br', 'gzip', 'identity'] as const
export type IndexCoding = (typeof indexCodings)[number]

/** The search index in one coding. */
export type IndexFile = {
  readonly bytes: Uint8Array
  /** Strong, with quotes: equal bytes, equal tag. */
  readonly etag: string
}

/** The search index in every coding (D-38). */
export type IndexFiles = {
  readonly identity: IndexFile
  readonly br: IndexFile
  /** Made when it is first asked for; then, and for everyone who asks meanwhile, the same file. */
  readonly gzip: () => Promise<IndexFile>
}

/** The search index as it is served. */
export type PublishedIndex = {
  /** The store's version that it shows at least. */
  readonly version: IndexVersion
  /** ms since the epoch. */
  readonly builtAt: number
  /** How many packs it lists. */
  readonly packs: number
  readonly files: IndexFiles
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
