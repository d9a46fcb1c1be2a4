import type { BeatmapDetails } from '../../contract/beatmaps.ts'
import type { Slot } from '../../contract/pools.ts'
import type { Pool } from '../../pool/pool.ts'
import { slotsInPoolOrder } from '../../pool/slots.ts'
import { ByteSink, ByteSource, checkSize } from './dotnet-bytes.ts'

/** A collection of the game's own client. */
export type Collection = {
  readonly name: string
  /** MD5 checksums of beatmap files: 32 hexadecimal digits. */
  readonly hashes: readonly string[]
}

/** What a collection.db holds. */
export type CollectionDb = {
  /** The date of the client that wrote it, 20150203 for example. */
  readonly version: number
  readonly collections: readonly Collection[]
}

/** A pool as a collection: its name and, in pool order, each beatmap once. */
export type PoolCollection = {
  readonly collection: Collection
  /** Whose beatmap's checksum is not known; in pool order. */
  readonly leftOut: readonly Slot[]
}

/** @param details what is known of the beatmaps, by id. */
export function collectionOf(
  pool: Pool,
  details: ReadonlyMap<number, Pick<BeatmapDetails, 'checksum'>>,
): PoolCollection {
  const hashes = new Set<string>()
  const leftOut: Slot[] = []
  for (const slot of slotsInPoolOrder(pool)) {
    const checksum = details.get(slot.beatmapId)?.checksum ?? null
    if (checksum === null) leftOut.push(slot)
    else hashes.add(checksum)
  }
  return { collection: { name: pool.name, hashes: [...hashes] }, leftOut }
}

/** A version that every client since takes. */
export const COLLECTION_VERSION = 20150203

const TEXT = 0x0b

/** Writes a collection.db for the game's own client. */
export function writeCollections(
  version: number,
  collections: readonly Collection[],
): Uint8Array<ArrayBuffer> {
  const sink = new ByteSink()
  sink.int32(version)
  sink.int32(collections.length)
  for (const collection of collections) writeCollection(sink, collection)
  return sink.whole()
}

/** Writes one collection as it stands in a collection.db. */
export function writeCollection(sink: ByteSink, { name, hashes }: Collection): void {
  const text = (value: string): void => {
    sink.byte(TEXT)
    sink.text(value)
  }
  text(name)
  sink.int32(hashes.length)
  for (const hash of hashes) text(hash)
}

/** Bytes that a checksum takes at least. */
const LEAST_HASH = 1

/**
 * Reads the collection.db of the game's own client. It names beatmaps by checksum alone: a pool
 * needs ids, which `.osdb` has. Empty checksums name nothing and are left out.
 *
 * @throws FormatError with the offset; for a file over 64 MB or with over 10,000 collections, too.
 */
export function readCollections(bytes: Uint8Array): CollectionDb {
  const { version, collections } = locateCollections(bytes)
  return { version, collections: collections.map(({ name, hashes }) => ({ name, hashes })) }
}

/** A collection, and where its bytes begin and end in the file. */
type LocatedCollection = Collection & { readonly start: number; readonly end: number }

/** Reads a collection.db as `readCollections` does, with the place of each collection in it. */
export function locateCollections(bytes: Uint8Array): {
  readonly version: number
  /** Where the int32 number of collections is. */
  readonly countAt: number
  readonly collections: readonly LocatedCollection[]
} {
  checkSize(bytes)
  const source = new ByteSource(bytes)
  const version = source.int32()
  const countAt = source.offset
  const collections = Array.from({ length: source.collectionCount() }, () => readCollection(source))
  if (!source.isAtEnd) {
    throw source.error(source.offset, 'the file continues after its last collection; it is damaged')
  }
  return { version, countAt, collections }
}

function readCollection(source: ByteSource): LocatedCollection {
  const start = source.offset
  const name = readText(source)
  const hashes: string[] = []
  for (let left = source.count('checksums', LEAST_HASH); left > 0; left -= 1) {
    const hash = source.checksum(() => readText(source))
    if (hash !== '') hashes.push(hash)
  }
  return { name, hashes, start, end: source.offset }
}

function readText(source: ByteSource): string {
  const start = source.offset
  const kind = source.byte()
  if (kind === 0) return ''
  if (kind === TEXT) return source.text()
  throw source.error(start, 'a text must begin with 0B, or be 00 for none; the file is damaged')
}
