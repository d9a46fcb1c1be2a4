import { type Variable, type VariableName, variables } from '../src/main/variables.ts'
import { markdownTable } from './markdown-table.ts'

const head = `# Configuration

The server and \`npx mapcrate-server\` are configured by environment variables. All of them are
optional. A variable that is set to an empty value is treated as not set. If any value is invalid, the
process does not start, and all errors are reported together. No error repeats a password: of a value that may be an
address with one, only what follows the \`@\` is shown. At the start, the log names what is almost the name of a setting,
such as \`DATABASE_ULR\`.

A secret can be read from a file instead: append \`_FILE\` to the name of the variable and set it to the
path of the file. Leading and trailing white space in the file is ignored. It is an error to set both. Other settings
cannot be read from files.

`

const tail = `
If neither a game platform nor any of \`DATABASE_URL\`, \`PACKS_URL\`, \`POOLS_URL\` and \`SITE_URL\` is set, the first
start with an empty database creates demonstration data: made-up players with three packs, a tournament and an
API key, which is printed once.

Messages for people are written to stdout. Log messages are written to stderr, one JSON object per line.
Those of requests contain the request ID, the route, the status and the duration. Keys and cookies are
never logged.

This file is generated from \`src/main/variables.ts\` and \`scripts/configuration-doc.ts\` by \`npm run docs\`.
`

type Text = {
  readonly about: string
  /** What happens when it is not set and has no default. */
  readonly otherwise?: string
}

