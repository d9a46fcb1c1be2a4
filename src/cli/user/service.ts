import { CliError } from '../program.ts'
import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Wait } from '../../client/call.ts'
import { serviceAddress } from '../../client/connection.ts'
import { createClient, type PacksClient } from '../../client/packs.ts'
import { API_PREFIX } from '../../contract/endpoint.ts'
import { isKeyPlaceholder } from '../../contract/key-placeholder.ts'
import { readPackAddress } from '../arguments.ts'
import { systemCode } from '../system-error.ts'
import { fileError } from './errors.ts'
import type { CliContext } from './user-command.ts'
import { writeWhole } from './write-file.ts'

/** The service that commands speak to. */
export type Service = {
  readonly client: PacksClient
  /** Where its site stands, without a slash at its end. */
  readonly site: string
  /**
   * The slug of a pack by what was typed: the slug, or the address of the pack's page.
   *
   * @throws CliError for anything else, and for the address of another service.
   */
  readonly slugOf: (word: string) => string
  /** Tells the account from all others, on other services too; nothing of the key is in it. */
  readonly account: string
}

/** Shorter waits are over before one has read of them. */
const WORTH_TELLING_MS = 1_000
const LONG_MS = 10_000

const reasons: Readonly<Record<Wait['reason'], string>> = {
  pacing: "to keep to the service's limits",
  rate_limited: "this minute's quota is used up",
  retry: 'the service could not be reached',
}

/** An address as people type it: `packs.example` is a name, and one's own machine has no certificate. */
export const completeAddress = (text: string): string => {
  if (text.includes('://')) return text
  return /^(localhost|127\.|\[::1\])/.test(text) ? `http://${text}` : `https://${text}`
}

/** Where the site of an API's address stands. */
export const siteOf = (address: string): string => {
  try {
    return serviceAddress(address).slice(0, -API_PREFIX.length)
  } catch {
    throw new CliError(`"${address}" is no address of a service; give one as https://packs.example`)
  }
}

/** Speaks to a service; `fetch` may stand in between. */
export const openService = (
  { address, key }: Credentials,
  { screen, signal }: CliContext,
  through?: typeof fetch,
): Service => {
  const site = siteOf(address)
  const onWait = ({ reason, ms }: Wait): void => {
    if (ms >= WORTH_TELLING_MS) {
      screen.wait(`waiting ${Math.ceil(ms / 1000)} s: ${reasons[reason]}`, ms >= LONG_MS)
    }
  }
  if (!/^[!-~]+$/.test(key) || isKeyPlaceholder(key))
    throw new CliError('the key cannot be an API key; copy it again')
  const slugOf = (word: string): string => slugAt(site, word)
  return {
    site,
    slugOf,
    account: createHash('sha256').update(`${site} ${key}`).digest('hex'),
    client: createClient({ baseUrl: site, key, signal, onWait, fetch: through }),
  }
}

const slugAt = (site: string, word: string): string => {
  const address = readPackAddress(word)
  if (address === null) {
    throw new CliError(
      `"${word}" is no pack; give its slug, 10 letters, digits, hyphens or underscores, or the address of its page`,
    )
  }
  const { host } = new URL(site)
  if (address.host !== null && address.host !== host) {
    throw new CliError(`that pack is at ${address.host}, and you are logged in to ${host}`)
  }
  return address.slug
}

/**
 * Who to speak to: `MAPCRATE_URL` and `MAPCRATE_KEY` go before what the last login kept. A key that
 * was kept is sent to the address that it was kept for, and to no other.
 */
const findCredentials = async (around: CliContext): Promise<Credentials> => {
  const { MAPCRATE_URL: url = '', MAPCRATE_KEY: key = '' } = around.env
  const address = url === '' ? null : siteOf(completeAddress(url))
  if (address !== null && key !== '') return { address, key }
  const kept = await readCredentials(around)
  if (kept === null) {
    throw new CliError(
      'you are not logged in; run mapcrate login, or set MAPCRATE_URL and MAPCRATE_KEY',
    )
  }
  if (key !== '') return { address: kept.address, key }
  if (address !== null && address !== kept.address) {
    throw new CliError(
      `MAPCRATE_URL is ${address}, and you are logged in to ${kept.address}; set MAPCRATE_KEY, too, or log in there`,
    )
  }
  return kept
}

/** The service that one is logged in to. */
export const connect = async (around: CliContext, through?: typeof fetch): Promise<Service> =>
  openService(await findCredentials(around), around, through)

/** A service, and the key to it. */
export type Credentials = { readonly address: string; readonly key: string }

type Place = Pick<CliContext, 'env' | 'platform' | 'home'>

/** Where programs keep their settings here. */
const settingsFolder = ({ env, platform, home }: Place): string => {
  const { XDG_CONFIG_HOME: xdg = '', APPDATA: appData = '' } = env
  if (xdg !== '') return xdg
  if (platform === 'win32') return appData === '' ? join(home, 'AppData', 'Roaming') : appData
  return platform === 'darwin'
    ? join(home, 'Library', 'Application Support')
    : join(home, '.config')
}

/** The file that `mapcrate login` writes. */
export const credentialsFile = (place: Place): string =>
  join(settingsFolder(place), 'mapcrate', 'login.json')

const parse = (text: string): Partial<Credentials> | null => {
  try {
    return JSON.parse(text) as Partial<Credentials> | null
  } catch {
    return null
  }
}

/** What was kept by the last login; null when nothing was. */
const readCredentials = async (around: CliContext): Promise<Credentials | null> => {
  const file = credentialsFile(around)
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
    throw fileError(error, 'read', file)
  })
  if (text === null) return null
  const { address, key } = parse(text) ?? {}
  if (typeof address !== 'string' || typeof key !== 'string') {
    throw new CliError(`${file} is damaged; log in again with: mapcrate login`)
  }
  const { mode } = await stat(file)
  if (around.platform !== 'win32' && (mode & 0o077) !== 0) {
    around.screen.note(`Others on this machine can read your key: chmod 600 '${file}'`)
  }
  return { address, key }
}

/** Keeps them where nobody else can read them; gives the file. */
export const keepCredentials = async (around: Place, kept: Credentials): Promise<string> => {
  const file = credentialsFile(around)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw fileError(error, 'written', file)
  })
  await writeWhole(file, `${JSON.stringify(kept, null, 2)}\n`, { onlyMode: 0o600 })
  return file
}

/** Deletes what was kept; gives the file, or null when nothing was kept. */
export const forgetCredentials = async (around: Place): Promise<string | null> => {
  const file = credentialsFile(around)
  try {
    await rm(file)
    return file
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return null
    throw fileError(error, 'deleted', file)
  }
}
