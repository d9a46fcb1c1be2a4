import { EXPORT_URL_LENGTH, MAX_EXPORTS } from '../contract/bounds.ts'
import { AppError } from '../contract/errors.ts'
import { ofPrograms, type Wrong, wrong } from '../pool/input-words.ts'
import { invalidInput } from './invalid-input.ts'
import { findInLabel } from '../pool/text.ts'
import type { SavedExport, SavedPack } from './packs.ts'

/**
 * A magnet link in its one spelling (D-43): its topic, then its name if it has one, nothing else,
 * so that equal links are equal texts. Throws `bad_request` for one that is not accepted.
 */
export function canonicalMagnet(url: string): string {
  const text = url.trim()
  checkText(text)
  const { xt, dn } = magnetParameters(text)
  if (xt.length !== 1) refuse(ofPrograms('must have exactly one xt'))
  const topic =
    canonicalTopic(xt[0] ?? '') ??
    refuse(ofPrograms('must have an xt of urn:btih: (40 hex or 32 base32 digits) or urn:btmh:'))
  if (dn.length > 1) refuse(ofPrograms('must have at most one dn'))
  const name = (dn[0] ?? '').trim()
  if (CONTROL.test(name)) refuse(ofPrograms('must not contain control characters in its dn'))
  refuseLabel(name, 'the dn of url')
  const canonical = `magnet:?xt=${topic}${name === '' ? '' : `&dn=${encode(name)}`}`
  checkText(canonical)
  return canonical
}

/**
 * The pack's magnet links with a new one in front, in canonical form (D-43). Throws `conflict` when
 * the pack has another key than the link was made for, has the link, or is full.
 */
export function withExport(
  pack: Pick<SavedPack, 'packKey' | 'exports'>,
  link: { readonly url: string; readonly packKey: string },
  now: number,
): readonly SavedExport[] {
  if (pack.packKey !== link.packKey) {
    conflict('pack_changed', 'the pack has changed since this link was created; create a new link')
  }
  if (pack.exports.some(({ url }) => url === link.url)) {
    conflict('export_exists', 'this magnet link has already been added')
  }
  if (pack.exports.length >= MAX_EXPORTS) {
    conflict(
      'too_many_exports',
      `a pack can have at most ${MAX_EXPORTS} magnet links; remove one first`,
    )
  }
  return [{ url: link.url, createdAt: now }, ...pack.exports]
}

function conflict(
  reason: 'pack_changed' | 'export_exists' | 'too_many_exports',
  message: string,
): never {
  throw new AppError(`conflict:${reason}`, message)
}

/** The pack's magnet links without this canonical one; `not_found` when it is not among them. */
export function withoutExport(
  { exports }: Pick<SavedPack, 'exports'>,
  url: string,
): readonly SavedExport[] {
  const rest = exports.filter((each) => each.url !== url)
  if (rest.length < exports.length) return rest
  throw new AppError('not_found:no_such_export', 'the pack does not have this magnet link')
}

const CONTROL = /\p{Cc}/u

function checkText(text: string): void {
  if (text.length > EXPORT_URL_LENGTH) {
    refuse({ what: wrong('mostCharacters', { most: EXPORT_URL_LENGTH }) })
  }
  if (CONTROL.test(text) || !text.isWellFormed()) refuse({ what: wrong('anyControls') })
  refuseLabel(text, 'url')
}

function refuseLabel(text: string, place: string): void {
  const what = findInLabel(text)
  if (what !== null) refuse({ what }, place)
}

function refuse(problem: Wrong, place = 'url'): never {
  throw invalidInput([{ place, ...problem }])
}

/** With the marks at which programs that find links in text end one. */
function encode(text: string): string {
  const escape = (mark: string) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`
  return encodeURIComponent(text).replace(/[!'()*]/g, escape)
}

/** The decoded values of a link's `xt` and `dn` (D-43). */
function magnetParameters(url: string): Readonly<Record<'xt' | 'dn', readonly string[]>> {
  if (!SCHEME.test(url)) refuse(ofPrograms('must begin with magnet:?'))
  const [query = ''] = url.replace(SCHEME, '').split('#', 1)
  const found = { xt: [] as string[], dn: [] as string[] }
  for (const parameter of query.split('&')) {
    const cut = parameter.indexOf('=')
    const name = parameter.slice(0, Math.max(cut, 0)).toLowerCase().replace(NUMBER, '')
    if (name === 'xt' || name === 'dn') found[name].push(decode(parameter.slice(cut + 1)))
  }
  return found
}

const SCHEME = /^magnet:\?/i
/** Several topics may be numbered: `xt.1`, `xt.2`. */
const NUMBER = /\.[0-9]+$/

/** A plus is a space, as in programs that read magnet links. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return refuse(ofPrograms('must use valid percent-encoded UTF-8'))
  }
}

/** A topic in lower case, that of `urn:btih:` as 40 hexadecimal digits; null when we take no such topic. */
function canonicalTopic(text: string): string | null {
  const match = TOPIC.exec(text.toLowerCase())
  if (match === null) return null
  const [, hex, base32, multihash] = match
  if (multihash !== undefined) return `urn:btmh:${multihash}`
  return `urn:btih:${hex ?? hexOfBase32(base32 ?? '')}`
}

/** SHA-1 of a torrent's info; or, of version 2, its multihash (12: SHA-256, 20: 32 bytes). */
const TOPIC = /^urn:(?:btih:(?:([0-9a-f]{40})|([a-z2-7]{32}))|btmh:(1220[0-9a-f]{64}))$/

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'

/** 4 characters of base32 hold 20 bits: 5 digits of the same number in hexadecimal. */
function hexOfBase32(text: string): string {
  let hex = ''
  for (let at = 0; at < text.length; at += 4) {
    const digits = Array.from(text.slice(at, at + 4), (digit) => BASE32.indexOf(digit))
    const bits = digits.reduce((sum, digit) => sum * 32 + digit, 0)
    hex += bits.toString(16).padStart(5, '0')
  }
  return hex
}
