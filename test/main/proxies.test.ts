import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openHouse } from '../support/house.ts'
import { freshFolder, startServer } from '../support/processes.ts'
import { until } from '../support/until.ts'

// The shipped files as they are, with free ports in place of their own and without TLS.
const read = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const isMissing = (program: string): boolean => spawnSync(program, ['-v']).error !== undefined

const folder = mkdtempSync(join(tmpdir(), 'mapcrate-proxy-'))
const house = await openHouse()
const started: ChildProcess[] = []
afterAll(async () => {
  for (const child of started) child.kill('SIGKILL')
  await house.close()
  rmSync(folder, { recursive: true, force: true })
})

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Starts a proxy and waits until it passes requests on. */
const startProxy = async (program: string, args: readonly string[], port: number) => {
  const child = spawn(program, args, {
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
    },
  })
  started.push(child)
  let said = ''
  child.stderr.on('data', (text: Buffer) => (said += text.toString()))
  child.stdout.resume()
  const url = `http://127.0.0.1:${port}`
  await until(async () => {
    if (child.exitCode !== null) throw new Error(said)
    return fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
  })
  return url
}

const startNginx = async (config: string): Promise<string> => {
  const port = await freePort()
  const [packs, pools] = [house.doors.packs.url, house.doors.pools.url].map(
    (url) => new URL(url).host,
  )
  const site = config
    .replaceAll('listen 443 ssl;', `listen 127.0.0.1:${port};`)
    .replaceAll(/\tssl_certificate.*\n/g, '')
    .replace('127.0.0.1:8080', packs!)
    .replace('127.0.0.1:8081', pools!)
  const file = join(folder, `nginx-${port}.conf`)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join(' ')
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  writeFileSync(
    file,
    `${user} daemon off; pid ${file}.pid; error_log stderr; events {}
http { access_log off; ${temporary}
${site} }`,
  )
  return startProxy('nginx', ['-c', file], port)
}

/** HAProxy or Caddy before these addresses of the packs service. */
const startHaproxy = async (addresses: readonly string[]): Promise<string> => {
  const port = await freePort()
  const file = join(folder, `haproxy-${port}.cfg`)
  const check = addresses.length > 1 ? ' check inter 1s fall 1 rise 1' : ''
  const servers = addresses.map((address, at) => `\tserver s${at} ${address}${check}`)
  writeFileSync(
    file,
    read('deploy/haproxy.cfg')
      .replace(/bind :443.*/, `bind 127.0.0.1:${port}`)
      .replace('\tserver one 127.0.0.1:8080', servers.join('\n')),
  )
  return startProxy('haproxy', ['-db', '-f', file], port)
}

const startCaddy = async (addresses: readonly string[]): Promise<string> => {
  const port = await freePort()
  const file = join(folder, `Caddyfile-${port}`)
  const several =
    addresses.length > 1 ? '\t\timport mapcrate\n\t\timport several' : '\t\timport mapcrate'
  writeFileSync(
    file,
    `{\n\tadmin off\n\tauto_https off\n}\n${read('deploy/Caddyfile')
      .replace('{$SITE_NAME} {', `http://127.0.0.1:${port} {`)
      .replace(/\{\$POOLS_NAME\}[^]*/, '')
      .replace('mapcrate:8080', addresses.join(' '))
      .replace('\t\timport mapcrate', several)}`,
  )
  return startProxy('caddy', ['run', '--adapter', 'caddyfile', '--config', file], port)
}

/** How often each status came for 100 bodies of 400 KB with a key that is nobody's. */
const sendBodies = async (url: string): Promise<ReadonlySet<number>> => {
  const body = 'x'.repeat(400_000)
  const seen = new Set<number>()
  const send = async (): Promise<void> => {
    for (let turn = 0; turn < 10; turn++) {
      const answer = await fetch(`${url}/api/v1/packs`, {
        method: 'POST',
        headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
        body,
      })
      await answer.arrayBuffer()
      seen.add(answer.status)
    }
  }
  await Promise.all(Array.from({ length: 10 }, send))
  return seen
}

it('docs/deploy.md shows the files that are shipped', () => {
  const guide = read('docs/deploy.md')
  expect(guide).toContain(`\`\`\`nginx\n${read('deploy/nginx.conf')}\`\`\``)
  expect(guide).toContain(`\`\`\`haproxy\n${read('deploy/haproxy.cfg')}\`\`\``)
})

describe('W-3: a proxy passes on why a body was refused, never 502', () => {
  it.skipIf(isMissing('nginx'))('nginx (skipped where it is not installed)', async () => {
    const shipped = read('deploy/nginx.conf')
    // As nginx does by itself, too: HTTP/1.0 and a new connection for each request.
    const plain = shipped.replaceAll(
      /^(?:proxy_http_version|proxy_set_header Connection|\tkeepalive).*\n/gm,
      '',
    )
    for (const config of [shipped, plain]) {
      expect([401, 429]).toEqual(
        expect.arrayContaining([...(await sendBodies(await startNginx(config)))]),
      )
    }
  })

  it.skipIf(isMissing('haproxy'))('HAProxy (skipped where it is not installed)', async () => {
    const url = await startHaproxy([new URL(house.doors.packs.url).host])
    expect([401, 429]).toEqual(expect.arrayContaining([...(await sendBodies(url))]))
  })

  it.skipIf(isMissing('caddy'))('Caddy (skipped where it is not installed)', async () => {
    const url = await startCaddy([new URL(house.doors.packs.url).host])
    expect([401, 429]).toEqual(expect.arrayContaining([...(await sendBodies(url))]))
  })
})

describe('O-3: a restart of one of two processes fails no request (D-54)', () => {
  const restart = async (start: (addresses: readonly string[]) => Promise<string>) => {
    const servers = [
      await startServer(await freshFolder(), { DRAIN_SECONDS: '5', LOG_LEVEL: 'warn' }),
      await startServer(await freshFolder(), { LOG_LEVEL: 'warn' }),
    ] as const
    const url = await start(servers.map(({ packs }) => new URL(packs.url).host))
    const failed = new Set<unknown>()
    let count = 0
    const over = new AbortController()
    const client = async (at: number): Promise<void> => {
      while (!over.signal.aborted) {
        const isSave = at % 3 === 0
        const request = isSave
          ? { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
          : {}
        const path = isSave ? '/api/v1/packs' : '/api/v1/openapi.json'
        const status = await fetch(url + path, request).then(
          async (answer) => {
            await answer.arrayBuffer()
            return answer.status
          },
          (error: unknown) => error,
        )
        count += 1
        if (status !== 200 && status !== 401 && status !== 429) failed.add(status)
      }
    }
    const clients = Array.from({ length: 12 }, (_, at) => client(at))
    await until(async () => count > 100, 20_000)
    await servers[0].stop()
    const then = count
    await until(async () => count > then + 100, 20_000)
    over.abort()
    await Promise.all(clients)
    expect([...failed]).toEqual([])
  }

  it.skipIf(isMissing('caddy'))('behind Caddy (skipped where it is not installed)', () =>
    restart(startCaddy),
  )

  it.skipIf(isMissing('haproxy'))('behind HAProxy (skipped where it is not installed)', () =>
    restart(startHaproxy),
  )
})
