import { isIP } from 'node:net'
import { resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import { readPostgresUrl } from '../adapters/storage/postgres/address.ts'

/** Converts the text of a variable to its value; throws `BadValue`. */
export type Parser<T> = (text: string) => T

/** Why a text is refused; the message follows the text in a sentence: `is no port; give …`. */
export class BadValue extends Error {}

function textThat(isValid: (text: string) => boolean, problem: string): Parser<string> {
  return (text) => {
    if (!isValid(text)) throw new BadValue(problem)
    return text
  }
}

function numberLike(pattern: RegExp, most: number, problem: string): Parser<number> {
  return (text) => {
    if (!pattern.test(text) || Number(text) > most) throw new BadValue(problem)
    return Number(text)
  }
}

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i

/** An address or a host name to listen on. */
export const host = textThat(
  (text) => isIP(text) !== 0 || HOST_NAME.test(text),
  'is no address; give one such as 127.0.0.1, ::1 or 0.0.0.0',
)

/** A TCP port; 0 is any free one. */
export const port = numberLike(
  /^\d{1,5}$/,
  65_535,
  'is no port; give a whole number from 0 to 65535',
)

export const count = numberLike(
  /^[1-9]\d{0,3}$/,
  9999,
  'is no count; give a whole number from 1 to 9999',
)

/** A duration of at most an hour. */
export const seconds = numberLike(
  /^\d{1,4}$/,
  3600,
  'is no time; give whole seconds from 0 to 3600',
)

export const keyPrefix = textThat(
  (text) => /^[a-z][a-z0-9]{0,15}$/.test(text),
  'is no prefix; give 1 to 16 of a–z and 0–9, a letter first',
)

/** A name that people see. */
export const label = textThat(
  (text) => text.length <= 64 && !/\p{Cc}/u.test(text),
  'must have at most 64 characters and no control characters',
)

export const anyText: Parser<string> = (text) => text

/** A path, made absolute from the working directory. */
export const path: Parser<string> = (text) => resolve(text)

/** The address of a PostgreSQL database. */
export const databaseUrl: Parser<string> = (text) => {
  try {
    readPostgresUrl(text)
  } catch (error) {
    throw new BadValue(error instanceof Error ? error.message : String(error))
  }
  return text
}

/** The scheme and host of a public address. */
export const origin: Parser<string> = (text) => {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:\/\//i.test(text)) {
    throw new BadValue('is no web address; give one such as https://packs.example.org')
  }
  if (url.pathname !== '/' || url.username || url.password || /[?#]/.test(text)) {
    throw new BadValue('must end behind the host; leave out path, query and user')
  }
  return url.origin
}

/** Addresses and CIDR ranges, separated by commas or spaces. */
export const addresses: Parser<readonly string[]> = (text) => {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== '')
  const bad = entries.find((entry) =>
    entry.includes('/') ? !ipaddr.isValidCIDR(entry) : isIP(entry) === 0,
  )
  if (bad === undefined) return entries
  throw new BadValue(`holds "${bad}", no address or range; give such as 10.0.0.0/8, ::1`)
}

export function oneOf<W extends string>(words: readonly W[]): Parser<W> {
  return (text) => {
    const word = words.find((each) => each === text)
    if (word === undefined) throw new BadValue(`is not known; give one of ${words.join(', ')}`)
    return word
  }
}
