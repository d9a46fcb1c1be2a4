import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A connection on which a test writes HTTP by hand. */
type Wire = {
  readonly socket: Socket
  /** Everything that came back until the server ended the connection. */
  readonly answer: Promise<string>
}

/** Opens a connection and sends the beginning of a request. */
export const beginRequest = async (url: string, head: readonly string[]): Promise<Wire> => {
  const { hostname, port, host } = new URL(url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  let text = ''
  const answer = new Promise<string>((resolve, reject) => {
    socket.on('data', (bytes) => (text += bytes.toString()))
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })
  // Whoever does not wait for the answer has no interest in its failure.
  answer.catch(() => {})
  const [first = '', ...rest] = head
  await new Promise<void>((resolve) => {
    socket.write([first, `Host: ${host}`, ...rest].join('\r\n'), () => resolve())
  })
  return { socket, answer }
}

/** Saves a pack slowly: all is sent but the last byte, which `finish` sends with what is to follow. */
export const beginSave = async (
  url: string,
  key: string,
  pack: unknown,
): Promise<Wire & { finish(next?: string): void }> => {
  const body = JSON.stringify(pack)
  const wire = await beginRequest(url, [
    'POST /api/v1/packs HTTP/1.1',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body.slice(0, -1),
  ])
  // Behind this answer the server has read what came before it.
  await (await fetch(`${url}/healthz`)).arrayBuffer()
  return { ...wire, finish: (next = '') => void wire.socket.write(body.slice(-1) + next) }
}
