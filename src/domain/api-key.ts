import { crc32 } from './crc32.ts'

/** How many random bytes a key is made from. */
export const API_KEY_BYTES = 28
const CHECKED_BYTES = API_KEY_BYTES + 4
/** Characters behind the prefix and its underscore. */
const BODY_LENGTH = 43
const SHOWN_LENGTH = 4

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const NO_DIGIT = 255
const DIGITS = new Uint8Array(128).fill(NO_DIGIT)
for (let digit = 0; digit < ALPHABET.length; digit += 1) DIGITS[ALPHABET.charCodeAt(digit)] = digit

/**
 * An API key: prefix, underscore, and base64url of 28 random bytes with their CRC-32, high byte
 * first (D-40).
 */
export const makeApiKey = (prefix: string, random: Uint8Array): string => {
  if (random.length !== API_KEY_BYTES) throw new RangeError('a key takes 28 random bytes')
  const written = new Uint8Array(CHECKED_BYTES)
  written.set(random)
  new DataView(written.buffer).setUint32(API_KEY_BYTES, crc32(random, API_KEY_BYTES))
  let body = ''
  for (let digit = 0; digit < BODY_LENGTH; digit += 1) {
    const at = (digit * 6) >> 3
    const pair = ((written[at] ?? 0) << 8) | (written[at + 1] ?? 0)
    body += ALPHABET.charAt((pair >> (10 - ((digit * 6) & 7))) & 63)
  }
  return `${prefix}_${body}`
}

/** Where a key's bytes are looked at; every request looks, and keeps none of them. */
const bytes = new Uint8Array(CHECKED_BYTES)
const view = new DataView(bytes.buffer)

/** Reads the bytes behind a key's body; false when it is not the canonical spelling of 32 bytes. */
const readBody = (text: string, start: number): boolean => {
  let held = 0
  let bits = 0
  let at = 0
  for (let position = start; position < text.length; position += 1) {
    const digit = DIGITS[text.charCodeAt(position)] ?? NO_DIGIT
    if (digit === NO_DIGIT) return false
    held = ((held << 6) | digit) & 0xffff
    bits += 6
    if (bits >= 8) {
      bits -= 8
      bytes[at] = held >> bits
      at += 1
    }
  }
  // 43 characters hold two bits more than 32 bytes do.
  return (held & 3) === 0
}

/**
 * Could this text be a key with this prefix? A mistyped one fails its checksum, so that it needs no
 * look-up.
 */
export const isApiKey = (prefix: string, text: string): boolean => {
  const start = prefix.length + 1
  if (text.length !== start + BODY_LENGTH) return false
  if (!text.startsWith(prefix) || text[prefix.length] !== '_') return false
  return readBody(text, start) && crc32(bytes, API_KEY_BYTES) === view.getUint32(API_KEY_BYTES)
}

/** The first four characters behind the prefix: enough to tell one's keys apart, too few to use. */
export const shownPart = (prefix: string, key: string): string =>
  key.slice(prefix.length + 1, prefix.length + 1 + SHOWN_LENGTH)
