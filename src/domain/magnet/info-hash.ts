const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'

/** 32 characters of base32 hold 160 bits: 4 for each digit of the same number in hexadecimal. */
const hexOfBase32 = (text: string): string => {
  let hex = ''
  let held = 0
  let bits = 0
  for (const character of text) {
    held = (held << 5) | BASE32.indexOf(character)
    bits += 5
    while (bits >= 4) {
      bits -= 4
      hex += (held >> bits).toString(16)
      held &= (1 << bits) - 1
    }
  }
  return hex
}

/** SHA-1 of a torrent's info, and the multihash (12: SHA-256, 20: 32 bytes) of one of version 2. */
const TOPIC = /^urn:(?:btih:(?:([0-9a-f]{40})|([a-z2-7]{32}))|btmh:(1220[0-9a-f]{64}))$/

/**
 * The one spelling of a magnet link's topic (D-43): lower case, and 40 hexadecimal digits for
 * `urn:btih:` however it was written. null when it is no topic that we take.
 */
export const canonicalTopic = (text: string): string | null => {
  const match = TOPIC.exec(text.toLowerCase())
  if (match === null) return null
  const [, hex, base32, multihash] = match
  if (multihash !== undefined) return `urn:btmh:${multihash}`
  return `urn:btih:${hex ?? hexOfBase32(base32 ?? '')}`
}
