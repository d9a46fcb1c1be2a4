/** 1: default table. 2: any table, slots without a bucket. 3: custom buckets with mods. */
export type PackKeyVersion = 1 | 2 | 3

/** By the number behind `pk`, spelled exactly so: `01` is none. */
const versions: ReadonlyMap<string, PackKeyVersion> = new Map([
  ['1', 1],
  ['2', 2],
  ['3', 3],
])

const CHECKSUM_BYTES = 2

/** The pack key of `bytes`, the version byte first; the checksum is appended to them. */
export function seal(version: PackKeyVersion, bytes: number[]): string {
  const checksum = crc16(bytes, bytes.length)
  bytes.push(checksum >> 8, checksum & 0xff)
  return `pk${version}.${toBase64url(bytes)}`
}

/**
 * Opens a key, or returns why it cannot be opened: text shape, encoding and checksum are looked at in
 * this order. `content` is what stands between the version byte and the checksum. It does not throw,
 * so that looking at many candidates stays cheap.
 */
export function unseal(
  text: string,
): { readonly version: PackKeyVersion; readonly content: Uint8Array } | PackKeyErrorCode {
  const key = text.trim()
  if (key === '') return 'empty'
  const number = /^pk([0-9]+)\./.exec(key)?.[1]
  if (number === undefined) return 'prefix'
  const version = versions.get(number)
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

/**
 * Why a text is no pack key. In the order in which they are looked for: nothing but white space;
 * not `pk<number>.`; a version that is not known; not strict base64url; damaged; anything else.
 */
export type PackKeyErrorCode =
  | 'empty'
  | 'prefix'
  | 'version'
  | 'encoding'
  | 'checksum'
  | 'malformed'

const messages: Record<PackKeyErrorCode, string> = {
  empty: 'There is no pack key here; paste one.',
  prefix: 'This is not a pack key; a pack key begins with pk, a number and a dot.',
  version: 'This pack key has a version that is not known here; versions 1 to 3 are.',
  encoding: 'This pack key holds a character that does not belong, or lacks some; copy it again.',
  checksum: 'This pack key is damaged; copy it again.',
  malformed: 'This pack key holds no valid pool',
}

/** The one error that reading a pack key throws. */
export class PackKeyError extends Error {
  readonly code: PackKeyErrorCode

  /** @param detail what exactly is wrong with a `malformed` key. */
  constructor(code: PackKeyErrorCode, detail?: string) {
    super(detail === undefined ? messages[code] : `${messages[code]}: ${detail}`)
    this.name = 'PackKeyError'
    this.code = code
  }
}

const POLYNOMIAL = 0x1021
const START = 0xffff

const table = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? (crc << 1) ^ POLYNOMIAL : crc << 1
  return crc
})

/** CRC-16/CCITT-FALSE of the first `length` bytes: "123456789" gives 29B1. */
export function crc16(bytes: ArrayLike<number>, length: number): number {
  let crc = START
  for (let at = 0; at < length; at += 1) {
    crc = ((crc << 8) & 0xffff) ^ (table[(crc >> 8) ^ (bytes[at] ?? 0)] ?? 0)
  }
  return crc
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

const NOT_IN_ALPHABET = 64
const values = new Uint8Array(128).fill(NOT_IN_ALPHABET)
for (let value = 0; value < alphabet.length; value += 1) values[alphabet.charCodeAt(value)] = value

/** Bytes as base64url without padding (RFC 4648, section 5). */
export function toBase64url(bytes: ArrayLike<number>): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const [a, b, c] = [bytes[at] ?? 0, bytes[at + 1] ?? 0, bytes[at + 2] ?? 0]
    text += alphabet.charAt(a >> 2) + alphabet.charAt(((a & 3) << 4) | (b >> 4))
    if (at + 1 < bytes.length) text += alphabet.charAt(((b & 15) << 2) | (c >> 6))
    if (at + 2 < bytes.length) text += alphabet.charAt(c & 63)
  }
  return text
}

/**
 * The bytes; null for another alphabet, padding, or a length that leaves one dangling character. Bits
 * left over in the last character are ignored, as other readers of pack keys ignore them.
 */
export function fromBase64url(text: string): Uint8Array | null {
  if (text.length % 4 === 1) return null
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4))
  let pending = 0
  let bits = 0
  let filled = 0
  for (let at = 0; at < text.length; at += 1) {
    const value = values[text.charCodeAt(at)] ?? NOT_IN_ALPHABET
    if (value === NOT_IN_ALPHABET) return null
    pending = ((pending << 6) | value) & 0xfff
    bits += 6
    if (bits >= 8) {
      bits -= 8
      bytes[filled] = pending >> bits
      filled += 1
    }
  }
  return bytes
}
