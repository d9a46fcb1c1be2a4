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
