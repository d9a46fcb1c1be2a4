import { SLUG_PATTERN } from '../contract/bounds.ts'
import type { ReasonsOf } from '../contract/error-reasons.ts'
import { isKeyPlaceholder } from '../contract/key-placeholder.ts'
import type { KeyFacts } from '../contract/keys.ts'
import { DAY_MS } from '../contract/quotas.ts'
import { type ServiceName, serviceTitles } from '../contract/services.ts'
import { timestamp } from './quotas.ts'

// Random texts: identifiers, and the API keys that open an account.

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
type RandomBytes = { bytes(count: number): Uint8Array }

/** An identifier of this length: one character for each random byte, 6 of its bits used. */
function newId(random: RandomBytes, length: number): string {
  let id = ''
  for (const byte of random.bytes(length)) id += ALPHABET.charAt(byte & 63)
  return id
}

/** An account's identifier: 16 characters from 96 random bits. */
export const newAccountId = (random: RandomBytes): string => newId(random, 16)

/** The slug of a pack or a tournament, or the id of a round: 10 characters from 60 random bits (D-26). */
export const newSlug = (random: RandomBytes): string => newId(random, 10)

/** Five collisions of 60 random bits in a row are not a coincidence. */
const SLUG_ATTEMPTS = 5

/** Calls `attempt` with new slugs until it returns something else than null, which says that the slug is taken. */
export async function withFreeSlug<T>(
  random: RandomBytes,
  attempt: (slug: string) => Promise<T | null>,
): Promise<T> {
  for (let count = 0; count < SLUG_ATTEMPTS; count++) {
    const made = await attempt(newSlug(random))
    if (made !== null) return made
  }
  throw new Error('no free slug found')
}

const SLUG = new RegExp(SLUG_PATTERN)

/** Whether something can have this slug. Checked before any query: not every store takes any text. */
export const isSlug = (text: string): boolean => SLUG.test(text)

/** How many random bytes a key is made from. */
export const API_KEY_BYTES = 28
const CHECKED_BYTES = API_KEY_BYTES + 4

/** Characters after the prefix and its underscore. */
const BODY_LENGTH = 43

