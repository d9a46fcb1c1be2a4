import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import type { ServiceName } from '../contract/services.ts'
import { BadValue } from './config-parsers.ts'
import { StartupError } from './startup-error.ts'
import { type Variable, type VariableName, variables } from './variables.ts'

/** Where the game platform is and who we are to it. */
export type PlatformConfig = {
  /** Without a slash at the end. */
  readonly url: string
  /** Where covers of beatmaps stand, without a slash at the end. */
  readonly coversUrl: string
  readonly clientId: string
  readonly clientSecret: string
}

const PLATFORM_URL = 'https://osu.ppy.sh'
const COVERS_URL = 'https://assets.ppy.sh'

/** The checked configuration. */
export type Config = {
  readonly host: string
  /** The port of each service; 0 is any free one. */
  readonly ports: Readonly<Record<ServiceName, number>>
  /** null: the stand-in platform. */
  readonly platform: PlatformConfig | null
  /** The port of the stand-in platform; 0 is any free one. */
  readonly platformPort: number
  /** null: no metrics. 0 is any free one. */
  readonly metricsPort: number | null
  /** null: no port for it alone. 0 is any free one. */
  readonly healthPort: number | null
  /** Absolute. */
  readonly dataDir: string
  /** The database that holds the store, a secret; null: the store is a file in `dataDir`. */
  readonly databaseUrl: string | null
  /** The same database past a pooler, for migrations; a secret. null: by `databaseUrl`. */
  readonly databaseDirectUrl: string | null
  /** Whether statements may be prepared under a name, which a transaction pooler forgets. */
  readonly databasePrepared: boolean
  /** Connections to it that this process has at most. */
  readonly databaseConnections: number
  /** Absolute; null: no files of the search index. */
  readonly indexDir: string | null
  /** Public addresses without a slash at the end; null where none is set. */
  readonly publicUrls: Readonly<Record<ServiceName | 'site', string | null>>
  readonly keyPrefixes: Readonly<Record<ServiceName, string>>
  readonly poolsOwnerName: string
  /** Addresses and CIDR ranges. */
  readonly trustedProxies: readonly string[]
  /** null: plain HTTP. */
  readonly tls: Tls | null
  /** How long everything is still served after SIGTERM. */
  readonly drainSeconds: number
  readonly logLevel: ReturnType<(typeof variables)['LOG_LEVEL']['parse']>
}

/** Everything that is wrong with the configuration, one line for each variable. */
export class ConfigProblems extends StartupError {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`the configuration cannot be used:\n${problems.map((line) => `  ${line}`).join('\n')}`)
    this.problems = problems
  }
}

type Environment = Readonly<Record<string, string | undefined>>

type Value<N extends VariableName> =
  | ReturnType<(typeof variables)[N]['parse']>
  | ((typeof variables)[N]['fallback'] extends null ? null : never)

/**
 * Reads the environment; an empty variable counts as not set.
 *
 * @throws ConfigProblems naming all problems at once.
 */
export const loadConfig = (env: Environment = process.env): Config => {
  const problems: string[] = []
  const report: Report = (name, problem) => {
    // What is wrong with one value may look like something else to later checks.
    if (problems.some((line) => line.startsWith(`${name} `))) return
    problems.push(`${name} ${problem}`)
  }
  const read = <N extends VariableName>(name: N): Value<N> => {
    const { parse, fallback, isSecret = false }: Variable<unknown> = variables[name]
    let text: string | null = null
    try {
      text = (isSecret ? readSecret(env, name) : env[name]?.trim()) || fallback
      return (text === null ? null : parse(text)) as Value<N>
    } catch (error) {
      if (!(error instanceof BadValue)) throw error
      report(name, isSecret ? error.message : `"${text}" ${error.message}`)
      return null as Value<N>
    }
  }
  const config: Config = {
    host: read('HOST'),
    ports: { packs: read('PORT'), pools: read('POOLS_PORT') },
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
    databaseUrl: read('DATABASE_URL'),
    databaseDirectUrl: read('DATABASE_DIRECT_URL'),
    databasePrepared: read('DATABASE_PREPARED') === 'on',
    databaseConnections: read('DATABASE_CONNECTIONS'),
    indexDir: read('INDEX_DIR'),
    publicUrls: { packs: read('PACKS_URL'), pools: read('POOLS_URL'), site: read('SITE_URL') },
    keyPrefixes: { packs: read('PACKS_KEY_PREFIX'), pools: read('POOLS_KEY_PREFIX') },
    poolsOwnerName: read('POOLS_OWNER_NAME'),
    trustedProxies: read('TRUSTED_PROXIES') ?? [],
    tls: readTlsFiles(read('TLS_CERT_FILE'), read('TLS_KEY_FILE'), report),
    drainSeconds: read('DRAIN_SECONDS'),
    logLevel: read('LOG_LEVEL'),
  }
  checkTogether(config, report)
  if (problems.length > 0) throw new ConfigProblems(problems)
  return freeze(config)
}

