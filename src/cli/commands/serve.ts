import { get as getPlain } from 'node:http'
import { get as getSecure } from 'node:https'
import { allRoles, type Config, loadConfig, type Role, roles } from '../../main/config.ts'
import { localUrl } from '../../main/listen.ts'
import { readArguments, refuseWords } from '../arguments.ts'
import { CliError, type Command } from '../program.ts'

const readRoles = (text: string): ReadonlySet<Role> =>
  new Set(
    text.split(',').map((word) => {
      const role = roles.find((known) => known === word.trim())
      if (role !== undefined) return role
      throw new CliError(
        `--role "${word}" is not known; give some of ${roles.join(', ')}`,
        'misuse',
      )
    }),
  )

export const serveCommand: Command = {
  name: 'serve',
  takes: '[--role ROLE,…]',
  details: `Runs the packs service, the tournament-pools service and their sites until SIGTERM or SIGINT, as
npm start does. Addresses go to stdout, log lines (JSON) to stderr. The environment configures it; see
docs/configuration.md. Where several processes share a database, --role says what this one does, as one or
more of these, separated by commas: api, the packs service's API, and site, the website with the search
index, both on PORT; pools, the tournament-pools service with its account page; worker, which computes
stats and builds the search index, and listens nowhere. At least one process must be a worker.`,
  example: 'serve',
  async run(args) {
    const given = readArguments(args, [{ name: 'role', takes: 'ROLE' }])
    refuseWords(given)
    const text = given.values.get('role')
    const chosen = text === undefined ? allRoles : readRoles(text)
    // The other commands start faster without the web server in memory.
    const { serve } = await import('../../main/serve.ts')
    await serve(chosen)
  },
}

const TIMEOUT_MS = 4_000

export const healthCommand: Command = {
  name: 'health',
  takes: '',
  details: `Asks the server on this machine whether it can serve, for container engines and supervisors: exits 0
and prints "ready" when it can, and otherwise 1 and says why not. It finds the server by the same
configuration: at HEALTH_PORT, which every process has whatever its role, or else at PORT, POOLS_PORT and
METRICS_PORT, as far as anything listens there.`,
  example: 'health',
  async run(args) {
    refuseWords(readArguments(args, []))
    const urls = addressesOf(loadConfig())
    if (urls.length === 0) {
      throw new CliError('every port is 0, so that the server cannot be found; set HEALTH_PORT')
    }
    const answers = await Promise.all(urls.map(ask))
    const heard = answers.filter((answer) => answer !== null)
    if (heard.length === 0) throw new CliError(`nothing answers at ${urls.join(', ')}`)
    const refusal = heard.find(({ status }) => status !== 200)
    if (refusal) throw new CliError(`${refusal.url} says ${refusal.status}: ${refusal.text}`)
    process.stdout.write('ready\n')
  },
}

/** Where `/readyz` may be asked for; port 0 is known to the server alone. */
function addressesOf({ host, tls, ports, healthPort, metricsPort }: Config): readonly string[] {
  const plain = { host, tls: null }
  if (healthPort) return [`${localUrl(plain, healthPort)}/readyz`]
  const urls = [ports.packs, ports.pools]
    .filter(Boolean)
    .map((port) => localUrl({ host, tls }, port))
  if (metricsPort) urls.push(localUrl(plain, metricsPort))
  return urls.map((url) => `${url}/readyz`)
}

type Answer = { readonly url: string; readonly status: number; readonly text: string }

/** What `/readyz` says; null when nothing listens there. */
function ask(url: string): Promise<Answer | null> {
  return new Promise((resolve) => {
    const fail = (why: string): void => resolve({ url, status: 0, text: why })
    const get = url.startsWith('https:') ? getSecure : getPlain
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    // It is this machine, and the certificate names another host.
    const request = get(url, { signal, rejectUnauthorized: false }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => (text += part))
      response.on('error', (error) => fail(error.message))
      response.on('end', () =>
        resolve({ url, status: response.statusCode ?? 0, text: text.trim() }),
      )
    })
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') resolve(null)
      else fail(signal.aborted ? `no answer within ${TIMEOUT_MS / 1000} seconds` : error.message)
    })
  })
}
