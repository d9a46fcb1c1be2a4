import { EXPORT_URL_LENGTH } from '../../contract/bounds.ts'
import { Failure } from '../../contract/failure.ts'
import { checkLabel } from '../../pool/text.ts'
import { canonicalTopic } from './info-hash.ts'
import { magnetParameters } from './magnet-parameters.ts'

const CONTROL = /\p{Cc}/u

const refuse = (problem: string): never => {
  throw new Failure('bad_request', problem)
}

/** Programs that find links in text end one at some of these. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )

const refuseLabel = (text: string, place: string): void => {
  const remedy = checkLabel(text)
  if (remedy !== null) refuse(`${place} ${remedy}`)
}

const checkText = (text: string): void => {
  if (text.length > EXPORT_URL_LENGTH) {
    refuse(`url must have at most ${EXPORT_URL_LENGTH} characters`)
  }
  if (CONTROL.test(text) || !text.isWellFormed()) refuse('url must not contain control characters')
  refuseLabel(text, 'url')
}

const nameOf = (names: readonly string[]): string => {
  if (names.length > 1) refuse('url must have at most one dn')
  const name = (names[0] ?? '').trim()
  if (CONTROL.test(name)) refuse('url must not contain control characters in its dn')
  refuseLabel(name, 'the dn of url')
  return name
}

/**
 * A magnet link in its one spelling (D-43): its topic, then its name if it has one. Trackers, web
 * seeds, peer hints and whatever else was in it are gone, so that equal links are equal texts.
 *
 * @throws Failure `bad_request` when it is none that we take; the message says what to mend.
 */
export const canonicalMagnet = (url: string): string => {
  const text = url.trim()
  checkText(text)
  const { xt, dn } = magnetParameters(text)
  if (xt.length !== 1) refuse('url must have exactly one xt')
  const topic =
    canonicalTopic(xt[0] ?? '') ??
    refuse('url must have an xt of urn:btih: (40 hex or 32 base32 digits) or urn:btmh:')
  const name = nameOf(dn)
  const canonical = `magnet:?xt=${topic}${name === '' ? '' : `&dn=${encode(name)}`}`
  checkText(canonical)
  return canonical
}
