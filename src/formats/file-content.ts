import { osdbMark } from './collection/osdb.ts'
import { FormatError } from './format-error.ts'

/**
 * Which reader takes a file: `bracket` readBracket, `json` readPoolJson, `collection`
 * readCollections, `osdb` readOsdb, `text` readPaste (tables, lines, links, pack keys).
 */
export type ReadableFormat = 'bracket' | 'json' | 'collection' | 'osdb' | 'text'

/** Enough to see that a file is no text. */
const HEAD = 4096
const ROUNDS = /"Rounds"\s*:/

/**
 * Goes by what stands in the file; its name counts only where that does not tell. What the reader
 * then finds wrong is for the reader to say.
 *
 * @throws FormatError at byte 0 for a file that no reader takes.
 */
export function recogniseFormat(bytes: Uint8Array, fileName = ''): ReadableFormat {
  if (osdbMark(bytes) !== null) return 'osdb'
  if (!isUtf16(bytes)) {
    const named = byName(fileName)
    if (isLikeCollections(bytes)) return 'collection'
    if (isBinary(bytes)) {
      if (named !== null) return named
      const remedy = 'this file type is not supported; save a spreadsheet as CSV'
      throw new FormatError(remedy, { offset: 0 })
    }
  }
  return byText(bytes)
}

function byName(fileName: string): 'collection' | 'osdb' | null {
  if (/\.osdb$/i.test(fileName)) return 'osdb'
  return /\.db$/i.test(fileName) ? 'collection' : null
}

/** A version, a number of collections that fits, and where the first one is, how its name begins. */
function isLikeCollections(bytes: Uint8Array): boolean {
  if (bytes.length < 8) return false
  const count = new DataView(bytes.buffer, bytes.byteOffset).getInt32(4, true)
  if (count === 0) return bytes.length === 8
  return count > 0 && count * 5 <= bytes.length - 8 && (bytes[8] === 0x0b || bytes[8] === 0)
}

function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, HEAD).includes(0)
}

function byText(bytes: Uint8Array): 'bracket' | 'json' | 'text' {
  const encoding = isUtf16(bytes) ? 'utf-16le' : 'utf-8'
  const text = new TextDecoder(encoding, { fatal: false, ignoreBOM: false }).decode(bytes)
  if (!text.trimStart().startsWith('{')) return 'text'
  return ROUNDS.test(text) ? 'bracket' : 'json'
}

const PORTION = 64 * 1024
const REMEDY = 'this is not UTF-8; save the file as UTF-8 (in a spreadsheet: CSV UTF-8)'

/**
 * The text of a file: UTF-8, or UTF-16 where a byte order mark says so, as spreadsheet programs
 * save "Unicode text". The mark stays in front, so that a file can be written back as it was.
 *
 * @throws FormatError with the offset of the first byte that cannot stand there in UTF-8.
 */
export function decodeText(bytes: Uint8Array): string {
  if (isUtf16(bytes)) {
    return new TextDecoder('utf-16le', { fatal: false, ignoreBOM: true }).decode(bytes)
  }
  try {
    return utf8().decode(bytes)
  } catch {
    throw new FormatError(REMEDY, { offset: firstBadByte(bytes) })
  }
}

export function isUtf16(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && bytes[1] === 0xfe
}

/** Decoders do not tell where they failed; so it is found by portions, then byte by byte. */
function firstBadByte(bytes: Uint8Array): number {
  const portions = utf8()
  let start = 0
  while (start < bytes.length && takes(portions, bytes, start, start + PORTION)) start += PORTION
  // What is bad may belong to a character that began in the portion before, which has up to four bytes.
  start = Math.max(0, Math.min(start, bytes.length) - 3)
  while (isContinuation(bytes[start]) && start > 0) start += 1
  const single = utf8()
  while (start < bytes.length && takes(single, bytes, start, start + 1)) start += 1
  return start
}

function takes(decoder: TextDecoder, bytes: Uint8Array, start: number, end: number): boolean {
  try {
    decoder.decode(bytes.subarray(start, end), { stream: true })
    return true
  } catch {
    return false
  }
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}

function utf8(): TextDecoder {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
}