/**
 * A secret, or what the file named by `NAME_FILE` holds: containers and systemd hand secrets over as
 * files.
 *
 * @throws BadValue
 */
const readSecret = (env: Environment, name: VariableName): string | undefined => {
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
    throw new BadValue(`is not known: ${fileName} "${file}" cannot be read (${code})`)
  }
  if (text === '') throw new BadValue(`is not known: ${fileName} "${file}" is empty`)
  return text
}

type Report = (name: VariableName, problem: string) => void

const readPlatform = (
  url: string | null,
  clientId: string | null,
  clientSecret: string | null,
  report: Report,
): PlatformConfig | null => {
  if (clientId !== null && clientSecret !== null) {
    return { url: url ?? PLATFORM_URL, coversUrl: COVERS_URL, clientId, clientSecret }
  }
  const given = [url && 'PLATFORM_URL', clientId && 'PLATFORM_CLIENT_ID'].find((name) => name)
  const missing = clientId === null ? 'PLATFORM_CLIENT_ID' : 'PLATFORM_CLIENT_SECRET'
  if (given) report(missing, `is not set though ${given} is; register an application and set it`)
  else if (clientSecret) report(missing, 'is not set though PLATFORM_CLIENT_SECRET is; set both')
  return null
}

/** What no variable can tell alone. A value that was refused already is null here. */
const checkTogether = (
  { ports, keyPrefixes, platform, platformPort, metricsPort, healthPort }: Config,
  report: Report,
): void => {
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

const freeze = (config: Config): Config => {
  for (const part of Object.values(config)) Object.freeze(part)
  return Object.freeze(config)
}

/** What HTTPS needs, as PEM text. */
type Tls = { readonly cert: string; readonly key: string }

/** Reads the certificate and its key; null when neither is given or a problem was reported. */
const readTlsFiles = (
  certFile: string | null,
  keyFile: string | null,
  report: Report,
): Tls | null => {
  if (certFile === null && keyFile === null) return null
  const cert = readPem('TLS_CERT_FILE', certFile, 'TLS_KEY_FILE', report)
  const key = readPem('TLS_KEY_FILE', keyFile, 'TLS_CERT_FILE', report)
  return cert === null || key === null ? null : checkPair({ cert, key }, report)
}

const readPem = (
  name: VariableName,
  file: string | null,
  other: VariableName,
  report: Report,
): string | null => {
  if (file === null) {
    report(name, `is not set though ${other} is; set both or neither`)
    return null
  }
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    report(name, `"${file}" cannot be read${reason}; give a PEM file that this user may read`)
    return null
  }
}

const checkPair = (tls: Tls, report: Report): Tls | null => {
  try {
    createSecureContext(tls)
    return tls
  } catch {
    report('TLS_KEY_FILE', 'and TLS_CERT_FILE do not make a pair; give a certificate and its key')
    return null
  }
}

/** What a process can do; one process does all, or several share the work over one database. */
export const roles = ['api', 'site', 'pools', 'worker'] as const

/**
 * `api`: the API of the packs service, and `site`: the website with the search index, both on PORT.
 * `pools`: the tournament-pools service with its account page. `worker`: stats and the building of
 * the search index.
 */
export type Role = (typeof roles)[number]

/** What a process does that is told nothing. */
export const allRoles: ReadonlySet<Role> = new Set(roles)
