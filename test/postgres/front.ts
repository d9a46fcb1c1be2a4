import { Agent, createServer, request as ask } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { Door } from '../support/door.ts'
import { keepsConnections } from '../support/http.ts'

/** One address before several servers, until the test ends: each request goes to the next of them. */
export const startFront = async (doors: readonly Door[]): Promise<Door> => {
  const agent = new Agent({ keepAlive: true })
  let sent = 0
  const front = createServer(keepsConnections, (request, response) => {
    const door = doors[sent % doors.length]!
    sent += 1
    const { method, url, headers } = request
    const onward = ask(door.url + url, { method, headers, agent }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    request.pipe(onward)
  })
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    agent.destroy()
    front.closeAllConnections()
    front.close()
  })
  return new Door(`http://127.0.0.1:${(front.address() as AddressInfo).port}`)
}
