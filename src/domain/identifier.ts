import { SLUG_PATTERN } from '../contract/bounds.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** How many random bytes an identifier of this length takes. */
const SLUG_LENGTH = 10
const ACCOUNT_ID_LENGTH = 16

/** One character for each byte, 6 of its bits used. */
const spell = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => ALPHABET.charAt(byte & 63)).join('')

type Bytes = { bytes(count: number): Uint8Array }

/** A pack's slug: 10 characters from 60 random bits (D-26). */
export const newSlug = (random: Bytes): string => spell(random.bytes(SLUG_LENGTH))

const SLUG = new RegExp(SLUG_PATTERN)

/** Could a pack have this slug? Where none could, no store is asked: not every store takes any text. */
export const isSlug = (text: string): boolean => SLUG.test(text)

/** An account's identifier: 16 characters from 96 random bits. */
export const newAccountId = (random: Bytes): string => spell(random.bytes(ACCOUNT_ID_LENGTH))
