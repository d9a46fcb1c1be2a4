import { isHttpsLink } from '../contract/bounds.ts'
import { inEnglish } from '../pool/remedy-words.ts'
import { findInName } from '../pool/text.ts'
import type { AccentPalette } from './accent.ts'

/** Whose site this is, as its visitors see it; the same in all processes (D-102). */
export type Installation = {
  readonly name: string
  /** `mailto:` or `https:`; null: none is given. */
  readonly contact: string | null
  /** null: the colours of the style sheets. */
  readonly accent: AccentPalette | null
  /** null: the mark of the software. */
  readonly logo: Logo | null
}

/** A picture that is safe to serve (D-104). */
export type Logo = {
  readonly type: 'image/svg+xml' | 'image/png'
  /** Below the site's address, without a leading slash; it changes with the content. */
  readonly path: string
  readonly bytes: Uint8Array
}

/** What the software is called, whatever a site that it serves is (D-102). */
export const SOFTWARE_NAME = 'Mapcrate'

/** In UTF-16 code units. */
const NAME_LENGTH = 40
const CONTACT_LENGTH = 200

/** What is wrong with a trimmed name (D-102), to be read after it; null when nothing is. */
export function checkSiteName(name: string): string | null {
  const problem = findInName(name, NAME_LENGTH)
  if (problem !== null) return inEnglish(problem)
  const hidden = hiddenIn(name)
  if (hidden === undefined) return null
  const code = hidden.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
  return `must not contain U+${code}: it cannot be seen; remove it`
}

/** Between two that are seen, some scripts and emoji need a joiner; after one, emoji a variation. */
const joined =
  /(?<=[^\p{Default_Ignorable_Code_Point}\s]\uFE0F?)[\u200C\u200D](?=[^\p{Default_Ignorable_Code_Point}\s])|(?<=[^\p{Default_Ignorable_Code_Point}\s])[\uFE0E\uFE0F]/gu

/** The first invisible character, so that two names look the same; undefined: there is none. */
const hiddenIn = (name: string): string | undefined =>
  /[\p{Default_Ignorable_Code_Point}\p{Cf}\u2800\u115F\u1160\u3164\uFFA0]/u.exec(
    name.replaceAll(joined, ''),
  )?.[0]

/** One mailbox (RFC 6068) without headers and percent-encoding. */
const MAILBOX =
  /^mailto:[a-z0-9.!#$&'*+/=^_`{|}~-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]*[a-z0-9]$/i

/** Those of RFC 3986 that no text around an address needs for itself. */
const SIGNS = /^[\w.~:/?#@!$&*+,;=%-]+$/

/** Whether an address may be given to visitors (D-102). */
export const isContact = (address: string): boolean =>
  address.length <= CONTACT_LENGTH &&
  (MAILBOX.test(address) || (SIGNS.test(address) && isHttpsLink(address)))
