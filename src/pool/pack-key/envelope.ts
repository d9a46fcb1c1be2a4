import { fromBase64url, toBase64url } from './base64url.ts'
import { crc16 } from './crc16.ts'
import type { PackKeyErrorCode } from './pack-key-error.ts'
import { knownVersions, type PackKeyVersion } from './versions.ts'

/** What a key holds between its version byte and its checksum. */
export type Envelope = {
  readonly version: PackKeyVersion
  readonly content: Uint8Array
}

const CHECKSUM_BYTES = 2

/** Makes the key of `bytes`, the version byte first; the checksum is appended to them. */
export function seal(version: PackKeyVersion, bytes: number[]): string {
  const checksum = crc16(bytes, bytes.length)
  bytes.push(checksum >> 8, checksum & 0xff)
  return `pk${version}.${toBase64url(bytes)}`
}

/**
 * Opens the text shape, the encoding and the checksum of a key, in this order, or says which of
 * them is wrong. It does not throw, so that looking at many candidates stays cheap.
 */
export function unseal(text: string): Envelope | PackKeyErrorCode {
  const key = text.trim()
  if (key === '') return 'empty'
  const number = /^pk([0-9]+)\./.exec(key)?.[1]
  if (number === undefined) return 'prefix'
  const version = knownVersions.get(number)
  if (version === undefined) return 'version'
  const bytes = fromBase64url(key.slice(`pk${number}.`.length))
  if (bytes === null) return 'encoding'
  const end = bytes.length - CHECKSUM_BYTES
  if (end < 1) return 'malformed'
  const checksum = ((bytes[end] ?? 0) << 8) | (bytes[end + 1] ?? 0)
  if (crc16(bytes, end) !== checksum) return 'checksum'
  if (bytes[0] !== version) return 'version'
  return { version, content: bytes.subarray(1, end) }
}
