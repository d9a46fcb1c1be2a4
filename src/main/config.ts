import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import type { Installation, Logo } from '../domain/installation.ts'
import { LogoProblem } from '../domain/logo.ts'
import { editDistance } from '../pool/text.ts'
import { originsOf } from '../door/sessions.ts'
import { localUrl } from './listen.ts'
import { readLogo } from './logo.ts'
import { StartupError } from './startup-error.ts'
import { BadValue, shown, type Variable, type VariableName, variables } from './variables.ts'

/** What a process can do; one process does all, or several share the work over one database. */
export const roles = ['api', 'site', 'pools', 'worker'] as const

/**
 * `api`: the API of the packs service, and `site`: the website with the search index, both on PORT.
 * `pools`: the tournament-pools service with its site. `worker`: stats and the building of
 * the search index.
 */
export type Role = (typeof roles)[number]

export const allRoles: ReadonlySet<Role> = new Set(roles)

/** The game platform and this server's credentials for it. */
export type PlatformConfig = NonNullable<ReturnType<typeof readPlatform>>

/** The checked configuration. Paths are absolute, addresses have no slash at the end; port 0 is any free one. */
export type Config = Readonly<ReturnType<typeof readConfig>>

/** Everything that is wrong with the configuration, one line for each variable. */
export class ConfigProblems extends StartupError {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`the configuration cannot be used:\n${problems.map((line) => `  ${line}`).join('\n')}`)
    this.problems = problems
  }
}

export type Environment = Readonly<Record<string, string | undefined>>

type Report = (name: VariableName, problem: string) => void

/** Reads the environment; an empty variable counts as not set. Throws `ConfigProblems`. */
export function loadConfig(env: Environment = process.env): Config {
  const problems: string[] = []
  const report: Report = (name, problem) => {
    // A value that was refused may fail later checks for no reason of its own.
    if (problems.some((line) => line.startsWith(`${name} `))) return
    problems.push(`${name} ${problem}`)
  }
  const config = readConfig(env, report)
  checkTogether(config, report)
  checkAddresses(config, report)
  if (problems.length > 0) throw new ConfigProblems(problems)
  for (const part of Object.values(config)) Object.freeze(part)
  return Object.freeze(config)
}

/**
 * Names in the environment that are no settings but are spelled almost like one, each with that one; so is `_FILE` behind
 * one that is no secret.
 */
export function misspelt(
  env: Environment = process.env,
): readonly (readonly [name: string, setting: string])[] {
  const settings = Object.entries<Variable<unknown>>(variables).flatMap(([name, { isSecret }]) =>
    isSecret ? [name, `${name}_FILE`] : [name],
  )
  // Other programs have variables such as POST and HOSTS.
  const long = settings.filter((name) => lettersOf(name).length >= SHORTEST_COMPARED)
  return Object.keys(env).flatMap((name) => {
    const letters = lettersOf(name)
    if (letters.length > LONGEST_COMPARED || settings.includes(name) || !env[name]) return []
    const near =
      long.find((each) => `${each}_FILE` === name) ??
      long.find((each) => editDistance(letters, lettersOf(each)) <= 1)
    return near === undefined ? [] : [[name, near]]
  })
}

const SHORTEST_COMPARED = 7
const LONGEST_COMPARED = 32

const lettersOf = (name: string): string => name.replaceAll(/[^A-Za-z0-9]/g, '').toUpperCase()

