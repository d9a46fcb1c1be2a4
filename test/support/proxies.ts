import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { until } from './until.ts'

export const proxyNames = ['caddy', 'haproxy', 'nginx'] as const
export type ProxyName = (typeof proxyNames)[number]

export type ProxyOptions = {
  /** Of the packs service, `host:port` each. */
  readonly addresses: readonly string[]
  /** For what the proxy writes. */
  readonly folder: string
  /** Left out: the file that is shipped. */
  readonly config?: string
}

const shippedFiles = { caddy: 'Caddyfile', haproxy: 'haproxy.cfg', nginx: 'nginx.conf' }

export const readShipped = (name: ProxyName): string =>
  readFileSync(new URL(`../../deploy/${shippedFiles[name]}`, import.meta.url), 'utf8')

export const isMissing = (name: ProxyName): boolean =>
  spawnSync(name, [name === 'caddy' ? 'version' : '-v']).error !== undefined

/**
 * Starts a proxy as the file in `deploy/` sets it up, with these addresses and a free port in place of
 * its own and without TLS. Resolves when it passes requests on.
 */
export async function startShippedProxy(name: ProxyName, options: ProxyOptions) {
  const port = await freePort()
  const file = join(options.folder, `${shippedFiles[name]}-${port}`)
  const { text, args } = setUps[name](options.config ?? readShipped(name), options, port, file)
  writeFileSync(file, text)
  return run(name, args, options.folder, `http://127.0.0.1:${port}`)
}

type SetUp = (
  config: string,
  options: ProxyOptions,
  port: number,
  file: string,
) => { readonly text: string; readonly args: readonly string[] }

const setUps: Readonly<Record<ProxyName, SetUp>> = {
  caddy: (config, { addresses }, port, file) => ({
    text: `{\n\tadmin off\n\tauto_https off\n}\n${config
      .replace('{$SITE_HOST} {', `http://127.0.0.1:${port} {`)
      .replace(/\{\$POOLS_HOST\}[^]*/, '')
      .replace('mapcrate:8080', addresses.join(' '))
      .replace(
        '\t\timport mapcrate',
        `\t\timport mapcrate${addresses.length > 1 ? '\n\t\timport several' : ''}`,
      )}`,
    args: ['run', '--adapter', 'caddyfile', '--config', file],
  }),

  haproxy: (config, { addresses }, port, file) => {
    const check = addresses.length > 1 ? ' check inter 1s fall 2 rise 1' : ''
    const servers = addresses.map((address, at) => `\tserver s${at} ${address}${check}`)
    return {
      text: config
        .replace(/bind :443.*/, `bind 127.0.0.1:${port}`)
        .replace('\tserver one 127.0.0.1:8080', servers.join('\n')),
      args: ['-db', '-f', file],
    }
  },

  nginx: (config, { addresses, folder }, port, file) => {
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((kind) => `${kind}_temp_path ${join(folder, kind)};`)
      .join(' ')
    const site = config
      .replaceAll('listen 443 ssl;', `listen 127.0.0.1:${port};`)
      .replaceAll(/\tssl_certificate.*\n/g, '')
      .replace(/\tserver 127\.0\.0\.1:8080(.*)\n/, (_, rest: string) =>
        addresses.map((address) => `\tserver ${address}${rest}\n`).join(''),
      )
    const user = process.getuid?.() === 0 ? 'user root;' : ''
    return {
      text: `${user} daemon off; pid ${file}.pid; error_log stderr; events {}
http { access_log off; ${temporary}
${site} }`,
      args: ['-c', file],
    }
  },
}

async function run(name: ProxyName, args: readonly string[], folder: string, url: string) {
  const child = spawn(name, args, {
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
    },
  })
  const kill = (): void => void child.kill('SIGTERM')
  process.once('exit', kill)
  let said = ''
  child.stderr.on('data', (text: Buffer) => (said += text.toString()))
  child.stdout.resume()
  await until(async () => {
    if (child.exitCode !== null) throw new Error(said)
    return fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
  })
  return {
    url,
    /** What it has written to stderr. */
    said: () => said,
    stop: async () => {
      process.removeListener('exit', kill)
      await end(child)
    },
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
