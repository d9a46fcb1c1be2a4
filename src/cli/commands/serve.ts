import { once } from 'node:events'
import { get as getPlain, type IncomingMessage } from 'node:http'
import { get as getSecure } from 'node:https'
import { text } from 'node:stream/consumers'
import { allRoles, type Config, loadConfig, type Role, roles } from '../../main/config.ts'
import { localUrl } from '../../main/listen.ts'
import { refuseWords } from '../arguments.ts'
import { CliError, type Command, usageError } from '../program.ts'
import { systemCode } from '../system-error.ts'

export const serveCommand: Command = {
  details: `Run the packs service, the tournament-pools service and their sites until SIGTERM or SIGINT, like
npm start. Addresses are written to stdout, log lines (JSON) to stderr. The configuration is read from
the environment; see docs/configuration.md.

If several processes share a database, --role limits this process to one or more roles, separated by
commas. At least one process must be a worker.

  api     the API of the packs service, on PORT
  site    the website and the search index, on PORT
  pools   the tournament-pools service and its site, on POOLS_PORT
  worker  computes stats, builds the search index and releases rounds; listens on no port`,
  options: [{ name: 'role', takes: 'ROLE,…', about: 'roles of this process (default: all)' }],
  examples: ['mapcrate-server serve'],
  async run(call) {
    refuseWords(call)
    const list = call.options.get('role')
    const chosen = list === undefined ? allRoles : new Set(list.split(',').map(readRole))
    // The other commands start faster without the web server in memory.
    const { serve } = await import('../../main/serve.ts')
    await serve(chosen)
  },
}

function readRole(word: string): Role {
  const role = roles.find((each) => each === word.trim())
  if (role !== undefined) return role
  throw usageError(`--role "${word}" is not known; give some of ${roles.join(', ')}`)
}

const TIMEOUT_MS = 4_000

export const healthCommand: Command = {
  details: `Check whether the server on this machine is ready, for container engines and supervisors. If it is,
print "ready" and exit with 0; otherwise print the reason and exit with 1. The server is queried at
HEALTH_PORT if set, which every role listens on, and otherwise at PORT, POOLS_PORT and METRICS_PORT, as
far as they are in use.`,
  examples: ['mapcrate-server health'],
  async run(call, { env, stdout }) {
    refuseWords(call)
    const urls = addressesOf(loadConfig(env))
    if (urls.length === 0) {
      throw new CliError('every port is 0, so that the server cannot be found; set HEALTH_PORT')
    }
    const answers = (await Promise.all(urls.map(ask))).filter((answer) => answer !== null)
    if (answers.length === 0) throw new CliError(`nothing answers at ${urls.join(', ')}`)
    const refusal = answers.find(({ status }) => status !== 200)
    if (refusal) throw new CliError(`${refusal.url} says ${refusal.status}: ${refusal.body}`)
    stdout.write('ready\n')
  },
}

/** The addresses of `/readyz`. A port 0 is known to the server alone. */
function addressesOf({ host, tls, ports, healthPort, metricsPort }: Config): readonly string[] {
  const plain = { host, tls: null }
  const urls = healthPort
    ? [localUrl(plain, healthPort)]
    : [
        ports.packs && localUrl({ host, tls }, ports.packs),
        ports.pools && localUrl({ host, tls }, ports.pools),
        metricsPort && localUrl(plain, metricsPort),
      ]
  return urls.flatMap((url) => (url ? [`${url}/readyz`] : []))
}

/** The answer of `/readyz`; null when nothing listens there. */
async function ask(url: string) {
  const get = url.startsWith('https:') ? getSecure : getPlain
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  try {
    // It is this machine, and the certificate names another host.
    const request = get(url, { signal, rejectUnauthorized: false })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    return { url, status: response.statusCode ?? 0, body: (await text(response)).trim() }
  } catch (error) {
    if (systemCode(error) === 'ECONNREFUSED') return null
    const late = `no answer within ${TIMEOUT_MS / 1000} seconds`
    return { url, status: 0, body: signal.aborted ? late : (error as Error).message }
  }
}
