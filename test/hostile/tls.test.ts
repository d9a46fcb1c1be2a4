import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect as connectPlain, type Socket } from 'node:net'
import { connect } from 'node:tls'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { createServiceApp } from '../../src/door/service-app.ts'
import { makeCertificate } from '../support/certificate.ts'
import { testSettings } from '../support/settings.ts'
import { openHouse } from '../support/house.ts'
import { Stopwatch } from '../support/stopwatch.ts'

const house = await openHouse()
const files = await makeCertificate(house.folder, 'server')
const cert = readFileSync(files.certFile, 'utf8')
const key = readFileSync(files.keyFile, 'utf8')
const app = createServiceApp({
  service: 'packs',
  ports: house.ports,
  settings: testSettings('packs'),
  tls: { cert, key },
})
await app.listen({ host: '127.0.0.1', port: 0 })
afterAll(async () => {
  await app.close()
  await house.close()
})

/** Sends text over TLS and gives all that came until the server closed the connection. */
const send = async (text: string): Promise<{ status: number; ms: number }> => {
  const watch = new Stopwatch()
  const { port } = app.server.address() as AddressInfo
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
  let answer = ''
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
  socket.on('error', () => socket.destroy())
  await once(socket, 'secureConnect')
  socket.write(text)
  await once(socket, 'close')
  return { status: Number(answer.split(' ')[1]), ms: watch.stop() }
}

test('400 in our own words under TLS too: no Host header (D-10)', async () => {
  expect((await send('GET /api/v1/me HTTP/1.1\r\n\r\n')).status).toBe(400)
})

test('408: who is slow is cut within 15 s under TLS too', async () => {
  const { status, ms } = await send('GET /api/v1/me HTTP/1.1\r\nhost: x\r\n')
  expect(status).toBe(408)
  expect(ms).toBeLessThan(15_000)
})

test.each(['connect', 'secureConnect'])(
  'who leaves a handshake at once leaves no connection: %s',
  async (step) => {
    const { port } = app.server.address() as AddressInfo
    const arrived = once(app.server, 'connection')
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
    socket.on('error', () => socket.destroy())
    socket.once(step, () => socket.destroy())
    const [peer] = (await arrived) as [Socket]
    if (!peer.closed) await once(peer, 'close')
    const count = promisify(app.server.getConnections.bind(app.server))
    expect(await count()).toBe(0)
  },
  // Less than a handshake may take.
  9_000,
)

test.each([
  ['plain HTTP', 'GET /readyz HTTP/1.1\r\nhost: x\r\n\r\n'],
  ['noise', '\u0016\u0003\u0001\u0000\u0005hello'],
  ['nothing at all', ''],
])('%s in place of a handshake ends its own connection alone', async (_, text) => {
  const { port } = app.server.address() as AddressInfo
  const socket = connectPlain({ port, host: '127.0.0.1' })
  socket.on('error', () => socket.destroy())
  socket.resume()
  socket.end(text)
  await once(socket, 'close')
  expect((await send('GET /api/v1/me HTTP/1.1\r\n\r\n')).status).toBe(400)
})

test('a client that does not trust the certificate ends its own connection alone', async () => {
  const { port } = app.server.address() as AddressInfo
  const socket = connect({ port, host: '127.0.0.1' })
  await once(socket, 'error')
  expect((await send('GET /api/v1/me HTTP/1.1\r\n\r\n')).status).toBe(400)
})
