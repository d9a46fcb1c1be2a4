type PostgresAddress = {
  /** `postgres://…` with one host each, in the order in which they are to be tried; secrets. */
  readonly urls: readonly string[]
  /** Hosts and database for people, without user and password. */
  readonly place: string
}

const FORM =
  /^postgres(?:ql)?:\/\/(?:(?<user>[^/?#]*)@)?(?<hosts>[^@/?#]*)(?:\/(?<database>[^?#]*))?(?:\?(?<query>[^#]*))?$/i
const SERVER = /^(?:\[(?<v6>[\da-f:.]+)\]|(?<name>[^:[\]]*))(?::(?<port>\d*))?$/i
const DEFAULT_HOST = 'localhost'
const HIGHEST_PORT = 65_535

/**
 * What is asked of TLS → the driver's name for it. The driver takes the weaker modes of libpq for the strictest, and
 * warns at each start that it will not do so for ever; here they stay the strictest.
 */
const tlsModes: ReadonlyMap<string, string> = new Map([
  ['disable', 'disable'],
  ['no-verify', 'no-verify'],
  ...['prefer', 'require', 'verify-ca', 'verify-full'].map(
    (mode) => [mode, 'verify-full'] as const,
  ),
])

/** libpq's names of a server that takes writes; we can use no other. */
const writable: readonly string[] = ['any', 'read-write', 'primary']

/**
 * Reads an address as libpq does: also with a socket's directory as host, and with several hosts of
 * which one takes writes. Errors continue "DATABASE_URL …" and repeat nothing of the address.
 */
export function readPostgresUrl(text: string): PostgresAddress {
  const { user, hosts = '', database = '', query = '' } = FORM.exec(text)?.groups ?? refuseForm()
  const options = new URLSearchParams(query)
  if (!writable.includes(options.get('target_session_attrs') ?? 'any')) {
    throw new Error('must name a server that takes writes; set target_session_attrs=read-write')
  }
  const tlsMode = options.get('sslmode')
  if (tlsMode !== null) {
    const mode = tlsModes.get(tlsMode)
    if (mode === undefined)
      throw new Error(`must have an sslmode of ${[...tlsModes.keys()].join(', ')}`)
    options.set('sslmode', mode)
  }
  const servers = readServers(hosts, options.get('host'), options.get('port'))
  for (const name of ['host', 'port', 'target_session_attrs']) options.delete(name)

  const login = user === undefined ? '' : `${user}@`
  const urls = servers.map(({ host, port }) => {
    // The driver takes a host of any kind from the query; what is not given, from its own variables.
    const all = [...(host ? [['host', host]] : []), ...(port ? [['port', port]] : []), ...options]
    const text = new URLSearchParams(all).toString().replaceAll('+', '%20')
    return `postgres://${login}${host && DEFAULT_HOST}/${database}${text && `?${text}`}`
  })
  if (!URL.canParse(`postgres://${login}${DEFAULT_HOST}/${database}`)) return refuseForm()
  return { urls, place: `${servers.map(nameOf).join(',')}/${database}` }
}

type Server = { readonly host: string; readonly port: string }

function nameOf({ host, port }: Server): string {
  const name = host.includes(':') ? `[${host}]` : host || DEFAULT_HOST
  return port ? `${name}:${port}` : name
}

function refuseForm(): never {
  throw new Error('is no database; give one such as postgres://user:password@host:5432/mapcrate')
}

/** @param hostList those of the query, which precede those of the authority. */
function readServers(
  authority: string,
  hostList: string | null,
  portList: string | null,
): readonly Server[] {
  const given = hostList?.split(',').map((host) => ({ host, port: '' }))
  const servers = given ?? authority.split(',').map(readServer)
  const ports = portList?.split(',') ?? []
  if (ports.length > 1 && ports.length !== servers.length) {
    throw new Error('must have one port for all hosts, or one for each')
  }
  return servers.map(({ host, port }, at) => {
    const chosen = port || ports[at] || ports[0] || ''
    const isPort = /^\d{1,5}$/.test(chosen) && Number(chosen) >= 1 && Number(chosen) <= HIGHEST_PORT
    if (chosen && !isPort) throw new Error(`must have ports from 1 to ${HIGHEST_PORT}`)
    if (/[\s,]/.test(host)) return refuseForm()
    return { host, port: chosen }
  })
}

function readServer(text: string): Server {
  const { v6, name = '', port = '' } = SERVER.exec(text)?.groups ?? refuseForm()
  try {
    return { host: v6 ?? decodeURIComponent(name), port }
  } catch {
    return refuseForm()
  }
}
