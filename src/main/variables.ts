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
    about:
      'Address or host name to listen on. Set `0.0.0.0` or `::` to accept connections from the network.',
  },
  PORT: {
    parse: port,
    fallback: '8080',
    about: 'Port of the packs service. 0 selects any free port.',
  },
  POOLS_PORT: {
    parse: port,
    fallback: '8081',
    about: 'Port of the tournament-pools service. 0 selects any free port.',
  },
  PLATFORM_URL: {
    parse: origin,
    about:
      'Address of the game platform. Requires `PLATFORM_CLIENT_ID` and `PLATFORM_CLIENT_SECRET`.',
    otherwise: '`https://osu.ppy.sh` if a client is configured, otherwise the stand-in platform',
  },
  PLATFORM_CLIENT_ID: {
    parse: anyText,
    about: 'Client ID of the OAuth application registered on the game platform.',
    otherwise: 'a stand-in platform with made-up beatmaps and players is used',
  },
  PLATFORM_CLIENT_SECRET: {
    parse: anyText,
    about: 'Client secret of that application.',
    otherwise: 'as for `PLATFORM_CLIENT_ID`',
    isSecret: true,
  },
  PLATFORM_PORT: {
    parse: port,
    fallback: '8082',
    about:
      'Port of the stand-in platform on 127.0.0.1. It runs only if no game platform is configured. 0 selects any free port.',
  },
  INDEX_DIR: {
    parse: path,
    about:
      'Directory to which the search index is also written, as `packs/index.json` and its compressed copies, for use by a web server or CDN.',
    otherwise: 'no files are written',
  },
  METRICS_PORT: {
    parse: port,
    about:
      'Port that serves `/metrics` in the Prometheus text format, `/healthz` and `/readyz`. Do not expose it to the public. 0 selects any free port.',
    otherwise: 'no metrics',
  },
  HEALTH_PORT: {
    parse: port,
    about:
      'Port that serves `/healthz` and `/readyz` over plain HTTP in every role. Do not expose it to the public. 0 selects any free port.',
    otherwise: 'they are served on `PORT`, `POOLS_PORT` and `METRICS_PORT` only',
  },
  DATA_DIR: {
    parse: path,
    fallback: './data',
    about:
      'Directory on a local disk for the database file, `mapcrate.db`. It is created if it does not exist.',
  },
  DATABASE_URL: {
    parse: databaseUrl,
    about:
      'PostgreSQL database to use instead of a file, as `postgres://user:password@host:5432/name`. Requires version 14 or later and the encoding UTF8. Any number of processes can share it. Use `?host=/var/run/postgresql` for a socket. If several hosts are given (`host1:5432,host2:5432`), the one that accepts writes is used.',
    otherwise: 'the file in `DATA_DIR` is used, by one process',
    isSecret: true,
  },
  DATABASE_PREPARED: {
    parse: oneOf(['on', 'off']),
    fallback: 'on',
    about:
      'Whether to use named prepared statements. Set `off` if `DATABASE_URL` is the address of a connection pooler in transaction mode, such as PgBouncer.',
  },
  DATABASE_DIRECT_URL: {
    parse: databaseUrl,
    about:
      'Address of the same database without the connection pooler. It is used to run migrations.',
    otherwise: '`DATABASE_URL`',
    isSecret: true,
  },
  DATABASE_CONNECTIONS: {
    parse: count,
    fallback: '10',
    about: 'Maximum number of connections that this process opens to `DATABASE_URL`.',
  },
  PACKS_URL: {
    parse: origin,
    about: 'Public address of the packs service, without a path.',
    otherwise: 'derived from `HOST` and `PORT`',
  },
  POOLS_URL: {
    parse: origin,
    about: 'Public address of the tournament-pools service, without a path.',
    otherwise: 'derived from `HOST` and `POOLS_PORT`',
  },
  SITE_URL: {
    parse: origin,
    about: 'Public address of the website, without a path.',
    otherwise: 'the address of the packs service',
  },
  PACKS_KEY_PREFIX: {
    parse: keyPrefix,
    fallback: 'packs',
    about:
      'Prefix of the API keys of the packs service. Changing it invalidates all existing keys.',
  },
  POOLS_KEY_PREFIX: {
    parse: keyPrefix,
    fallback: 'pools',
    about:
      'Prefix of the API keys of the tournament-pools service. It must differ from `PACKS_KEY_PREFIX`. Changing it invalidates all existing keys.',
  },
  POOLS_OWNER_NAME: {
    parse: label,
    fallback: 'Tournament pools',
    about: 'Name displayed as the owner of published tournament pools.',
  },
  TRUSTED_PROXIES: {
    parse: addresses,
    about:
      'Comma-separated list of addresses and CIDR ranges of proxies whose `X-Forwarded-For` header is trusted.',
    otherwise: 'none: clients are identified by the address of their connection',
  },
  TLS_CERT_FILE: {
    parse: path,
    about:
      'PEM file with the certificate chain. If it is set together with `TLS_KEY_FILE`, both services use HTTPS.',
    otherwise: 'plain HTTP',
  },
  TLS_KEY_FILE: {
    parse: path,
    about: 'PEM file with the private key for `TLS_CERT_FILE`.',
    otherwise: 'plain HTTP',
  },
  DRAIN_SECONDS: {
    parse: seconds,
    fallback: '5',
    about:
      'Number of seconds for which the server keeps serving requests after SIGTERM, so that load balancers can remove it. During this time, `/readyz` responds with 503 and each response closes its connection. Set 0 if there is no load balancer.',
  },
  LOG_LEVEL: {
    parse: oneOf(logLevels),
    fallback: 'info',
    about: `Minimum severity of messages that are logged: ${logLevels.map((level) => `\`${level}\``).join(', ')}. \`silent\` disables logging.`,
  },
} as const satisfies Readonly<Record<string, Variable<unknown>>>

export type VariableName = keyof typeof variables