function readConfig(env: Environment, report: Report) {
  const read = <N extends VariableName>(name: N): Value<N> => readVariable(env, name, report)
  return {
    host: read('HOST'),
    ports: { packs: read('PORT'), pools: read('POOLS_PORT') },
    /** null: the stand-in platform. */
    platform: readPlatform(
      read('PLATFORM_URL'),
      read('PLATFORM_CLIENT_ID'),
      read('PLATFORM_CLIENT_SECRET'),
      report,
    ),
    platformPort: read('PLATFORM_PORT'),
    metricsPort: read('METRICS_PORT'),
    healthPort: read('HEALTH_PORT'),
    dataDir: read('DATA_DIR'),
    /** A secret. null: the store is a file in `dataDir`. */
    databaseUrl: read('DATABASE_URL'),
    /** The same database without the pooler, for migrations; a secret. null: `databaseUrl`. */
    databaseDirectUrl: read('DATABASE_DIRECT_URL'),
    databasePrepared: read('DATABASE_PREPARED') === 'on',
    databaseConnections: read('DATABASE_CONNECTIONS'),
    indexDir: read('INDEX_DIR'),
    publicUrls: { packs: read('PACKS_URL'), pools: read('POOLS_URL'), site: read('SITE_URL') },
    keyPrefixes: { packs: read('PACKS_KEY_PREFIX'), pools: read('POOLS_KEY_PREFIX') },
    poolsOwnerName: read('POOLS_OWNER_NAME'),
    installation: {
      name: read('SITE_NAME'),
      contact: read('SITE_CONTACT'),
      accent: read('SITE_ACCENT'),
      logo: readOwnLogo(read('DATA_DIR'), read('SITE_LOGO'), report),
    } satisfies Installation,
    sendsToDiscord: read('DISCORD') === 'on',
    /** null: Discord itself, or the stand-in where that is the platform. */
    discordUrl: read('DISCORD_URL'),
    mirrors: read('DOWNLOAD_MIRRORS') ?? [],
    trustedProxies: read('TRUSTED_PROXIES') ?? [],
    /** PEM texts; null: plain HTTP. */
    tls: readTls(read('TLS_CERT_FILE'), read('TLS_KEY_FILE'), report),
    drainSeconds: read('DRAIN_SECONDS'),
    inheritedSockets: countInheritedSockets(env),
    logLevel: read('LOG_LEVEL'),
  } as const
}

/** How many listening sockets a supervisor has opened for this process (sd_listen_fds(3)). */
function countInheritedSockets(env: Environment): number {
  return env['LISTEN_PID'] === String(process.pid) ? Number(env['LISTEN_FDS']) || 0 : 0
}

type Value<N extends VariableName> =
  | ReturnType<(typeof variables)[N]['parse']>
  | ((typeof variables)[N] extends { readonly fallback: string } ? never : null)

/** The value of a variable; null when it is not set and has no default, or was refused. */
function readVariable<N extends VariableName>(env: Environment, name: N, report: Report): Value<N> {
  const { parse, fallback, isSecret }: Variable<unknown> = variables[name]
  let text: string | undefined
  try {
    text = (isSecret ? readSecret(env, name) : env[name]?.trim()) || fallback
    return (text === undefined ? null : parse(text)) as Value<N>
  } catch (error) {
    if (!(error instanceof BadValue)) throw error
    report(name, isSecret ? error.message : `"${shown(text ?? '')}" ${error.message}`)
    return null as Value<N>
  }
}

/** A secret, from its variable or the file that `NAME_FILE` names (containers, systemd). Throws `BadValue`. */
function readSecret(env: Environment, name: VariableName): string | undefined {
  const fileName = `${name}_FILE`
  const file = env[fileName]?.trim()
  const value = env[name]?.trim()
  if (!file) return value
  if (value) throw new BadValue(`and ${fileName} are both set; keep one of them`)
  let text: string
  try {
    text = readFileSync(file, 'utf8').trim()
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new BadValue(`is not known: ${fileName} "${shown(file)}" cannot be read (${code})`)
  }
  if (text === '') throw new BadValue(`is not known: ${fileName} "${shown(file)}" is empty`)
  return text
}

function readPlatform(
  url: string | null,
  clientId: string | null,
  clientSecret: string | null,
  report: Report,
) {
  if (clientId !== null && clientSecret !== null) {
    const coversUrl = 'https://assets.ppy.sh'
    return { url: url ?? 'https://osu.ppy.sh', coversUrl, clientId, clientSecret }
  }
  const given = [url && 'PLATFORM_URL', clientId && 'PLATFORM_CLIENT_ID'].find((name) => name)
  const missing = clientId === null ? 'PLATFORM_CLIENT_ID' : 'PLATFORM_CLIENT_SECRET'
  if (given) report(missing, `is not set though ${given} is; register an application and set it`)
  else if (clientSecret) report(missing, 'is not set though PLATFORM_CLIENT_SECRET is; set both')
  return null
}

