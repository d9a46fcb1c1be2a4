import { isIP } from 'node:net'
import { resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import { readPostgresUrl } from '../adapters/storage/postgres/address.ts'
import { type AccentPalette, paletteOf, UnreadableAccent } from '../domain/accent.ts'
import { POOLS_OWNER } from '../contract/page-data.ts'
import { checkSiteName, isContact, SOFTWARE_NAME } from '../domain/installation.ts'
import { escaped } from '../pool/terminal.ts'

/** A variable of the environment; `docs/configuration.md` describes each. */
export type Variable<T> = {
  /** Converts its text to its value. Throws `BadValue`. */
  readonly parse: (text: string) => T
  /** Its text when it is not set. */
  readonly fallback?: string
  /** No message may repeat its value, and `NAME_FILE` may name a file that contains it. */
  readonly isSecret?: boolean
}

/** Why a text is refused; the message follows the text in a sentence: `is no port; give …`. */
export class BadValue extends Error {}

/** A value for messages, on one line: of what may be an address with a user and a password, only what follows these. */
export const shown = (text: string): string =>
  escaped(text.replace(/^(?!mailto:(?!\/\/)).*:.*@/is, '…@'))

/** For a list of which a part is refused; the part may have been split out of a password. */
function badPart(text: string, part: string, problem: string): BadValue {
  const own = shown(part)
  return new BadValue(`holds "${shown(text).includes(own) ? own : '…'}", ${problem}`)
}

const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const

export const variables = {
  HOST: { parse: host, fallback: '127.0.0.1' },
  PORT: { parse: port, fallback: '8080' },
  POOLS_PORT: { parse: port, fallback: '8081' },
  PLATFORM_URL: { parse: origin },
  PLATFORM_CLIENT_ID: { parse: String },
  PLATFORM_CLIENT_SECRET: { parse: String, isSecret: true },
  PLATFORM_PORT: { parse: port, fallback: '8082' },
  INDEX_DIR: { parse: resolve },
  METRICS_PORT: { parse: port },
  HEALTH_PORT: { parse: port },
  DATA_DIR: { parse: resolve, fallback: './data' },
  DATABASE_URL: { parse: databaseUrl, isSecret: true },
  DATABASE_PREPARED: { parse: oneOf(['on', 'off']), fallback: 'on' },
  DATABASE_DIRECT_URL: { parse: databaseUrl, isSecret: true },
  DATABASE_CONNECTIONS: { parse: count, fallback: '10' },
  PACKS_URL: { parse: origin },
  POOLS_URL: { parse: origin },
  SITE_URL: { parse: origin },
  PACKS_KEY_PREFIX: { parse: keyPrefix, fallback: 'packs' },
  POOLS_KEY_PREFIX: { parse: keyPrefix, fallback: 'pools' },
  POOLS_OWNER_NAME: { parse: label, fallback: POOLS_OWNER },
  SITE_NAME: { parse: siteName, fallback: SOFTWARE_NAME },
  SITE_LOGO: { parse: String },
  SITE_ACCENT: { parse: accent },
  SITE_CONTACT: { parse: contact },
  DISCORD: { parse: oneOf(['on', 'off']), fallback: 'off' },
  DISCORD_URL: { parse: origin },
  DOWNLOAD_MIRRORS: { parse: mirrors },
  TRUSTED_PROXIES: { parse: addresses },
  TLS_CERT_FILE: { parse: resolve },
  TLS_KEY_FILE: { parse: resolve },
  DRAIN_SECONDS: { parse: seconds, fallback: '5' },
  LOG_LEVEL: { parse: oneOf(logLevels), fallback: 'info' },
} as const satisfies Readonly<Record<string, Variable<unknown>>>

export type VariableName = keyof typeof variables

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i

/** An address or a host name to listen on. */
function host(text: string): string {
  const isValid = isIP(text) !== 0 || HOST_NAME.test(text)
  return checked(text, isValid, 'is no address; give one such as 127.0.0.1, ::1 or 0.0.0.0')
}

/** 0 is any free one. */
function port(text: string): number {
  const isValid = /^\d{1,5}$/.test(text) && Number(text) <= 65_535
  return Number(checked(text, isValid, 'is no port; give a whole number from 0 to 65535'))
}

function count(text: string): number {
  const isValid = /^[1-9]\d{0,3}$/.test(text)
  return Number(checked(text, isValid, 'is no count; give a whole number from 1 to 9999'))
}

function seconds(text: string): number {
  const isValid = /^\d{1,4}$/.test(text) && Number(text) <= 3600
  return Number(checked(text, isValid, 'is no time; give whole seconds from 0 to 3600'))
}

function keyPrefix(text: string): string {
  const isValid = /^[a-z][a-z0-9]{0,15}$/.test(text)
  return checked(text, isValid, 'is no prefix; give 1 to 16 of a–z and 0–9, a letter first')
}

/** A name that people see. */
function label(text: string): string {
  const isValid = text.length <= 64 && !/\p{Cc}/u.test(text)
  return checked(text, isValid, 'must have at most 64 characters and no control characters')
}

/** What an installation is called (D-102). */
function siteName(text: string): string {
  const name = text.normalize('NFC').trim()
  const problem = checkSiteName(name)
  return checked(name, problem === null, problem ?? '')
}

function contact(text: string): string {
  const remedy = 'give mailto: with an address, or a page that begins with https://'
  return checked(text, isContact(text), `is nothing that visitors can use; ${remedy}`)
}

/** A colour as the style sheets have it, and what is made of it (D-103). */
function accent(text: string): AccentPalette {
  const isColor = /^#[0-9a-f]{6}$/i.test(text)
  checked(text, isColor, 'is no colour; give # and six digits, such as #0b655f')
  try {
    return paletteOf(text.toLowerCase())
  } catch (error) {
    if (error instanceof UnreadableAccent) throw new BadValue(error.message)
    throw error
  }
}

function databaseUrl(text: string): string {
  try {
    readPostgresUrl(text)
  } catch (error) {
    throw new BadValue(error instanceof Error ? error.message : String(error))
  }
  return text
}

/** The scheme and host of a public address. */
function origin(text: string): string {
  const isWeb = URL.canParse(text) && /^https?:\/\//i.test(text)
  checked(text, isWeb, 'is no web address; give one such as https://packs.example.org')
  const { pathname, username, password, origin } = new URL(text)
  const isOrigin = pathname === '/' && !username && !password && !/[?#]/.test(text)
  checked(text, isOrigin, 'must end after the host; leave out path, query and user')
  return origin
}

/** Addresses and CIDR ranges, separated by commas or spaces. */
function addresses(text: string): readonly string[] {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== '')
  const bad = entries.find((entry) =>
    entry.includes('/') ? !ipaddr.isValidCIDR(entry) : isIP(entry) === 0,
  )
  if (bad === undefined) return entries
  throw badPart(text, bad, 'no address or range; give such as 10.0.0.0/8, ::1')
}

/** Nothing that a content security policy would take for more than one host (`*`). */
const HOST = /^(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::[0-9]+)?$/

/** Addresses of mirrors, separated by spaces, each with `{set}` for the id of a set. */
function mirrors(text: string): readonly string[] {
  const entries = text.split(/\s+/).filter((entry) => entry !== '')
  for (const entry of entries) {
    const isWeb = URL.canParse(entry) && /^https?:\/\//i.test(entry)
    const { username, password, host } = isWeb
      ? new URL(entry)
      : { username: '', password: '', host: '' }
    const isTemplate = entry.includes('{set}') && HOST.test(host) && !/[#"';,]/.test(entry)
    if (isWeb && !username && !password && isTemplate) continue
    const remedy = 'no address of a mirror; give such as https://mirror.example/d/{set}'
    throw badPart(text, entry, remedy)
  }
  return [...new Set(entries)]
}

function oneOf<W extends string>(words: readonly W[]): (text: string) => W {
  return (text) => {
    const word = words.find((each) => each === text)
    if (word === undefined) throw new BadValue(`is not known; give one of ${words.join(', ')}`)
    return word
  }
}

function checked(text: string, isValid: boolean, problem: string): string {
  if (!isValid) throw new BadValue(problem)
  return text
}
