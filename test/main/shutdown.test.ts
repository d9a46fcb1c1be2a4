import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { watchProcess } from '../../src/main/serve.ts'
import { aPack } from '../support/samples.ts'
import { freshFolder, makeKey, startServer } from '../support/processes.ts'
import { beginRequest, beginSave } from '../support/slow-request.ts'
import { until } from '../support/until.ts'
import { Stopwatch } from '../support/stopwatch.ts'

const isRefused = (error: unknown): boolean => String(error).includes('fetch failed')

const openHouse = async () => {
  const folder = await freshFolder()
  const server = await startServer(folder)
  return { folder, server, key: await makeKey(folder) }
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s: nothing new is accepted, what is in flight is finished, then it exits 0',
  async (signal) => {
    const { folder, server, key } = await openHouse()
    const save = await beginSave(server.packs.url, key, aPack())
    server.process.signal(signal)
    await server.process.says('stderr', /"shutting down"/)
    // It says so a moment before it stops listening.
    for (const { url } of [server.packs, server.pools]) {
      await until(() => fetch(`${url}/healthz`).then(() => false, isRefused))
    }

    save.finish()
    const answer = await save.answer
    expect(answer).toMatch(/^HTTP\/1\.1 201 /)
    expect((await server.process.ended).code).toBe(0)

    const [slug] = /"slug":"(.{10})"/.exec(answer)!.slice(1)
    const again = await startServer(folder)
    expect((await again.packs.ask('GET', `/packs/${slug}`, { key })).status).toBe(200)
  },
)

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s: who waits for changes is answered at once (D-73)',
  async (signal) => {
    const folder = await freshFolder()
    const server = await startServer(folder, { DRAIN_SECONDS: '3600' })
    const key = await makeKey(folder)
    const { cursor } = (await server.packs.ask('GET', '/changes', { key })).json
    const path = `/changes?after=${cursor}&wait=25`
    const waiting = server.packs.ask('GET', path, { key })
    // It came before this one, which was answered.
    await server.packs.ask('GET', '/me', { key })
    server.process.signal(signal)
    const reply = await waiting
    expect(reply.json).toEqual({ changes: [], cursor, more: false })
    expect(reply.headers.get('connection')).toBe('close')
    // It would drain for an hour.
    if (signal === 'SIGTERM') server.process.signal('SIGKILL')
    await server.process.ended
  },
)

describe('D-54: SIGTERM drains before it stops', () => {
  const readyz = async (url: string) => {
    const answer = await fetch(`${url}/readyz`)
    return [
      answer.status,
      ((await answer.json()) as { status: string }).status,
      answer.headers.get('connection'),
      answer.headers.get('retry-after'),
    ]
  }

  test('everything is served, on new connections too, and each answer closes its connection', async () => {
    const folder = await freshFolder()
    const server = await startServer(folder, { DRAIN_SECONDS: '3600', HEALTH_PORT: '0' })
    const key = await makeKey(folder)
    const save = await beginSave(server.packs.url, key, aPack())
    const idle = await beginRequest(server.packs.url, ['GET /healthz HTTP/1.1', '', ''])
    await new Promise((resolve) => idle.socket.once('data', resolve))
    server.process.signal('SIGTERM')
    await server.process.says('stderr', /"shutting down"/)

    const draining = [503, 'draining', 'close', '5']
    const [, health = ''] = /^ +health +(http\S+)/m.exec(server.process.stdout) ?? []
    for (const url of [server.packs.url, server.pools.url, health]) {
      expect(await readyz(url)).toEqual(draining)
    }
    const reply = await server.packs.ask('POST', '/packs', { key, body: aPack() })
    expect([reply.status, reply.headers.get('connection')]).toEqual([201, 'close'])
    const page = await fetch(`${server.packs.url}/robots.txt`)
    expect([page.status, page.headers.get('connection')]).toEqual([200, 'close'])
    // What was begun or open before: its next answer is its last.
    save.finish('GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n')
    expect(await save.answer).toMatch(/^HTTP\/1\.1 201 (?:(?!HTTP\/1)[^])*$/)
    idle.socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
    expect(await idle.answer).toMatch(/keep-alive[^]*HTTP\/1\.1 200 [^]*Connection: close/)
    // A second one does not wait for the end of the hour; within 50 ms it would be the same.
    await pause(100)
    server.process.signal('SIGTERM')
    expect((await server.process.ended).code).toBe(1)
  })

  test('then it stops listening and exits 0', async () => {
    const server = await startServer(await freshFolder(), { DRAIN_SECONDS: '1' })
    server.process.signal('SIGTERM')
    await server.process.says('stderr', /"shutting down"/)
    expect(await readyz(server.packs.url)).toEqual([503, 'draining', 'close', '5'])
    expect((await server.process.ended).code).toBe(0)
    await expect(fetch(`${server.packs.url}/healthz`)).rejects.toThrow('fetch failed')
  })
})

test('idle connections do not keep it from exiting', async () => {
  const { server } = await openHouse()
  const idle = await beginRequest(server.packs.url, ['GET /healthz HTTP/1.1', '', ''])
  await new Promise((resolve) => idle.socket.once('data', resolve))
  const watch = new Stopwatch()
  expect((await server.stop()).code).toBe(0)
  // What is in flight would be cut after ten seconds.
  expect(watch.stop()).toBeLessThan(8_000)
})

test('Ctrl+C comes twice under npm, which passes on what the terminal sent: that is one signal', async () => {
  const { server, key } = await openHouse()
  const save = await beginSave(server.packs.url, key, aPack())
  server.process.signal('SIGINT')
  server.process.signal('SIGINT')
  await server.process.says('stderr', /"shutting down"/)
  save.finish()
  expect(await save.answer).toMatch(/^HTTP\/1\.1 201 /)
  expect((await server.process.ended).code).toBe(0)
})

test.each([
  ['SIGINT', 500],
  ['SIGTERM', 50],
] as const)('signals %s within %i ms count as one, by the clock of the process', (signal, ms) => {
  let now = 0
  const listeners = new Map<string, (what: unknown) => void>()
  const exits: number[] = []
  const forever = () => new Promise<void>(() => {})
  watchProcess(
    { log: { info() {}, fatal() {} }, drain: forever, stop: forever, close: forever },
    {
      on: (event, listener) => listeners.set(event, listener),
      exit: (code) => void exits.push(code),
      now: () => now,
    },
  )
  const send = () => listeners.get(signal)!(signal)
  send()
  send()
  now = ms
  send()
  expect(exits).toEqual([])
  now = ms + 1
  send()
  expect(exits).toEqual([1])
})

test('a second signal exits at once', async () => {
  const { server, key } = await openHouse()
  await beginSave(server.packs.url, key, aPack())
  server.process.signal('SIGTERM')
  await server.process.says('stderr', /"shutting down"/)
  await pause(600)
  const watch = new Stopwatch()
  server.process.signal('SIGTERM')
  // With the request that is in flight: what waits for that ends with code 0, after ten seconds.
  expect((await server.process.ended).code).toBe(1)
  expect(watch.stop()).toBeLessThan(8_000)
})
