import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { createServiceApp } from '../../src/door/service-app.ts'
import { closeApps } from '../../src/main/server.ts'
import { openHouse } from '../support/house.ts'
import { testSettings } from '../support/settings.ts'

const house = await openHouse()
afterAll(() => house.close())

const asked = 'GET /unanswered HTTP/1.1\r\nhost: x\r\n'
const tunnel = 'CONNECT x:1 HTTP/1.1\r\nhost: x:1\r\n'

/** What may follow, in the same bytes, a request that is never answered. */
const following: readonly (readonly [string, string])[] = [
  ['nothing', ''],
  ['another request', `${asked}\r\n`],
  ['a part of a request', asked],
  ['another protocol', `${asked}connection: upgrade\r\nupgrade: h2c\r\n\r\n`],
  ['no HTTP', 'nonsense\r\n\r\n'],
  ['HTTP/2 with prior knowledge', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a tunnel', `${tunnel}\r\n`],
  ['a tunnel and what goes through it', `${tunnel}\r\n\x16\x03\x01`],
  ['a tunnel with a body', `${tunnel}content-length: 4\r\n\r\nbody`],
  ['a tunnel with a part of a body', `${tunnel}content-length: 4\r\n\r\nbo`],
  ['another request, and a tunnel', `${asked}\r\n${tunnel}\r\n`],
]

/** A connection on which a request is in work that is never answered, and what follows it has been read. */
const openUnanswered = async (follows: string) => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const app = createServiceApp({
    service: 'packs',
    ports: house.ports,
    settings: testSettings('packs'),
    site: async (scope) => {
      scope.get('/unanswered', () => {
        begin()
        return new Promise(() => {})
      })
    },
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  // Of connections that come from now on.
  const withinMs = (ms: number) => app.server.setTimeout(ms)
  const ask = async () => {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    const closed = once(socket.on('error', () => {}).resume(), 'close')
    socket.write(`${asked}\r\n${follows}`)
    await begun
    return { closed }
  }
  return { app, withinMs, ask }
}

describe('a connection ends whose request is not answered, whatever follows that', () => {
  it.each(following)('when nothing comes or goes any more, after %s', async (_title, follows) => {
    const { withinMs, ask } = await openUnanswered(follows)
    withinMs(100)
    const { closed } = await ask()
    await closed
  })

  it.each(following)('when the service shuts down, after %s', async (_title, follows) => {
    const { app, ask } = await openUnanswered(follows)
    const { closed } = await ask()
    await closeApps([app], 100)
    await closed
    expect(await connections(app.server)).toBe(0)
  })
})

const connections = (server: {
  getConnections: (done: (e: Error | null, n: number) => void) => unknown
}) =>
  new Promise<number>((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
