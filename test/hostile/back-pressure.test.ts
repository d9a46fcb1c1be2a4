import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { AppError } from '../../src/contract/errors.ts'
import { sendAnswer, sendPrivate } from '../../src/door/answer.ts'
import { sendFailure } from '../../src/door/failures.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { createServiceApp } from '../../src/door/service-app.ts'
import { openHouse } from '../support/house.ts'
import { testSettings } from '../support/settings.ts'
import { until } from '../support/until.ts'

type Sink = { readonly send: (text: string) => boolean; readonly end: () => void }

const house = await openHouse()
let sink: Sink | null = null
const stream = { begin: (begun: Sink) => void (sink = begun), close: () => {} }
const streaming = { auth: 'session', method: 'GET', success: { status: 200 } } as Endpoint

const apps = (['packs', 'pools'] as const).map((service) =>
  createServiceApp({
    service,
    ports: house.ports,
    settings: testSettings(service),
    site: async (scope) => {
      scope.get('/events', (request, reply) => {
        sendAnswer(null as never, request, reply, streaming, { events: stream })
      })
      scope.get('/sent', (_, reply) => reply.code(503).send('a'))
      scope.get('/empty', (_, reply) => reply.code(503).send())
      scope.get('/private', (_, reply) => sendPrivate(reply, 503, 'a'))
      scope.get('/thrown', () => {
        throw new AppError('unavailable:no_room', 'there is no room')
      })
      scope.get('/failed', (request, reply) =>
        sendFailure(new AppError('unavailable:no_room', 'there is no room'), request, reply),
      )
      scope.get('/own', (_, reply) => reply.code(503).header('Retry-After', '7').send())
      scope.get('/thrown-own', () => {
        throw new AppError('unavailable:no_room', 'there is no room', 7)
      })
    },
  }),
)
await Promise.all(apps.map((app) => app.listen({ host: '127.0.0.1', port: 0 })))
const ports = apps.map((app) => (app.server.address() as AddressInfo).port)
afterAll(async () => {
  await Promise.all(apps.map((app) => app.close()))
  await house.close()
})

describe('a stream of events waits for its client', () => {
  it('holds one event at most for a client that does not read, and goes on when it does', async () => {
    const accepted = once(apps[0]!.server, 'connection')
    const client = connect(ports[0]!, '127.0.0.1')
    onTestFinished(() => void client.destroy())
    client.pause()
    client.write('GET /events HTTP/1.1\r\nhost: x\r\n\r\n')
    const [socket] = (await accepted) as [Socket]
    await until(async () => sink !== null)
    const event = (number: number): string => `data: ${number} ${'x'.repeat(65_536)}\n\n`
    const taken: number[] = []
    let most = 0
    // More than the buffers of the system hold.
    for (let number = 0; number < 1000; number++) {
      if (sink!.send(event(number))) taken.push(number)
      most = Math.max(most, socket.writableLength)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(taken.length).toBeLessThan(1000)
    // One event, and what frames it.
    expect(most).toBeLessThan(66_000)

    let received = ''
    client.on('data', (chunk: Buffer) => (received += chunk.toString()))
    client.resume()
    await until(async () => sink!.send('data: last\n\n'))
    await until(async () => received.includes('data: last'))
    const numbers = [...received.matchAll(/data: (\d+) /g)].map(([, number]) => Number(number))
    expect(numbers).toEqual(taken)
    sink!.end()
    await until(async () => received.endsWith('0\r\n\r\n'))
    // Proxies would keep it until it ends.
    expect(received).toMatch(/^HTTP\/1\.1 200 [^]*?\r\nx-accel-buffering: no\r\n[^]*?\r\n\r\n/)
  })
})

describe('every 503 says when to try again', () => {
  it.each([
    ['/sent', '5'],
    ['/empty', '5'],
    ['/private', '5'],
    ['/thrown', '5'],
    ['/failed', '5'],
    ['/own', '7'],
    ['/thrown-own', '7'],
  ])('503 %s on both services', async (path, seconds) => {
    for (const port of ports) {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`)
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, seconds])
    }
  })

  it('503 /readyz while it drains, on both services', async () => {
    house.drain()
    for (const { url } of Object.values(house.doors)) {
      const answer = await fetch(`${url}/readyz`)
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    }
  })
})
