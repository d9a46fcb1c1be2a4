import { osdbMark } from './collection/read-osdb.ts'
import { isUtf16 } from './decode-text.ts'
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
