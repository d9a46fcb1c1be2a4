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
  const text = (value: string): void => {
    sink.byte(TEXT)
    sink.text(value)
  }
  sink.int32(version)
  sink.int32(collections.length)
  for (const { name, hashes } of collections) {
    text(name)
    sink.int32(hashes.length)
    for (const hash of hashes) text(hash)
  }
  return sink.whole()
}
