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

export function writeCollection(sink: ByteSink, { name, hashes }: Collection): void {
  writeText(sink, name)
  sink.int32(hashes.length)
  for (const hash of hashes) writeText(sink, hash)
}

function writeText(sink: ByteSink, text: string): void {
  sink.byte(TEXT)
  sink.text(text)
}

/**
 * Reads the collection.db of the game's own client, which has checksums alone, no ids; empty ones are left out.
 *
 * @throws FormatError with the offset; for a file over 64 MB or with over 10,000 collections, too.
 */
export function readCollections(bytes: Uint8Array): CollectionDb {
  const { version, collections } = locateCollections(bytes)
  return { version, collections: collections.map(({ name, hashes }) => ({ name, hashes })) }
}

/** Reads a collection.db as `readCollections` does, with the place of each collection and of their int32 number. */
export function locateCollections(bytes: Uint8Array) {
  checkSize(bytes)
  const source = new ByteSource(bytes)
  const version = source.int32()
  const countAt = source.offset
  const collections: (Collection & ByteSpan)[] = source.collections(() => readCollection(source))
  if (source.bytesLeft > 0) {
    throw source.error(source.offset, fault('goesOn'))
  }
  return { version, countAt, collections }
}

function readCollection(source: ByteSource): Collection {
  const name = readText(source)
  const hashes: string[] = []
  for (let left = source.count('Checksums', 1); left > 0; left -= 1) {
    const hash = source.checksum(() => readText(source))
    if (hash !== '') hashes.push(hash)
  }
  return { name, hashes }
}

function readText(source: ByteSource): string {
  const start = source.offset
  const kind = source.byte()
  if (kind === 0) return ''
  if (kind === TEXT) return source.text()
  throw source.error(start, fault('badTextStart'))
}
