import { createHash } from 'node:crypto'
import { mkdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Wait } from '../../client/call.ts'
import { serviceAddress } from '../../client/connection.ts'
import { createClient, type PacksClient } from '../../client/packs.ts'
import { API_PREFIX } from '../../contract/endpoint.ts'
import { isKeyPlaceholder } from '../../contract/key-placeholder.ts'
import type { Pack } from '../../contract/packs.ts'
import { readPackAddress } from '../arguments.ts'
import { CliError } from '../program.ts'
import { systemCode } from '../system-error.ts'
import { fileError, hasCode } from './errors.ts'
import { parseJson, readIfThere, writeWhole } from './files.ts'
import type { CliContext } from './user-command.ts'

export type Service = {
  readonly client: PacksClient
  /** The address of its site, without a slash at the end. */
  readonly site: string
  /** The slug of the pack that the first word of the call names: by slug, or by address of this service. */
  readonly slug: () => string
  /** Identifies the account among those of all services, without revealing the key. */
  readonly account: string
}

export type Credentials = { readonly address: string; readonly key: string }

/** Shorter waits are over before one has read the message. */
const SHOWN_WAIT_MS = 1_000
/** Saves that are paced wait for six seconds each; only a service that is gone is not there for five. */
const LONG_WAITS_MS = { pacing: 10_000, rate_limited: 10_000, retry: 5_000 }

const reasons: Readonly<Record<Wait['reason'], string>> = {
  pacing: "to keep to the service's limits",
  rate_limited: "this minute's quota is used up",
  retry: 'the service could not be reached',
}

export async function connect(context: CliContext, fetchWith?: typeof fetch): Promise<Service> {
  return openService(await findCredentials(context), context, fetchWith)
}

export function openService(
  { address, key }: Credentials,
  { words: [word = ''], screen, signal }: CliContext,
  fetchWith?: typeof fetch,
): Service {
  const site = siteOf(address)
  if (!/^[!-~]+$/.test(key) || isKeyPlaceholder(key)) {
    throw new CliError('the key cannot be an API key; copy it again')
  }
  const onWait = ({ reason, ms }: Wait): void => {
    if (ms < SHOWN_WAIT_MS) return
    screen.wait(
      `waiting ${Math.ceil(ms / 1000)} s: ${reasons[reason]}`,
      ms >= LONG_WAITS_MS[reason],
    )
  }
  return {
    site,
    slug: () => slugAt(new URL(site).host, word),
    account: createHash('sha256').update(`${site} ${key}`).digest('hex'),
    client: createClient({ baseUrl: site, key, signal, onWait, fetch: fetchWith }),
  }
}

/** null if there is none that the account may read. */
export async function findPack(client: PacksClient, slug: string): Promise<Pack | null> {
  return client.getPack(slug).catch((error: unknown) => {
    if (hasCode(error, 'not_found')) return null
    throw error
  })
}

/** Completes an address: `packs.example` is a name, and one's own machine has no certificate. */
export function completeAddress(text: string): string {
  if (text.includes('://')) return text
  return /^(localhost|127\.|\[::1\])/.test(text) ? `http://${text}` : `https://${text}`
}

export function siteOf(address: string): string {
  try {
    return serviceAddress(address).slice(0, -API_PREFIX.length)
  } catch {
    throw new CliError(`"${address}" is no address of a service; give one as https://packs.example`)
  }
}

function slugAt(host: string, word: string): string {
  const address = readPackAddress(word)
  if (address === null) {
    throw new CliError(
      `"${word}" is no pack; give its slug, 10 letters, digits, hyphens or underscores, or the address of its page`,
    )
  }
  if (address.host === null || address.host === host) return address.slug
  throw new CliError(`that pack is at ${address.host}, and you are logged in to ${host}`)
}

/**
 * `MAPCRATE_URL` and `MAPCRATE_KEY` take precedence over what the last login stored. A stored key is
 * sent to the address that it was stored for, and to no other.
 */
async function findCredentials(context: CliContext): Promise<Credentials> {
  const { MAPCRATE_URL: url = '', MAPCRATE_KEY: key = '' } = context.env
  const address = url === '' ? null : siteOf(completeAddress(url))
  if (address !== null && key !== '') return { address, key }
  const stored = await readCredentials(context)
  if (stored === null) {
    throw new CliError(
      'you are not logged in; run mapcrate login, or set MAPCRATE_URL and MAPCRATE_KEY',
    )
  }
  if (key !== '') return { address: stored.address, key }
  if (address === null || address === stored.address) return stored
  throw new CliError(
    `MAPCRATE_URL is ${address}, and you are logged in to ${stored.address}; set MAPCRATE_KEY, too, or log in there`,
  )
}

export function credentialsFile(context: CliContext): string {
  return join(settingsFolder(context), 'mapcrate', 'login.json')
}

function settingsFolder({ env, platform, home }: CliContext): string {
  const { XDG_CONFIG_HOME: xdg = '', APPDATA: appData = '' } = env
  if (xdg !== '') return xdg
  if (platform === 'win32') return appData === '' ? join(home, 'AppData', 'Roaming') : appData
  return join(home, ...(platform === 'darwin' ? ['Library', 'Application Support'] : ['.config']))
}

async function readCredentials(context: CliContext): Promise<Credentials | null> {
  const file = credentialsFile(context)
  const bytes = await readIfThere(file, ['ENOENT', 'ENOTDIR'])
  if (bytes === null) return null
  const { address, key } = (parseJson(bytes) ?? {}) as Partial<Credentials>
  if (typeof address !== 'string' || typeof key !== 'string') {
    throw new CliError(`${file} is damaged; log in again with: mapcrate login`)
  }
  const { mode } = await stat(file)
  if (context.platform !== 'win32' && (mode & 0o077) !== 0) {
    context.screen.note(`Others on this machine can read your key: chmod 600 '${file}'`)
  }
  return { address, key }
}

export async function storeCredentials(file: string, credentials: Credentials): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw fileError(error, 'written', file)
  })
  await writeWhole(file, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 })
}

/** Returns whether there was a file. */
export async function deleteCredentials(file: string): Promise<boolean> {
  try {
    await rm(file)
    return true
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return false
    throw fileError(error, 'deleted', file)
  }
}
