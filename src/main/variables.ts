import {
  addresses,
  anyText,
  count,
  databaseUrl,
  host,
  keyPrefix,
  label,
  oneOf,
  origin,
  type Parser,
  path,
  port,
  seconds,
} from './config-parsers.ts'

/** A variable of the environment. The texts are for people, in `docs/configuration.md`. */
export type Variable<T> = {
  readonly parse: Parser<T>
  /** The value when it is not set. */
  readonly fallback?: string
  readonly about: string
  /** What happens when it is not set and has no fallback. */
  readonly otherwise?: string
  /** No message may repeat its value, and `NAME_FILE` may name a file that holds it. */
  readonly isSecret?: boolean
}

const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const

/** All variables: `config.ts` reads this table, and the documentation is generated from it. */
export const variables = {
  HOST: {
    parse: host,
    fallback: '127.0.0.1',
    about: 'Address to listen on. `0.0.0.0` or `::` opens the server to the network.',
  },
  PORT: {
    parse: port,
    fallback: '8080',
    about: 'Port of the packs service. 0 takes any free port.',
  },
  POOLS_PORT: {
    parse: port,
    fallback: '8081',
    about: 'Port of the tournament-pools service. 0 takes any free port.',
  },
  PLATFORM_URL: {
    parse: origin,
    about: 'Address of the game platform. Needs `PLATFORM_CLIENT_ID` and `PLATFORM_CLIENT_SECRET`.',
    otherwise: '`https://osu.ppy.sh` when there is a client, else the stand-in platform',
  },
  PLATFORM_CLIENT_ID: {
    parse: anyText,
    about: 'Id of the OAuth application that was registered on the platform.',
    otherwise: 'the stand-in platform answers, with made-up beatmaps and players',
  },
  PLATFORM_CLIENT_SECRET: {
    parse: anyText,
    about: 'Secret of that application.',
    otherwise: 'as for `PLATFORM_CLIENT_ID`',
    isSecret: true,
  },
  PLATFORM_PORT: {
    parse: port,
    fallback: '8082',
    about:
      'Port of the stand-in platform, on 127.0.0.1; it runs only while no platform is configured. 0 takes any free port.',
  },
  INDEX_DIR: {
    parse: path,
    about:
      'Folder that the search index is also written to, as `packs/index.json` with its compressed copies, for a web server or CDN.',
    otherwise: 'no files',
  },
  METRICS_PORT: {
    parse: port,
    about:
      'Port of the metrics, at `/metrics` in the Prometheus text format, with `/healthz` and `/readyz`. Keep it from the public. 0 takes any free port.',
    otherwise: 'no metrics',
  },
  HEALTH_PORT: {
    parse: port,
    about:
      'Port of `/healthz` and `/readyz` in plain HTTP, whatever the role of the process. Keep it from the public. 0 takes any free port.',
    otherwise: 'on `PORT`, `POOLS_PORT` and `METRICS_PORT` alone',
  },
  DATA_DIR: {
    parse: path,
    fallback: './data',
    about:
      'Folder on a local disk that holds the store, `mapcrate.db`. It is made when it is missing.',
  },
  DATABASE_URL: {
    parse: databaseUrl,
    about:
      'PostgreSQL database (14 or newer, encoding UTF8) that holds the store instead of a file, `postgres://user:password@host:5432/name`. Any number of processes may share it. `?host=/var/run/postgresql` names a socket; of several hosts, `host1:5432,host2:5432`, the one that takes writes is used.',
    otherwise: 'the store is a file in `DATA_DIR`, for one process',
    isSecret: true,
  },
  DATABASE_PREPARED: {
    parse: oneOf(['on', 'off']),
    fallback: 'on',
    about:
      'Whether statements are prepared once for each connection. Set `off` when `DATABASE_URL` leads to a pooler that gives connections by the transaction, such as PgBouncer.',
  },
  DATABASE_DIRECT_URL: {
    parse: databaseUrl,
    about:
      'Address of the same database past such a pooler, used while tables are brought up to date.',
    otherwise: '`DATABASE_URL` is used',
    isSecret: true,
  },
  DATABASE_CONNECTIONS: {
    parse: count,
    fallback: '10',
    about: 'Connections to `DATABASE_URL` that this process has at most.',
  },
  PACKS_URL: {
    parse: origin,
    about: 'Public address of the packs service, without a path.',
    otherwise: 'from `HOST` and `PORT`',
  },
  POOLS_URL: {
    parse: origin,
    about: 'Public address of the tournament-pools service, without a path.',
    otherwise: 'from `HOST` and `POOLS_PORT`',
  },
  SITE_URL: {
    parse: origin,
    about: 'Public address of the site, without a path.',
    otherwise: 'the address of the packs service',
  },
  PACKS_KEY_PREFIX: {
    parse: keyPrefix,
    fallback: 'packs',
    about: 'What API keys of the packs service begin with. A change refuses all keys made before.',
  },
  POOLS_KEY_PREFIX: {
    parse: keyPrefix,
    fallback: 'pools',
    about:
      'What API keys of the tournament-pools service begin with. Must differ from `PACKS_KEY_PREFIX`.',
  },
  POOLS_OWNER_NAME: {
    parse: label,
    fallback: 'Tournament pools',
    about: 'The name shown as the owner of published tournament pools.',
  },
  TRUSTED_PROXIES: {
    parse: addresses,
    about:
      'Addresses and CIDR ranges of proxies whose `X-Forwarded-For` is believed, separated by commas.',
    otherwise: 'none: the address of the connection counts',
  },
  TLS_CERT_FILE: {
    parse: path,
    about: 'PEM file with the certificate chain. With `TLS_KEY_FILE`, both services speak HTTPS.',
    otherwise: 'plain HTTP',
  },
  TLS_KEY_FILE: {
    parse: path,
    about: 'PEM file with the private key of `TLS_CERT_FILE`.',
    otherwise: 'plain HTTP',
  },
  DRAIN_SECONDS: {
    parse: seconds,
    fallback: '5',
    about:
      'After SIGTERM the server goes on for this many seconds, with `/readyz` at 503 and each answer closing its connection, so that a load balancer notices. 0 without one.',
  },
  LOG_LEVEL: {
    parse: oneOf(logLevels),
    fallback: 'info',
    about: `How much is logged: ${logLevels.map((level) => `\`${level}\``).join(', ')}.`,
  },
} as const satisfies Readonly<Record<string, Variable<unknown>>>

export type VariableName = keyof typeof variables
