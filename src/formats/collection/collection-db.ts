import type { BeatmapDetails } from '../../contract/beatmaps.ts'
import type { Slot } from '../../contract/pools.ts'
import { ByteSink } from '../../pool/pack-key/encode.ts'
import type { Pool } from '../../pool/pool.ts'
import { slotsInPoolOrder } from '../../pool/slots.ts'
import { fault } from '../format-error.ts'
import { ByteSource, type ByteSpan, checkSize } from './dotnet-bytes.ts'

/** A collection of the game's own client. */
export type Collection = {
  readonly name: string
  /** MD5 checksums of beatmap files: 32 hexadecimal digits. */
  readonly hashes: readonly string[]
}

/** `version` is the date of the client that wrote it, 20150203 for example. */
export type CollectionDb = { readonly version: number; readonly collections: readonly Collection[] }

/** `leftOut`: the slots whose beatmap's checksum is not known, in pool order. */
export type PoolCollection = { readonly collection: Collection; readonly leftOut: readonly Slot[] }

/** A pool as a collection: its name and, in pool order, each beatmap once. `details` are by beatmap id. */
export function collectionOf(
  pool: Pool,
  details: ReadonlyMap<number, Pick<BeatmapDetails, 'checksum'>>,
): PoolCollection {
  const { known, leftOut } = beatmapsWithChecksum(pool, details)
  const hashes = [...new Set(known.map(({ checksum }) => checksum))]
  return { collection: { name: pool.name, hashes }, leftOut }
}

/** The beatmaps of a pool whose checksum is known, each once, and the slots of the others. */
export function beatmapsWithChecksum<D extends Pick<BeatmapDetails, 'checksum'>>(
  pool: Pool,
  details: ReadonlyMap<number, D>,
): { known: (D & { checksum: string })[]; leftOut: Slot[] } {
  const known = new Map<number, D & { checksum: string }>()
  const leftOut: Slot[] = []
  for (const slot of slotsInPoolOrder(pool)) {
    const beatmap = details.get(slot.beatmapId)
    if (beatmap === undefined || beatmap.checksum === null) leftOut.push(slot)
    else known.set(slot.beatmapId, { ...beatmap, checksum: beatmap.checksum })
  }
  return { known: [...known.values()], leftOut }
}

/** A version that every client since accepts. */
export const COLLECTION_VERSION = 20150203
const TEXT = 0x0b

/** Writes a collection.db for the game's own client. */
export function writeCollections(version: number, collections: readonly Collection[]) {
  const sink = new ByteSink()
  sink.int32(version)
  sink.int32(collections.length)
  for (const collection of collections) writeCollection(sink, collection)
  return sink.whole()
}

/** @param others entries as they are in a file, after the checksums. */
export function writeCollection(
  sink: ByteSink,
  { name, hashes }: Collection,
  others: readonly Uint8Array[] = [],
): void {
  writeText(sink, name)
  sink.int32(hashes.length + others.length)
  for (const hash of hashes) writeText(sink, hash)
  for (const other of others) sink.bytes(other)
}

function writeText(sink: ByteSink, text: string): void {
  sink.byte(TEXT)
  sink.text(text)
}

/**
 * Reads the collection.db of the game's own client, which has checksums alone, no ids; entries that are none are left
 * out, since the game takes any text.
 *
 * @throws FormatError with the offset; for a file over 64 MB or with over 10,000 collections, too.
 */
export function readCollections(bytes: Uint8Array): CollectionDb {
  const { version, collections } = locateCollections(bytes)
  return { version, collections: collections.map(({ name, hashes }) => ({ name, hashes })) }
}

/** `others`: the entries that are no checksum. */
type LocatedCollection = Collection & ByteSpan & { readonly others: readonly ByteSpan[] }

/** Reads a collection.db as `readCollections` does, with the place of each collection and of their int32 number. */
export function locateCollections(bytes: Uint8Array) {
  checkSize(bytes)
  const source = new ByteSource(bytes)
  const version = source.int32()
  const countAt = source.offset
  const collections: LocatedCollection[] = source.collections(() => readCollection(source))
  if (source.bytesLeft > 0) {
    throw source.error(source.offset, fault('goesOn'))
  }
  return { version, countAt, collections }
}

function readCollection(source: ByteSource) {
  const name = readText(source, () => source.text()) ?? ''
  const hashes: string[] = []
  const others: ByteSpan[] = []
  for (let left = source.count('Checksums', 1); left > 0; left -= 1) {
    const start = source.offset
    const hash = readText(source, () => readChecksum(source))
    if (hash === null) others.push({ start, end: source.offset })
    else hashes.push(hash)
  }
  return { name, hashes, others }
}

function readChecksum(source: ByteSource): string | null {
  const bytes = source.textBytes()
  const text = bytes.length === 32 ? String.fromCharCode(...bytes) : ''
  return /^[0-9A-Fa-f]{32}$/.test(text) ? text : null
}

/** What is read in place of a text; null where there is none. */
function readText<T>(source: ByteSource, read: () => T): T | null {
  const start = source.offset
  const kind = source.byte()
  if (kind === 0) return null
  if (kind === TEXT) return read()
  throw source.error(start, fault('badTextStart'))
}
