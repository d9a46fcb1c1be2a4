import { isIP } from 'node:net'
import { resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import { readPostgresUrl } from '../adapters/storage/postgres/address.ts'

/** What makes a value of a variable from its text; throws `BadValue`. */
export type Parser<T> = (text: string) => T

/** Why a text is no value, to be read after it: `is not a port; give …`. */
export class BadValue extends Error {}

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i
const KEY_PREFIX = /^[a-z][a-z0-9]{0,15}$/
const CONTROL = /\p{Cc}/u
const LABEL_LENGTH = 64
const HIGHEST_PORT = 65_535
const MOST_SECONDS = 3600

/** An address or a host name to listen on. */
export const host: Parser<string> = (text) => {
  if (isIP(text) === 0 && !HOST_NAME.test(text)) {
    throw new BadValue('is no address; give one such as 127.0.0.1, ::1 or 0.0.0.0')
  }
  return text
}

/** A TCP port; 0 is any free one. */
export const port: Parser<number> = (text) => {
  if (!/^\d{1,5}$/.test(text) || Number(text) > HIGHEST_PORT) {
    throw new BadValue(`is no port; give a whole number from 0 to ${HIGHEST_PORT}`)
  }
  return Number(text)
}

/** A whole number from 1 on. */
export const count: Parser<number> = (text) => {
  if (!/^[1-9]\d{0,3}$/.test(text)) {
    throw new BadValue('is no count; give a whole number from 1 to 9999')
  }
  return Number(text)
}

/** How long something takes, in whole seconds: at most an hour. */
export const seconds: Parser<number> = (text) => {
  if (!/^\d{1,4}$/.test(text) || Number(text) > MOST_SECONDS) {
    throw new BadValue(`is no time; give whole seconds from 0 to ${MOST_SECONDS}`)
  }
  return Number(text)
}

/** The address of a PostgreSQL database; it holds a password, so that no message may repeat it. */
export const databaseUrl: Parser<string> = (text) => {
  try {
    readPostgresUrl(text)
  } catch (error) {
    throw new BadValue(error instanceof Error ? error.message : String(error))
  }
  return text
}

/** A path, made absolute from where the process was started. */
export const path: Parser<string> = (text) => resolve(text)

/** The scheme and host of a public address. */
export const origin: Parser<string> = (text) => {
  const url = URL.canParse(text) ? new URL(text) : null
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
  if (!url || !isWeb || !/^https?:\/\//i.test(text)) {
    throw new BadValue('is no web address; give one such as https://packs.example.org')
  }
  if (url.pathname !== '/' || url.username || url.password || /[?#]/.test(text)) {
    throw new BadValue('must end behind the host; leave out path, query and user')
  }
  return url.origin
}

/** What stands before the underscore of a key. */
export const keyPrefix: Parser<string> = (text) => {
  if (!KEY_PREFIX.test(text)) {
    throw new BadValue('is no prefix; give 1 to 16 of a–z and 0–9, a letter first')
  }
  return text
}

/** A name that people see. */
export const label: Parser<string> = (text) => {
  if (text.length > LABEL_LENGTH || CONTROL.test(text)) {
    throw new BadValue(`must have at most ${LABEL_LENGTH} characters and no control characters`)
  }
  return text
}

/** Words that another side gave us; taken as they are, and never repeated in a message. */
export const secret: Parser<string> = (text) => text

/** Addresses and CIDR ranges, separated by commas or spaces. */
export const addresses: Parser<readonly string[]> = (text) => {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== '')
  const bad = entries.find((entry) => !isAddressOrRange(entry))
  if (bad !== undefined) {
    throw new BadValue(`holds "${bad}", no address or range; give such as 10.0.0.0/8, ::1`)
  }
  return entries
}

const isAddressOrRange = (entry: string): boolean =>
  entry.includes('/') ? ipaddr.isValidCIDR(entry) : isIP(entry) !== 0

/** One of a few words. */
export const oneOf =
  <W extends string>(words: readonly W[]): Parser<W> =>
  (text) => {
    const word = words.find((known) => known === text)
    if (word === undefined) throw new BadValue(`is not known; give one of ${words.join(', ')}`)
    return word
  }
