import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Answer, ask } from './http.ts'
import { keepsConnections } from './http.ts'

/** A request on its way to a service. */
type Passing = {
  readonly method: string
  /** Below `/api/v1`. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  // oxlint-disable-next-line typescript/no-explicit-any -- a fault looks into bodies of every shape
  readonly json: any
}

/** Asks the service as the request is, or otherwise. */
type Forward = (changes?: Partial<Passing>) => Promise<Answer>

/** What is wrong with a service: how it answers a request. */
export type Wrong = (passing: Passing, forward: Forward) => Promise<Answer>

/** What goes in between by itself. */
const own = ['connection', 'host', 'content-length', 'transfer-encoding', 'accept-encoding']
const PREFIX = '/api/v1'

const without = (headers: Readonly<Record<string, string>>, ...names: readonly string[]) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)))

/** The request without a header. */
export const dropping = (name: string, { headers }: Passing): Partial<Passing> => ({
  headers: without(headers, name),
})

/** The answer with another body. */
// oxlint-disable-next-line typescript/no-explicit-any -- as above
export const rewritten = (answer: Answer, change: (json: any) => unknown): Answer => {
  if (!answer.headers.get('content-type')?.startsWith('application/json')) return answer
  return { ...answer, text: JSON.stringify(change(JSON.parse(answer.text))) }
}

/** A service with something wrong with it: the right one, behind what changes requests and answers. */
export const openFaultyService = async (target: string, wrong: Wrong) => {
  const server = createServer(keepsConnections, async (message, response) => {
    const body = await bodyOf(message)
    const passing: Passing = {
      method: message.method ?? 'GET',
      path: (message.url ?? '').slice(PREFIX.length),
      headers: without(message.headers as Record<string, string>, ...own),
      json: parsed(body),
    }
    const forward: Forward = (changes = {}) => {
      const { method, path, headers, json } = { ...passing, ...changes }
      const sent = changes.json === undefined ? body : JSON.stringify(json)
      const asking = { headers, ...(sent !== '' && { body: sent }) }
      return ask(method, `${target}${PREFIX}${path}`, asking)
    }
    const answer = await wrong(passing, forward).catch(() => null)
    // Who asked has gone, or the fault is that there is no answer.
    if (answer === null) {
      response.destroy()
      return
    }
    const { status, headers, text } = answer
    const kept = without(Object.fromEntries(headers), ...own, 'content-encoding', 'keep-alive')
    response.writeHead(status, kept).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = (): void => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

const bodyOf = async (message: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = []
  for await (const part of message) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