/** Checks variables against each other. A value that was refused already is null here. */
function checkTogether(config: Config, report: Report): void {
  const { ports, keyPrefixes, platform, platformPort, metricsPort, healthPort } = config
  if (config.databaseDirectUrl !== null && config.databaseUrl === null) {
    report('DATABASE_URL', 'is not set though DATABASE_DIRECT_URL is; set both or neither')
  }
  const used: [VariableName, number | null][] = [
    ['PORT', ports.packs],
    ['POOLS_PORT', ports.pools],
    ['PLATFORM_PORT', platform === null ? platformPort : null],
    ['METRICS_PORT', metricsPort],
    ['HEALTH_PORT', healthPort],
  ]
  for (const [at, [name, port]] of used.entries()) {
    const [other] = used.slice(0, at).find(([, taken]) => port && taken === port) ?? []
    if (other) report(name, `is ${port} as ${other} is; give each its own port`)
  }
  if (keyPrefixes.packs !== null && keyPrefixes.packs === keyPrefixes.pools) {
    report('POOLS_KEY_PREFIX', `is "${keyPrefixes.pools}" as PACKS_KEY_PREFIX is; they must differ`)
  }
}

/** Checks that no two are at one address, under whichever of its names: each would get what is for the other. */
function checkAddresses(config: Config, report: Report): void {
  const { publicUrls, ports, platform, discordUrl } = config
  const { packs, pools, site } = publicUrls
  const taken: [name: VariableName, url: string, how: string][] = []
  if (packs === null && ports.packs)
    taken.push(['PACKS_URL', localUrl(config, ports.packs), ' by default'])
  if (pools === null && ports.pools)
    taken.push(['POOLS_URL', localUrl(config, ports.pools), ' by default'])
  const given: [VariableName, string | null | undefined][] = [
    ['PACKS_URL', packs],
    ['POOLS_URL', pools],
    ['SITE_URL', site],
    ['PLATFORM_URL', platform?.url],
    ['DISCORD_URL', discordUrl],
  ]
  for (const [name, url] of given) {
    if (!url) continue
    const [other, , how] =
      taken.find(([own, at]) => originsOf(at).includes(url) && shared.get(name) !== own) ?? []
    if (other) report(name, `is ${url} as ${other} is${how}; give each its own address`)
    taken.push([name, url, ''])
  }
}

/** What may be at the address of another one: the packs site and its API; what plays both, in development. */
const shared: ReadonlyMap<VariableName, VariableName> = new Map([
  ['SITE_URL', 'PACKS_URL'],
  ['DISCORD_URL', 'PLATFORM_URL'],
])

/** Reads the certificate and its key; null when neither is given or a problem was reported. */
function readTls(certFile: string | null, keyFile: string | null, report: Report) {
  if (certFile === null && keyFile === null) return null
  const cert = readPem('TLS_CERT_FILE', certFile, 'TLS_KEY_FILE', report)
  const key = readPem('TLS_KEY_FILE', keyFile, 'TLS_CERT_FILE', report)
  if (cert === null || key === null) return null
  try {
    createSecureContext({ cert, key })
    return { cert, key }
  } catch {
    report('TLS_KEY_FILE', 'and TLS_CERT_FILE do not make a pair; give a certificate and its key')
    return null
  }
}

function readOwnLogo(folder: string, name: string | null, report: Report): Logo | null {
  try {
    return name === null ? null : readLogo(folder, name)
  } catch (error) {
    if (!(error instanceof LogoProblem)) throw error
    report('SITE_LOGO', `"${shown(name ?? '')}" ${error.message}`)
    return null
  }
}

function readPem(
  name: VariableName,
  file: string | null,
  other: VariableName,
  report: Report,
): string | null {
  if (file === null) {
    report(name, `is not set though ${other} is; set both or neither`)
    return null
  }
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    report(
      name,
      `"${shown(file)}" cannot be read (${code}); give a PEM file that this user may read`,
    )
    return null
  }
}
