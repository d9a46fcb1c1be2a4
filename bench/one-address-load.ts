// `one-address-load.ts PORT ADDRESS FILE [tls]`: asks at full speed from one address, for what stands in the file, until
// it is ended: an array of groups, each with a number of sockets, and whether each request has a connection of its own.
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

export type Group = {
  readonly sockets: number
  /** A request each connection, or none: it is closed as soon as it is open. */
  readonly connections: 'kept' | 'one each' | 'bare'
  readonly requests: readonly string[]
}

const [, , port = '', localAddress = '', file = '', tls] = process.argv
const groups = JSON.parse(readFileSync(file, 'utf8')) as readonly Group[]

function open(): Socket {
  const host = { port: Number(port), host: '127.0.0.1', localAddress }
  return tls === undefined ? connect(host) : connectTls({ ...host, rejectUnauthorized: false })
}

/** One socket after the other. */
function drive({ connections, requests }: Group, first: number): void {
  let sent = first
  const again = (): void => {
    const socket = open()
    let missing = -1
    const ask = (): void => {
      if (connections === 'bare') socket.destroy()
      else socket.write(requests[sent++ % requests.length] ?? '')
    }
    socket.on('error', () => socket.destroy())
    // A server that closes at once is asked again at once, but not without a pause for this process.
    socket.on('close', () => setTimeout(again, 1))
    socket.once(tls === undefined ? 'connect' : 'secureConnect', ask)
    socket.on('data', (chunk: Buffer) => {
      if (missing < 0) {
        const end = chunk.indexOf('\r\n\r\n')
        const head = chunk.toString('latin1', 0, end).toLowerCase()
        const hasBody = !/^http\/1.1 (?:204|304)/.test(head)
        missing = end + 4 + (hasBody ? Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1] ?? 0) : 0)
      }
      missing -= chunk.length
      if (missing > 0) return
      missing = -1
      if (connections === 'kept') ask()
      else socket.destroy()
    })
  }
  again()
}

for (const group of groups) {
  for (let at = 0; at < group.sockets; at += 1) drive(group, at * 7)
}
