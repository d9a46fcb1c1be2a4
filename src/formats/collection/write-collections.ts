import { ByteSink } from './byte-sink.ts'
import type { Collection } from './collection.ts'

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
