import { MAX_INDEX_PACKS } from '../contract/bounds.ts'
import type { SearchIndex } from '../contract/search-index.ts'
import { type IndexedPack, indexEntryOf } from '../domain/packs.ts'
import type { IndexChanges, IndexVersion, PublicIndex } from '../ports/search.ts'

/**
 * Creates the function that builds the search index of the newest public packs (spec 2.10). It keeps
 * their serialized entries, so that a build reads and serializes only what has changed since the last
 * one. A build that fails leaves them as they were.
 *
 * @param maxPacks how many packs it lists at most.
 * @param maxChunk how many entries are put together at most, and again when one of them changes.
 * @returns the build. It awaits `breathe` after each portion, so that other work can run; it rejects
 *   with what `breathe` or the store throws.
 */
export function createIndexBuilder(
  publicIndex: PublicIndex,
  poolsOwnerName: string,
  maxPacks = MAX_INDEX_PACKS,
  maxChunk = 128,
): (breathe: () => Promise<void>) => Promise<IndexText> {
  let built: Listing | null = null

  const entryOf = (pack: IndexedPack): Entry => ({
    slug: pack.slug,
    createdAt: pack.createdAt,
    text: JSON.stringify(indexEntryOf(pack, poolsOwnerName)),
  })

  function applyChanges(before: Listing, { version, changed, gone }: IndexChanges): Listing {
    const last = before.isAll ? undefined : lastOf(before.chunks)
    // Those after the last entry stay out: packs before them may not be known here.
    const added = changed.filter((pack) => last === undefined || newestFirst(pack, last) <= 0)
    const replaced = [...gone, ...changed.map(({ slug }) => slug)]
    const chunks = replaceEntries(before.chunks, replaced, added.map(entryOf), maxChunk)
    const isAll = before.isAll && countIn(chunks) <= maxPacks
    return { version, chunks: newestOf(chunks, maxPacks), isAll }
  }

  async function beginBuild(): Promise<Listing> {
    const changes = built && (await publicIndex.readChanges(built.version, MAX_CHANGES))
    if (built !== null && changes !== null) return applyChanges(built, changes)
    // Read before the packs: what changes while they are read is in the changes after it.
    return { version: await publicIndex.version(), chunks: [], isAll: false }
  }

  return async (breathe) => {
    const { version, chunks, ...begun } = await beginBuild()
    let { isAll } = begun
    while (!isAll && countIn(chunks) < maxPacks) {
      const limit = Math.min(PORTION, maxPacks - countIn(chunks))
      const portion = await publicIndex.readPortion(lastOf(chunks) ?? null, limit)
      const isShort = countIn(chunks.slice(-1)) + portion.length <= maxChunk
      const before = (isShort && chunks.pop()?.entries) || []
      chunks.push(...chunksOf([...before, ...portion.map(entryOf)], maxChunk))
      isAll = portion.length < limit
      await breathe()
    }
    built = { version, chunks, isAll }
    // Each chunk begins with a comma.
    const texts = chunks.map(({ bytes }, at) => (at === 0 ? bytes.subarray(1) : bytes))
    return { version, parts: [HEAD, ...texts, TAIL], packs: countIn(chunks) }
  }
}

/** Few enough that reading and serializing them does not delay other requests. */
const PORTION = 100
/** All packs of an account, whose owner may be renamed, and some more. They are read at a stretch. */
const MAX_CHANGES = 250

const FRAME = JSON.stringify({ v: 1, packs: [] } satisfies SearchIndex)
const encoder = new TextEncoder()
const HEAD = encoder.encode(FRAME.slice(0, -2))
const TAIL = encoder.encode(FRAME.slice(-2))

/** The search index as JSON, in UTF-8. */
type IndexText = {
  /** The store's version that it shows at least. */
  readonly version: IndexVersion
  /** Together they are the text. */
  readonly parts: readonly Uint8Array[]
  readonly packs: number
}

type SortKey = Pick<IndexedPack, 'createdAt' | 'slug'>
/** A pack and its serialized entry. */
type Entry = SortKey & { readonly text: string }

/** Entries that follow each other. Putting all together again for each change would take milliseconds. */
type Chunk = {
  readonly entries: readonly Entry[]
  readonly slugs: ReadonlySet<string>
  /** The entries in UTF-8, each after a comma. */
  readonly bytes: Uint8Array
}

type Listing = {
  readonly version: IndexVersion
  /** Newest first, without a gap; none is empty. */
  readonly chunks: Chunk[]
  /** Whether no public pack follows the last entry. */
  readonly isAll: boolean
}

function countIn(chunks: readonly Chunk[]): number {
  return chunks.reduce((sum, { entries }) => sum + entries.length, 0)
}

function lastOf(chunks: readonly Chunk[]): Entry | undefined {
  return chunks.at(-1)?.entries.at(-1)
}

/** Sorted entries in as few chunks as possible, equally large. */
function chunksOf(entries: readonly Entry[], maxChunk: number): Chunk[] {
  const size = Math.ceil(entries.length / Math.ceil(entries.length / maxChunk))
  const chunks: Chunk[] = []
  for (let at = 0; at < entries.length; at += size) {
    const own = entries.slice(at, at + size)
    const bytes = encoder.encode(own.map(({ text }) => `,${text}`).join(''))
    chunks.push({ entries: own, slugs: new Set(own.map(({ slug }) => slug)), bytes })
  }
  return chunks
}

/** Takes entries out by slug, then adds others. Chunks without any of them stay the same objects. */
function replaceEntries(
  chunks: readonly Chunk[],
  replaced: readonly string[],
  added: readonly Entry[],
  maxChunk: number,
): Chunk[] {
  if (chunks.length === 0) return chunksOf(added.toSorted(newestFirst), maxChunk)
  const addedTo = Map.groupBy(added, (entry) => {
    const at = chunks.findLastIndex(({ entries: [first] }) => newestFirst(first!, entry) <= 0)
    return Math.max(at, 0)
  })
  return chunks.flatMap((chunk, at) => {
    const own = addedTo.get(at) ?? []
    const leaving = new Set(replaced.filter((slug) => chunk.slugs.has(slug)))
    if (own.length === 0 && leaving.size === 0) return chunk
    const staying = chunk.entries.filter(({ slug }) => !leaving.has(slug))
    return chunksOf([...staying, ...own].toSorted(newestFirst), maxChunk)
  })
}

/** The first `count` entries. */
function newestOf(chunks: readonly Chunk[], count: number): Chunk[] {
  let room = count
  return chunks.flatMap((chunk) => {
    const fitting = chunk.entries.slice(0, room)
    room -= fitting.length
    return fitting.length === chunk.entries.length ? chunk : chunksOf(fitting, fitting.length)
  })
}

/** The order of `PublicIndex.readPortion`. */
function newestFirst(a: SortKey, b: SortKey): number {
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
  /** As `gzip`, too, is made when it is first asked for; then, and for everyone who asks meanwhile, the same file. */
  readonly br: () => Promise<IndexFile>
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
  /**
   * Resolves when all that was committed before is in the current one, or after so many ms; undefined where that is known.
   * Set by the worker.
   */
  catchUp: (withinMs: number) => Promise<void> | undefined = () => undefined

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
