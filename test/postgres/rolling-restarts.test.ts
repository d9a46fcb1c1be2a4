import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock, systemHasher, systemRandom } from '../../src/adapters/system.ts'
import { issueKey } from '../../src/operations/keys.ts'
import { takeDatabase } from '../support/postgres-databases.ts'
import { freshFolder, startServer } from '../support/processes.ts'
import { aPack } from '../support/samples.ts'
import { onPostgres } from '../support/test-stores.ts'
import { until } from '../support/until.ts'
import { keepsConnections } from '../support/http.ts'

const CHECK_EACH_MS = 100

/**
 * A proxy that does what `deploy/haproxy.cfg` asks of HAProxy: it keeps connections to the servers, leaves
 * out one whose `/readyz` is not 200, and repeats a request only if the connection was refused.
 */
const startBalancer = async (urls: readonly string[]): Promise<string> => {
  const isUp = new Map(urls.map((url) => [url, true]))
  const agent = new Agent({ keepAlive: true })
  let at = 0
  const nextUrl = (): string => {
    const up = urls.filter((url) => isUp.get(url))
    at += 1
    return up[at % up.length] ?? urls[at % urls.length]!
  }
  const check = async (url: string): Promise<void> => {
    const headers = { connection: 'close' }
    const answer = await fetch(`${url}/readyz`, { headers }).catch(() => null)
    isUp.set(url, answer?.status === 200)
    await answer?.arrayBuffer()
  }
  const timer = setInterval(() => urls.forEach((url) => void check(url)), CHECK_EACH_MS)
  const forward = (asked: IncomingMessage, body: Buffer, response: ServerResponse): void => {
    const { method, url: path, headers } = asked
    const sent = request(nextUrl() + path, { method, agent, headers })
    sent.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'ECONNREFUSED') setTimeout(forward, CHECK_EACH_MS, asked, body, response)
      else response.writeHead(502).end(code)
    })
    sent.on('response', (answer) => {
      const { connection: _, ...rest } = answer.headers
      response.writeHead(answer.statusCode ?? 0, rest)
      answer.on('error', () => response.destroy()).pipe(response)
    })
    sent.end(body)
  }
  const server = createServer(keepsConnections, async (asked, response) => {
    const parts = await asked.toArray()
    forward(asked, Buffer.concat(parts), response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    clearInterval(timer)
    agent.destroy()
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('rolling restarts behind a proxy that checks fail no request (D-54)', async () => {
  const database = await takeDatabase()
  onTestFinished(() => database.giveBack())
  const folder = await freshFolder()
  const env = { DATABASE_URL: database.url, DRAIN_SECONDS: '5', LOG_LEVEL: 'warn' }
  const servers = await Promise.all([startServer(folder, env), startServer(folder, env)])
  const processes = servers.map((server) => server.process)
  /** A database on a busy machine may be late, and no restart is to blame. The log says so. */
  const wasDatabaseLate = (requestId: string): boolean =>
    processes.some(({ stderr, stdout }) =>
      (stderr + stdout)
        .split('\n')
        .some((line) => line.includes(`"${requestId}"`) && line.includes('did not answer in time')),
    )
  onTestFinished(async () => void (await Promise.all(servers.map((server) => server.stop()))))
  const { stores, close } = await onPostgres(database.url)
  const ports = { ...stores, clock: systemClock, random: systemRandom, hasher: systemHasher }
  // Ten writes and sixty reads a minute each.
  const keys = await Promise.all(
    Array.from({ length: 12 }, (_, at) =>
      issueKey(ports, {
        service: 'packs',
        keyPrefix: 'packs',
        gameId: at + 1,
        username: `p${at}`,
      }),
    ),
  )
  await close()
  const url = await startBalancer(servers.map(({ packs }) => packs.url))

  let answered = 0
  const over = new AbortController()
  const wrong: { readonly id: string; readonly said: unknown }[] = []
  /** @param key null for a page, which is none to who has a key. */
  const ask = async (method: string, path: string, key: string | null, body?: unknown) => {
    const answer = await fetch(url + path, {
      method,
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    answered += 1
    // A key's quota is spent.
    if (answer.status === 429) return null
    if (answer.status < 300) return text
    wrong.push({
      id: answer.headers.get('x-request-id') ?? '',
      said: [method, path, answer.status, text],
    })
    return null
  }
  const client = async (key: string): Promise<void> => {
    while (!over.signal.aborted) {
      const made = await ask('POST', '/api/v1/packs', key, aPack())
      const slug = made === null ? null : /"slug":"(.{10})"/.exec(made)?.[1]
      if (slug) await ask('GET', `/api/v1/packs/${slug}`, key)
      if (slug) await ask('DELETE', `/api/v1/packs/${slug}`, key)
      await ask('GET', '/packs', null)
    }
  }
  const answeredMore = async (): Promise<void> => {
    const then = answered
    await until(async () => answered > then + 50)
  }
  const clients = keys.map((key) =>
    client(key).catch((error: Error) => wrong.push({ id: '', said: error.cause })),
  )
  await answeredMore()
  for (const [at, { packs, pools, stop }] of servers.entries()) {
    expect((await stop()).code).toBe(0)
    const ports = { PORT: new URL(packs.url).port, POOLS_PORT: new URL(pools.url).port }
    servers[at] = await startServer(folder, { ...env, ...ports })
    processes.push(servers[at].process)
    await answeredMore()
  }
  over.abort()
  await Promise.all(clients)
  expect(wrong.filter(({ id }) => id === '' || !wasDatabaseLate(id))).toEqual([])
})
