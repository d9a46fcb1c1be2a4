import { createHash } from 'node:crypto'
import { rm, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import type { ClientOptions, Wait } from '../../client/call.ts'
import { serviceAddress } from '../../client/connection.ts'
import { createClient, type PacksClient } from '../../client/packs.ts'
import type { PoolsClient } from '../../client/pools-client.ts'
import { createPoolsClient } from '../../client/tournaments.ts'
import { API_PREFIX } from '../../contract/endpoint.ts'
import { isKeyPlaceholder } from '../../contract/key-placeholder.ts'
import type { Pack } from '../../contract/packs.ts'
import type { ServiceName } from '../../contract/services.ts'
import { type Addressed, notAddressed, readAddress, withoutPassword } from '../arguments.ts'
import { CliError, type CommandOption } from '../program.ts'
import { systemCode } from '../system-error.ts'
import { describeError, fileError, hasCode, loginCommands } from './errors.ts'
import { makeFolder, parseJson, readIfThere, writeWhole } from './files.ts'
import { withoutKeys } from './screen.ts'
import type { CliContext } from './user-command.ts'

export type Service<S extends ServiceName = 'packs'> = {
  readonly client: Clients[S]
  /** The address of its site, without a slash at the end. */
  readonly site: string
  /** The slug of the pack or tournament that the first word of the call names: by slug, or by address of this service. */
  readonly slug: () => string
  /** Identifies the account among those of all services, without revealing the key. */
  readonly account: string
}

export type PoolsService = Service<'pools'>

type Clients = { readonly packs: PacksClient; readonly pools: PoolsClient }

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

/** What the service itself says of a failure, if it was reached. */
function reasonOf({ reason, error }: Wait): string {
  const isOwn = reason === 'retry' && hasCode(error, 'internal_error', 'unavailable')
  return isOwn ? describeError(error) : reasons[reason]
}

/** Each service has an address and keys of its own. */
const logins = {
  packs: {
    holds: 'pack',
    title: '',
    file: 'login.json',
    url: 'MAPCRATE_URL',
    key: 'MAPCRATE_KEY',
    command: loginCommands.packs,
  },
  pools: {
    holds: 'tournament',
    title: ' to the tournament-pools service, which has an address and keys of its own',
    file: 'pools-login.json',
    url: 'MAPCRATE_POOLS_URL',
    key: 'MAPCRATE_POOLS_KEY',
    command: loginCommands.pools,
  },
} as const

export const serviceOption: CommandOption = {
  name: 'service',
  takes: 'SERVICE',
  choices: Object.keys(logins),
  about: 'packs or pools: the tournament-pools service has keys of its own (default: packs)',
}

export const serviceIn = ({ options }: CliContext): ServiceName =>
  options.get('service') === 'pools' ? 'pools' : 'packs'

/** The names of the variables that precede what is stored, and the command that stores it. */
export const loginOf = (service: ServiceName) => logins[service]

export const connect = (context: CliContext, fetchWith?: typeof fetch): Promise<Service> =>
  connectTo('packs', context, fetchWith)

export const connectPools = (
  context: CliContext,
  fetchWith?: typeof fetch,
): Promise<PoolsService> => connectTo('pools', context, fetchWith)

export async function connectTo<S extends ServiceName>(
  service: S,
  context: CliContext,
  fetchWith?: typeof fetch,
): Promise<Service<S>> {
  return openService(service, await findCredentials(context, service), context, fetchWith)
}

const createClients: { readonly [S in ServiceName]: (options: ClientOptions) => Clients[S] } = {
  packs: createClient,
  pools: createPoolsClient,
}

export function openService<S extends ServiceName>(
  service: S,
  { address, key }: Credentials,
  context: CliContext,
  fetchWith?: typeof fetch,
): Service<S> {
  const { screen, signal } = context
  const site = siteOf(address)
  if (!/^[!-~]+$/.test(key) || isKeyPlaceholder(key)) {
    throw new CliError('the key cannot be an API key; copy it again')
  }
  const onWait = (wait: Wait): void => {
    const { reason, ms } = wait
    if (ms < SHOWN_WAIT_MS) return
    screen.wait(`waiting ${Math.ceil(ms / 1000)} s: ${reasonOf(wait)}`, ms >= LONG_WAITS_MS[reason])
  }
  const options = { baseUrl: site, key, signal, onWait, fetch: fetchWith }
  return {
    site,
    slug: () => slugAt(new URL(site).host, logins[service].holds, context),
    account: createHash('sha256').update(`${site} ${key}`).digest('hex'),
    client: createClients[service](options),
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
    if (holdsKey(address)) throw new TypeError('an API key is in place of the address')
    return serviceAddress(address).slice(0, -API_PREFIX.length)
  } catch {
    const shown = holdsKey(address) ? '…' : withoutPassword(address)
    throw new CliError(`"${shown}" is no address of a service; give one as https://packs.example`)
  }
}

/** What begins as a key does, also where it is given as the name of a host. */
const KEY_START = /^\s*(?:https?:\/\/)?(?:packs|pools)_/i

/** Keys and addresses are mixed up easily, and names of hosts are told to servers of names. */
const holdsKey = (address: string): boolean =>
  KEY_START.test(address) || withoutKeys(address) !== address

function slugAt(own: string, kind: Addressed, { words: [word = ''] }: CliContext): string {
  const address = readAddress(kind, word)
  if (address === null) throw new CliError(notAddressed(kind, word))
  const { slug, host } = address
  if (host === null || host === own) return slug
  throw new CliError(`that ${kind} is at ${host}, and you are logged in to ${own}`)
}

/**
 * The variables of the environment take precedence over what the last login stored. A stored key is sent to the
 * address that it was stored for, and to no other.
 */
async function findCredentials(context: CliContext, service: ServiceName): Promise<Credentials> {
  const names = logins[service]
  const { [names.url]: url = '', [names.key]: given = '' } = context.env
  // Files of settings may end their lines as Windows does.
  const key = given.trim()
  const address = url === '' ? null : siteOf(completeAddress(url))
  if (address !== null && key !== '') return { address, key }
  const stored = await readCredentials(context, service)
  if (stored === null) {
    throw new CliError(
      `you are not logged in${names.title}; run ${names.command}, or set ${names.url} and ${names.key}`,
    )
  }
  await warnOfReaders(context, service)
  if (key !== '') return { address: stored.address, key }
  if (address === null || address === stored.address) return stored
  throw new CliError(
    `${names.url} is ${address}, and you are logged in to ${stored.address}; set ${names.key}, too, or log in there`,
  )
}

export function credentialsFile(context: CliContext, service: ServiceName = 'packs'): string {
  return join(settingsFolder(context), 'mapcrate', logins[service].file)
}

function settingsFolder({ env, platform, home }: CliContext): string {
  const { XDG_CONFIG_HOME: xdg = '', APPDATA: appData = '' } = env
  // A relative one counts for nothing, by the XDG specification: it would be another folder in each folder.
  if (isAbsolute(xdg)) return xdg
  if (platform === 'win32') return appData === '' ? join(home, 'AppData', 'Roaming') : appData
  return join(home, ...(platform === 'darwin' ? ['Library', 'Application Support'] : ['.config']))
}

/** The address of the service's site, which answers some questions without a key; null if none is known. */
export async function findSite(context: CliContext, service: ServiceName): Promise<string | null> {
  const { [logins[service].url]: url = '' } = context.env
  if (url !== '') return siteOf(completeAddress(url))
  return (await readCredentials(context, service))?.address ?? null
}

async function readCredentials(
  context: CliContext,
  service: ServiceName,
): Promise<Credentials | null> {
  const file = credentialsFile(context, service)
  const bytes = await readIfThere(file, ['ENOENT', 'ENOTDIR'])
  if (bytes === null) return null
  const { address, key } = (parseJson(bytes) ?? {}) as Partial<Credentials>
  if (typeof address !== 'string' || typeof key !== 'string') {
    throw new CliError(`${file} is damaged; log in again with: ${logins[service].command}`)
  }
  return { address, key }
}

async function warnOfReaders(context: CliContext, service: ServiceName): Promise<void> {
  const file = credentialsFile(context, service)
  const { mode } = await stat(file)
  if (context.platform !== 'win32' && (mode & 0o077) !== 0) {
    context.screen.note(`Others on this machine can read your key: chmod 600 '${file}'`)
  }
}

export async function storeCredentials(file: string, credentials: Credentials): Promise<void> {
  await makeFolder(dirname(file), 0o700).catch((error: unknown) => {
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
