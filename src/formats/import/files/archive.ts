import { gunzip } from '../../collection/gzip.ts'
import { fault, FormatError } from '../../format-error.ts'

const utf8 = new TextDecoder('utf-8', { fatal: false, ignoreBOM: false })

/** What the files in an archive have unpacked, in bytes, together at most. */
const MOST_UNPACKED = 50_000_000

/**
 * Checks by its directory, before anything is unpacked, what an archive will need.
 *
 * @throws FormatError for one that is damaged, or larger than 50 MB unpacked.
 */
export function checkArchive(bytes: Uint8Array): void {
  let unpacked = 0
  for (const { packed, size, isOpen } of entriesOf(bytes)) {
    // Sizes that are found only while unpacking are no bounds.
    if (size === 0 && (packed > 16 || (packed === 0 && isOpen))) throw damaged()
    unpacked += Math.max(size, packed)
  }
  if (unpacked > MOST_UNPACKED) {
    throw new FormatError(fault('largeSheet'))
  }
}

/**
 * A file in an archive as text; null if there is none of that name.
 *
 * @throws FormatError if it cannot be unpacked.
 */
export async function textInArchive(bytes: Uint8Array, name: string): Promise<string | null> {
  const entry = entriesOf(bytes).findLast((each) => each.name === name)
  if (entry === undefined) return null
  const { at, packed, size, method, checksum } = entry
  const view = viewOf(bytes)
  if (at + 30 > bytes.length || view.getUint32(at, true) !== 0x04_03_4b_50) throw damaged()
  const start = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true)
  const data = bytes.subarray(start, start + packed)
  if (method === 0) return utf8.decode(data)
  if (method !== 8) throw damaged()
  const unpacked = await gunzip(asGzip(data, checksum, size), 0, size).catch(() => null)
  if (unpacked === null) throw damaged()
  return utf8.decode(unpacked)
}

/** The same compressed data with the header and the trailer of gzip, which every runtime unpacks. */
function asGzip(data: Uint8Array, checksum: number, size: number): Uint8Array {
  const file = new Uint8Array(data.length + 18)
  file.set([0x1f, 0x8b, 8])
  file.set(data, 10)
  const view = viewOf(file)
  view.setUint32(data.length + 10, checksum, true)
  view.setUint32(data.length + 14, size, true)
  return file
}

/** What the directory of an archive says of its files. */
function entriesOf(bytes: Uint8Array) {
  const view = viewOf(bytes)
  const end = endOfDirectory(view)
  const count = view.getUint16(end + 10, true)
  let at = view.getUint32(end + 16, true)
  return Array.from({ length: count }, () => {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== 0x02_01_4b_50) throw damaged()
    const lengths = [28, 30, 32].map((part) => view.getUint16(at + part, true))
    const entry = {
      name: utf8.decode(bytes.subarray(at + 46, at + 46 + lengths[0]!)),
      isOpen: (view.getUint16(at + 8, true) & 8) !== 0,
      method: view.getUint16(at + 10, true),
      checksum: view.getUint32(at + 16, true),
      packed: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      at: view.getUint32(at + 42, true),
    }
    at += lengths.reduce((sum, length) => sum + length, 46)
    return entry
  })
}

function endOfDirectory(view: DataView): number {
  const first = Math.max(0, view.byteLength - 65_557)
  for (let at = view.byteLength - 22; at >= first; at -= 1) {
    if (view.getUint32(at, true) === 0x06_05_4b_50) return at
  }
  throw damaged()
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function damaged(): FormatError {
  return new FormatError(fault('damagedArchive'))
}
