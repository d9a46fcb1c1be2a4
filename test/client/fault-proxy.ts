import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { realTime } from '../../src/client/time.ts'
import { keepsConnections } from '../support/http.ts'

/** Real time, a hundred times as fast where it only passes. */
export const hurried = {
  now: realTime.now,
  after: (ms: number, work: () => void) => realTime.after(ms / 100, work),
}

/**
 * What happens to a request on its way. `pass`: it arrives and so does its answer. `drop`: the
 * connection ends before the request arrives; `lose`: behind it, so that the answer is lost;
 * `stall`: nothing ever comes. Otherwise something in between answers.
 */
export type Fault =
  | 'pass'
  | 'drop'
  | 'lose'
  | 'stall'
  | {
      readonly status: number
      readonly headers?: Record<string, string>
      readonly body?: string
    }

const bodyOf = async (message: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = []
  for await (const part of message) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

/** What goes in between by itself. */
const own = new Set(['connection', 'keep-alive', 'transfer-encoding', 'host'])
const passedOn = (headers: IncomingMessage['headers']) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !own.has(name)))

/** A proxy of a service over real HTTP, with one fault for each request, then none. */
export const openFaultProxy = async (target: string) => {
  let faults: Fault[] = []
  const seen: { method: string; path: string; headers: IncomingMessage['headers'] }[] = []

  const forward = async (message: IncomingMessage): Promise<[IncomingMessage, Buffer]> => {
    const body = await bodyOf(message)
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const { method, headers } = message
      const options = { method, headers: passedOn(headers) }
      request(target + message.url, options, resolve)
        .on('error', reject)
        .end(body)
    })
    return [answer, await bodyOf(answer)]
  }

  const travel = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const fault = faults.shift() ?? 'pass'
    const { method = '', url = '', headers } = message
    seen.push({ method, path: url, headers })
    if (typeof fault === 'object') {
      await bodyOf(message)
      response.writeHead(fault.status, fault.headers).end(fault.body)
      return
    }
    if (fault === 'stall') return
    if (fault === 'drop') return void message.socket.destroy()
    const [answer, body] = await forward(message)
    if (fault === 'lose') return void message.socket.destroy()
    response.writeHead(answer.statusCode ?? 0, passedOn(answer.headers)).end(body)
  }

  const server = createServer(keepsConnections, (message, response) => {
    travel(message, response).catch(() => message.socket.destroy())
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Requests as they came in, since the last faults were set. */
    seen,
    /** What happens to the next requests, in this order. */
    expect: (...next: Fault[]): void => {
      faults = next
      seen.length = 0
    },
    close: async (): Promise<void> => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