const texts: Readonly<Record<VariableName, Text>> = {
  HOST: {
    about:
      'Address or host name to listen on. Set `0.0.0.0` or `::` to accept connections from the network.',
  },
  PORT: {
    about: 'Port of the packs service. 0 selects any free port.',
  },
  POOLS_PORT: {
    about: 'Port of the tournament-pools service. 0 selects any free port.',
  },
  PLATFORM_URL: {
    about:
      'Address of the game platform. Requires `PLATFORM_CLIENT_ID` and `PLATFORM_CLIENT_SECRET`.',
    otherwise: '`https://osu.ppy.sh` if a client is configured, otherwise the stand-in platform',
  },
  PLATFORM_CLIENT_ID: {
    about: 'Client ID of the OAuth application registered on the game platform.',
    otherwise: 'a stand-in platform with made-up beatmaps and players is used',
  },
  PLATFORM_CLIENT_SECRET: {
    about: 'Client secret of that application.',
    otherwise: 'as for `PLATFORM_CLIENT_ID`',
  },
  PLATFORM_PORT: {
    about:
      'Port of the stand-in platform on 127.0.0.1. It runs only if no game platform is configured. 0 selects any free port.',
  },
  INDEX_DIR: {
    about:
      'Directory to which the search index is also written, as `packs/index.json` and its compressed copies, for use by a web server or CDN. It is created if it does not exist.',
    otherwise: 'no files are written',
  },
  METRICS_PORT: {
    about:
      'Port that serves `/metrics` in the Prometheus text format, `/healthz` and `/readyz`. Do not expose it to the public. 0 selects any free port.',
    otherwise: 'no metrics',
  },
  HEALTH_PORT: {
    about:
      'Port that serves `/healthz` and `/readyz` over plain HTTP in every role. Do not expose it to the public. 0 selects any free port.',
    otherwise: 'they are served on `PORT`, `POOLS_PORT` and `METRICS_PORT` only',
  },
  DATA_DIR: {
    about:
      'Directory on a local disk for the database file, `mapcrate.db`. It is created if it does not exist.',
  },
  DATABASE_URL: {
    about:
      'PostgreSQL database to use instead of a file, as `postgres://user:password@host:5432/name`. Requires version 14 or later and the encoding UTF8. Any number of processes can share it. Use `?host=/var/run/postgresql` for a socket. If several hosts are given (`host1:5432,host2:5432`), the one that accepts writes is used. `?sslmode=verify-full` encrypts the connection and verifies the certificate of the server, whose CA `&sslrootcert=FILE` names unless it is a public one; `require`, `prefer` and `verify-ca` do the same here, `no-verify` only encrypts.',
    otherwise: 'the file in `DATA_DIR` is used, by one process',
  },
  DATABASE_PREPARED: {
    about:
      'Whether to use named prepared statements. Set `off` if `DATABASE_URL` is the address of a connection pooler in transaction mode, such as PgBouncer.',
  },
  DATABASE_DIRECT_URL: {
    about:
      'Address of the same database without the connection pooler. It is used to run migrations. Requires `DATABASE_URL`.',
    otherwise: '`DATABASE_URL`',
  },
  DATABASE_CONNECTIONS: {
    about: 'Maximum number of connections that this process opens to `DATABASE_URL`.',
  },
  PACKS_URL: {
    about: 'Public address of the packs service, without a path.',
    otherwise: 'derived from `HOST` and `PORT`',
  },
  POOLS_URL: {
    about:
      'Public address of the tournament-pools service, without a path. It must differ from those of the packs service and of the website.',
    otherwise: 'derived from `HOST` and `POOLS_PORT`',
  },
  SITE_URL: {
    about: 'Public address of the website, without a path.',
    otherwise: 'the address of the packs service',
  },
  PACKS_KEY_PREFIX: {
    about:
      'Prefix of the API keys of the packs service. Changing it invalidates all existing keys.',
  },
  POOLS_KEY_PREFIX: {
    about:
      'Prefix of the API keys of the tournament-pools service. It must differ from `PACKS_KEY_PREFIX`. Changing it invalidates all existing keys.',
  },
  POOLS_OWNER_NAME: {
    about: 'Name displayed as the owner of published tournament pools.',
  },
  SITE_NAME: {
    about:
      'Name of this installation, on all of its pages, pictures and feeds: 1 to 40 characters. The footer also names the software.',
  },
  SITE_LOGO: {
    about:
      'Name of a file in `DATA_DIR`, such as `logo.svg`: the picture beside the name, from which the icons are made. It should be square and visible on both light and dark ground; one that is more than four times as long one way as the other, or has nothing to see, is refused. An SVG (at most 64 KB) may contain shapes, gradients, clip paths and masks, and nothing that refers to other files, runs or is text. A PNG (at most 256 KB) may be up to 1024 × 1024 pixels, not interlaced.',
    otherwise: 'the mark of Mapcrate',
  },
  SITE_ACCENT: {
    about:
      'Colour of links, buttons and the focus, as `#rrggbb`. It must have a contrast of 4.5 : 1 on every surface of the light or of the dark theme; the colour of the other theme is derived from it. The error message names the nearest colour that has it.',
    otherwise: 'teal',
  },
  SITE_CONTACT: {
    about:
      'How visitors can reach you, as `mailto:` with an address or as a page that begins with `https://`. It is linked in the footer and where a fault is reported.',
    otherwise: 'no contact is given',
  },
  DISCORD: {
    about:
      'Whether hosts may have releases announced in a channel of Discord. With `on`, a worker sends to the addresses of webhooks that hosts set, at public addresses of Discord alone. Set it for all processes.',
  },
  DISCORD_URL: {
    about:
      'Origin to which announcements are sent in place of Discord, for development. It may be an address that is not public.',
    otherwise: '`https://discord.com`, or the stand-in platform where that runs',
  },
  DOWNLOAD_MIRRORS: {
    about:
      'Addresses of mirrors that serve sets of beatmaps, separated by spaces, with `{set}` in place of the ID, such as `https://mirror.example/d/{set}`. They are tried in turn by the browsers of visitors, which put the maps of a pack together as one file. Each must send `Access-Control-Allow-Origin` and not redirect to another host. Use mirrors whose operators agree.',
    otherwise: 'packs cannot be downloaded as one file',
  },
  TRUSTED_PROXIES: {
    about:
      'Comma-separated list of addresses and CIDR ranges of proxies whose `X-Forwarded-For` header is trusted.',
    otherwise: 'none: clients are identified by the address of their connection',
  },
  TLS_CERT_FILE: {
    about:
      'PEM file with the certificate chain. If it is set together with `TLS_KEY_FILE`, both services use HTTPS.',
    otherwise: 'plain HTTP',
  },
  TLS_KEY_FILE: {
    about: 'PEM file with the private key for `TLS_CERT_FILE`.',
    otherwise: 'plain HTTP',
  },
  DRAIN_SECONDS: {
    about:
      'Number of seconds for which the server keeps serving requests after SIGTERM, so that load balancers can remove it. During this time, `/readyz` responds with 503 and each response closes its connection. Set 0 if there is no load balancer.',
  },
  LOG_LEVEL: {
    about: `Minimum severity of messages that are logged: \`silent\`, \`fatal\`, \`error\`, \`warn\`, \`info\`, \`debug\`, \`trace\`. \`silent\` disables logging.`,
  },
}

type Row = readonly [string, string, string]

const rowOf = (name: VariableName): Row => {
  const { fallback, isSecret }: Variable<unknown> = variables[name]
  const { about, otherwise = 'none' } = texts[name]
  return [
    `\`${name}\``,
    fallback === undefined ? otherwise : `\`${fallback}\``,
    isSecret ? `${about} \`${name}_FILE\` can name a file that contains it.` : about,
  ]
}

/** The text of `docs/configuration.md`. */
export const configurationDoc = (): string => {
  const rows = (Object.keys(variables) as VariableName[]).map(rowOf)
  return head + markdownTable([['Variable', 'Default', 'Description'], ...rows]) + tail
}