/** Prefix, `_`, and base64url of 28 random bytes with their CRC-32, high byte first (D-40). */
export function makeApiKey(prefix: string, random: Uint8Array): string {
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

/** Whether this can be a key with this prefix; the checksum of a mistyped one saves the look-up. */
export function isApiKey(prefix: string, text: string): boolean {
  const start = prefix.length + 1
  if (text.length !== start + BODY_LENGTH) return false
  if (!text.startsWith(prefix) || text[prefix.length] !== '_') return false
  return readBody(text, start) && crc32(bytes, API_KEY_BYTES) === view.getUint32(API_KEY_BYTES)
}

/** The first four characters after the prefix: enough to tell one's keys apart, too few to use. */
export const shownPart = (prefix: string, key: string): string =>
  key.slice(prefix.length + 1, prefix.length + 5)

/** The token of an `Authorization` header; null without one, or with another scheme (D-4). */
export const bearerToken = (authorization: string | undefined): string | null =>
  (authorization && BEARER.exec(authorization)?.[1]) || null

const BEARER = /^[ \t]*bearer(?:[ \t]+(.*?))?[ \t]*$/is

/** Of a key that is whole and works no longer, or never did (D-50). */
export const NO_LIVE_KEY =
  'the API key is wrong, revoked or replaced; look for the key that the account has now, and make a new one only if that is lost: it ends the present one'

type KeyedService = { readonly service: ServiceName; readonly prefix: string }

/**
 * What is wrong with a bearer token that is no live key of this service (D-50) by its text: prefix,
 * length, characters and checksum are public. Nothing of the token is repeated. A new key would end
 * the present one, so the message advises to look for that first.
 */
export function explainToken(
  token: string,
  { service, prefix, other }: KeyedService & { readonly other: KeyedService },
): { readonly reason: ReasonsOf<'invalid_api_key'>; readonly message: string } {
  const say = (reason: ReasonsOf<'invalid_api_key'>, message: string) => ({ reason, message })
  const title = serviceTitles[service]
  const look = `send the key of the ${title}: ${prefix}_ and ${BODY_LENGTH} characters`
  if (isApiKey(prefix, token)) return say('key_not_live', NO_LIVE_KEY)
  if (/^["'\u0060]|["'\u0060]$/.test(token)) {
    return say('key_quoted', 'there are quotes around the API key; send it without')
  }
  if (/^bearer\b/i.test(token)) {
    return say('bearer_twice', 'the word Bearer is there twice; send it once, then the API key')
  }
  const ofOther = token.startsWith(`${other.prefix}_`)
  // One prefix may begin with the other.
  if (ofOther && (other.prefix.length > prefix.length || !token.startsWith(`${prefix}_`))) {
    const body = token.slice(other.prefix.length + 1)
    if (!isKeyPlaceholder(body)) {
      const message = `this is a key of the ${serviceTitles[other.service]}, which this service does not know; ${look}`
      return say('key_of_other_service', message)
    }
  }
  const body = token.startsWith(`${prefix}_`) ? token.slice(prefix.length + 1) : null
  if (isKeyPlaceholder(token) || (body !== null && isKeyPlaceholder(body))) {
    const message = `this is a placeholder or a variable without a value, not an API key; ${look}`
    return say('key_placeholder', message)
  }
  if (body === null) return say('not_a_key', `this is not an API key of this service; ${look}`)
  if (!/^[A-Za-z0-9_-]*$/.test(body)) {
    const message = `the API key holds a character that no key has; after ${prefix}_ there are only letters, digits, - and _; copy it again`
    return say('key_with_other_characters', message)
  }
  if (body.length < BODY_LENGTH) {
    const message = `the API key is cut short: it has ${body.length} of the ${BODY_LENGTH} characters after ${prefix}_; copy all of it`
    return say('key_cut_short', message)
  }
  if (body.length > BODY_LENGTH) {
    const message = `the API key is too long: it has ${body.length} characters after ${prefix}_ in place of ${BODY_LENGTH}; copy the key alone`
    return say('key_too_long', message)
  }
  const message =
    'the API key is mistyped: its checksum does not fit; copy it again from where you keep it'
  return say('key_mistyped', message)
}

/** What is shown of a key (D-40). */
export const presentKey = (key: {
  readonly shown: string
  readonly createdAt: number
  readonly lastUsedDay: number | null
}): KeyFacts => ({
  shown: key.shown,
  createdAt: timestamp(key.createdAt),
  lastUsedOn: key.lastUsedDay === null ? null : timestamp(key.lastUsedDay * DAY_MS).slice(0, 10),
})

/** Decodes a key's body into `bytes`; false when it is not the canonical spelling of 32 bytes. */
function readBody(text: string, start: number): boolean {
  let buffer = 0
  let bits = 0
  let at = 0
  for (let position = start; position < text.length; position += 1) {
    const digit = DIGITS[text.charCodeAt(position)] ?? NO_DIGIT
    if (digit === NO_DIGIT) return false
    buffer = ((buffer << 6) | digit) & 0xffff
    bits += 6
    if (bits >= 8) {
      bits -= 8
      bytes[at] = buffer >> bits
      at += 1
    }
  }
  // 43 characters hold two bits more than 32 bytes do.
  return (buffer & 3) === 0
}

/** Reused: every request decodes a key, and keeps none of its bytes. */
const bytes = new Uint8Array(CHECKED_BYTES)
const view = new DataView(bytes.buffer)

const NO_DIGIT = 255
const DIGITS = new Uint8Array(128).fill(NO_DIGIT)
for (let digit = 0; digit < ALPHABET.length; digit += 1) DIGITS[ALPHABET.charCodeAt(digit)] = digit

/** CRC-32 (reflected, EDB88320) of each byte; signed, as engines keep those as machine integers. */
const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1
  return rest
})

/** CRC-32 as in zip and PNG of the first `length` bytes: "123456789" gives CBF43926. */
export function crc32(bytes: Uint8Array, length: number): number {
  let rest = -1
  for (let at = 0; at < length; at += 1) {
    rest = (rest >>> 8) ^ (TABLE[(rest ^ (bytes[at] ?? 0)) & 255] ?? 0)
  }
  return ~rest >>> 0
}
