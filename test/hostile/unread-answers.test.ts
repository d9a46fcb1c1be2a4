import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createConnections } from '../../src/door/connections.ts'

/** More than the buffers between both ends take. */
const LONG = Buffer.alloc(64_000_000)

const behind = {
  nothing: '',
  'a request': 'GET / HTTP/1.1\r\nhost: x\r\n\r\n',
  'a tunnel': 'CONNECT x:1 HTTP/1.1\r\nhost: x:1\r\n\r\n',
  'a tunnel, with a body': 'CONNECT x:1 HTTP/1.1\r\nhost: x:1\r\ncontent-length: 2\r\n\r\nab',
  'another protocol': 'GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n',
  'what is no request': 'nonsense\r\n\r\n',
}

/** A server, and its end of a connection whose client reads nothing of a response, with `more` behind its request. */
const unread = async (more: string, timeoutMs?: number) => {
  const answer: RequestListener = ({ socket }, response) => {
    // Not before: until the request has come, a busy machine would be a connection without traffic.
    if (timeoutMs !== undefined) socket.setTimeout(timeoutMs)
    response.end(LONG)
  }
  const server = createConnections(answer, {
    answers: {
      textFor: async () => 'HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n',
      refuseExpectation: async () => {},
    },
    lifecycle: { draining: new AbortController().signal },
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.on('error', () => {})
  client.pause()
  onTestFinished(() => {
    client.destroy()
    server.close()
  })
  client.write(`GET / HTTP/1.1\r\nhost: x\r\n\r\n${more}`)
  const [{ socket }] = await once(server, 'request')
  // What came in the same chunk is parsed then.
  await new Promise(setImmediate)
  expect(socket.destroyed).toBe(false)
  return { server, socket }
}

describe.each(Object.entries(behind))('behind a response that is not read: %s', (_, more) => {
  it('closes with all connections', async () => {
    const { server, socket } = await unread(more)
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
    expect(socket.destroyed).toBe(true)
  })

  it('closes after its time without traffic', async () => {
    const { socket } = await unread(more, 50)
    if (!socket.destroyed) await once(socket, 'close')
    expect(socket.destroyed).toBe(true)
  })
})
