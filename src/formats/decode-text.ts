import { FormatError } from './format-error.ts'

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
