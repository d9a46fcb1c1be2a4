import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { fastify } from 'fastify'
import { expect, test, vi } from 'vitest'
import { sendPrivate } from '../../src/door/answer.ts'
import { createServiceApp } from '../../src/door/service-app.ts'
import { closeApps, stopAccepting } from '../../src/main/server.ts'
import { openHouse } from '../support/house.ts'
import { testSettings } from '../support/settings.ts'
import { until } from '../support/until.ts'

test('what takes too long is cut, so that a shutdown always ends', async () => {
  const app = fastify()
  let begun = () => {}
  const isBegun = new Promise<void>((resolve) => (begun = resolve))
  app.get('/', () => {
    begun()
    return new Promise(() => {})
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const isCut = expect(fetch(url)).rejects.toThrow('fetch failed')
  await isBegun
  await closeApps([app], 100)
  await isCut
})

test('who has connected before the end is still answered, nobody else is (D-54)', async () => {
  const app = fastify()
  app.get('/', async () => 'here')
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const accepted = once(app.server, 'connection')
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await accepted
  await stopAccepting([app], 0)
  await expect(fetch(url)).rejects.toThrow('fetch failed')
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 [^]*here$/)
  await closeApps([app])
})

test('nor is a connection reset that the kernel has made and the process not yet accepted (D-54)', async () => {
  const app = fastify()
  app.get('/', async () => 'here')
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  // It is made now, and accepted in the next turn of the event loop.
  await new Promise((resolve) => process.nextTick(resolve))
  const stopped = stopAccepting([app], 0)
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 [^]*here$/)
  await stopped
  await closeApps([app])
})

test('a request that has arrived on a kept connection is answered before that closes (D-54)', async () => {
  const app = fastify({ return503OnClosing: false })
  app.get('/', async () => 'here')
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  const ask = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'
  socket.write(ask)
  await once(socket, 'data')
  // In the kernel at once, and read in the next turn of the event loop.
  socket.write(ask)
  const closed = closeApps([app])
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 [^]*here$/)
  await closed
})

test('a response that is still being read is sent to its end (D-54)', async () => {
  const house = await openHouse()
  const text = 'x'.repeat(32 * 1024 * 1024)
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
  const app = createServiceApp({
    service: 'packs',
    ports: house.ports,
    settings: testSettings('packs'),
    site: async (scope) => {
      scope.get('/long', (_, reply) => {
        ask()
        return sendPrivate(reply, 200, text)
      })
    },
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const client = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  let received = 0
  client.on('error', () => {}).on('data', (chunk: Buffer) => (received += chunk.length))
  client.pause()
  client.write('GET /long HTTP/1.1\r\nhost: x\r\n\r\n')
  await asked
  const swept = vi.spyOn(app.server, 'closeIdleConnections')
  let isClosed = false
  const closed = closeApps([app]).then(() => (isClosed = true))
  await until(async () => isClosed || swept.mock.calls.length > 3)
  const ended = once(client, 'close')
  client.resume()
  await Promise.all([closed, ended])
  expect(received).toBeGreaterThan(text.length)
  await house.close()
})
