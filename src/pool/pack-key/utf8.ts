import type { ByteReader } from './byte-reader.ts'
import { PackKeyError } from './pack-key-error.ts'
import { readVarint, writeVarint } from './varint.ts'

const encoder = new TextEncoder()
// A byte order mark is part of the text here: dropped in silence, it would make two keys of one pool.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Appends a string: its length in bytes, then UTF-8. */
export function writeString(bytes: number[], text: string): void {
  const encoded = encoder.encode(text)
  writeVarint(bytes, encoded.length)
  for (const byte of encoded) bytes.push(byte)
}

/** Reads a string; anything but valid UTF-8 is `malformed`. */
export function readString(reader: ByteReader): string {
  const encoded = reader.take(readVarint(reader))
  try {
    return decoder.decode(encoded)
  } catch {
    throw new PackKeyError('malformed', 'a text in it is not UTF-8')
  }
}
