import { osdbMark } from './collection/osdb.ts'
import { fault, FormatError } from './format-error.ts'

/**
 * Which reader takes a file: `bracket` readBracket, `json` readPoolJson, `collection`
 * readCollections, `osdb` readOsdb, `workbook` .xlsx and .ods: readImportFile, `text` readImport (tables, lines, links, pack keys).
 */
export type ReadableFormat = 'bracket' | 'json' | 'collection' | 'osdb' | 'workbook' | 'text'

/**
 * Decides by the content of the file; its name counts only where that is not enough.
 *
 * @throws FormatError at byte 0 for a file that no reader takes.
 */
export function recogniseFormat(bytes: Uint8Array, fileName = ''): ReadableFormat {
  if (osdbMark(bytes) !== null) return 'osdb'
  if (begins(bytes, 'PK\u0003\u0004')) return archiveFormat(bytes)
  if (begins(bytes, '\u00d0\u00cf\u0011\u00e0')) {
    throw new FormatError(fault('oldXls'), { offset: 0 })
  }
  if (!isUtf16(bytes)) {
    if (isLikeCollections(bytes)) return 'collection'
    if (bytes.subarray(0, 4096).includes(0)) {
      if (/\.osdb$/i.test(fileName)) return 'osdb'
      if (/\.db$/i.test(fileName)) return 'collection'
      throw new FormatError(fault('notSupported'), { offset: 0 })
    }
  }
  const encoding = utf16Of(bytes) ?? 'utf-8'
  const text = new TextDecoder(encoding, { fatal: false, ignoreBOM: false }).decode(bytes)
  if (!text.trimStart().startsWith('{')) return 'text'
  return /"Rounds"\s*:/.test(text) ? 'bracket' : 'json'
}

/** Names of the files in an archive precede their contents, and all are at its end. */
const NAMES = 64 * 1024

function archiveFormat(bytes: Uint8Array): 'workbook' {
  const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })
  const ends = [bytes.subarray(0, NAMES), bytes.subarray(-NAMES)]
  const text = ends.map((part) => decoder.decode(part)).join('\n')
  const isBinary = text.includes('xl/workbook.bin')
  const isSheet =
    text.includes('application/vnd.oasis.opendocument.spreadsheet') ||
    text.includes('xl/') ||
    (text.includes('[Content_Types].xml') && !/(?:word|ppt)\//.test(text))
  if (isSheet && !isBinary) return 'workbook'
  throw new FormatError(fault(isBinary ? 'xlsb' : 'noSpreadsheet'), { offset: 0 })
}

function begins(bytes: Uint8Array, mark: string): boolean {
  return Array.from(mark, (sign) => sign.charCodeAt(0)).every((byte, at) => bytes[at] === byte)
}

/** A version, a number of collections that fits, and the beginning of the first one's name. */
function isLikeCollections(bytes: Uint8Array): boolean {
  if (bytes.length < 8) return false
  const count = new DataView(bytes.buffer, bytes.byteOffset).getInt32(4, true)
  if (count === 0) return bytes.length === 8
  return count > 0 && count * 5 <= bytes.length - 8 && (bytes[8] === 0x0b || bytes[8] === 0)
}

/**
 * The text of a file: UTF-8, or UTF-16 where a byte order mark says so, as spreadsheet programs
 * save "Unicode text". The mark stays in front, so that a file can be written back as it was.
 *
 * @throws FormatError with the offset of the first byte that is wrong in UTF-8.
 */
export function decodeText(bytes: Uint8Array): string {
  const utf16 = utf16Of(bytes)
  if (utf16 !== null) {
    return new TextDecoder(utf16, { fatal: false, ignoreBOM: true }).decode(bytes)
  }
  try {
    return utf8().decode(bytes)
  } catch {
    throw new FormatError(fault('notUtf8'), { offset: firstBadByte(bytes) })
  }
}

/**
 * The file with another text in it, in the encoding that it has had.
 *
 * @throws FormatError when not every byte would come back from its text, and a part that is not edited would change.
 */
export function editText(
  file: Uint8Array,
  edit: (text: string) => string,
): Uint8Array<ArrayBuffer> {
  const text = decodeText(file)
  const same = encodeLike(file, text)
  // Half a unit at the end becomes a whole one.
  const at = same.findIndex((byte, offset) => byte !== file[offset])
  if (at < 0) return encodeLike(file, edit(text))
  throw new FormatError(fault('notUtf16'), { offset: at })
}

/** A text in the encoding that the file has had, with the text's own byte order mark. */
export function encodeLike(file: Uint8Array, text: string): Uint8Array<ArrayBuffer> {
  if (!isUtf16(file)) return new TextEncoder().encode(text)
  const units = new DataView(new ArrayBuffer(text.length * 2))
  const isLittle = utf16Of(file) === 'utf-16le'
  for (let at = 0; at < text.length; at += 1) units.setUint16(at * 2, text.charCodeAt(at), isLittle)
  return new Uint8Array(units.buffer)
}

const isUtf16 = (bytes: Uint8Array): boolean => utf16Of(bytes) !== null

function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : null
}

/** Decoders do not report where they failed; so it is found by portions, then byte by byte. */
function firstBadByte(bytes: Uint8Array): number {
  let start = decodableFrom(bytes, 0, 64 * 1024)
  // The bad byte may belong to a character that began in the portion before, which has up to four bytes.
  start = Math.max(0, Math.min(start, bytes.length) - 3)
  while (start > 0 && (bytes[start]! & 0xc0) === 0x80) start += 1
  return decodableFrom(bytes, start, 1)
}

/** How far the bytes can be decoded, in steps of so many. */
function decodableFrom(bytes: Uint8Array, start: number, step: number): number {
  const decoder = utf8()
  for (let at = start; at < bytes.length; at += step) {
    try {
      decoder.decode(bytes.subarray(at, at + step), { stream: true })
    } catch {
      return at
    }
  }
  return bytes.length
}

function utf8(): TextDecoder {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
}
