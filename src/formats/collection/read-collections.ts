import { FormatError } from '../format-error.ts'
import { ByteSource } from './byte-source.ts'
import { isChecksum } from './checksum.ts'
import type { Collection, CollectionDb } from './collection.ts'

const MAX_BYTES = 64 * 1024 * 1024
const MAX_COLLECTIONS = 10_000
const TEXT = 0x0b
/** Bytes that a name and a count, or a checksum, take at least. */
const LEAST_COLLECTION = 5
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
export type LocatedCollection = Collection & { readonly start: number; readonly end: number }

/** Reads a collection.db as `readCollections` does, with the place of each collection in it. */
export function locateCollections(bytes: Uint8Array): {
  readonly version: number
  /** Where the int32 number of collections is. */
  readonly countAt: number
  readonly collections: readonly LocatedCollection[]
} {
  if (bytes.length > MAX_BYTES)
    throw new FormatError(`the file must have at most ${MAX_BYTES} bytes`)
  const source = new ByteSource(bytes)
  const version = source.int32()
  const countAt = source.offset
  const count = source.count('collections', LEAST_COLLECTION)
  if (count > MAX_COLLECTIONS) {
    throw source.error(countAt, `a file can have at most ${MAX_COLLECTIONS} collections`)
  }
  const collections = Array.from({ length: count }, () => readCollection(source))
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
    const at = source.offset
    const hash = readText(source)
    if (hash === '') continue
    if (!isChecksum(hash)) {
      throw source.error(at, 'a checksum must be 32 hexadecimal digits; the file is damaged')
    }
    hashes.push(hash)
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
