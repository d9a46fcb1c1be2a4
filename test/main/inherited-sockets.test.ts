import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { freshFolder } from '../support/processes.ts'
import { openSockets } from '../support/supervisor.ts'
import { until } from '../support/until.ts'

const SERVER = fileURLToPath(new URL('../../src/main/serve.ts', import.meta.url))
const COMMAND = `"${process.execPath}" "${SERVER}"`

/** A server as systemd starts it with `deploy/mapcrate.socket`, over a store in a file. */
const openPorts = async (env: Readonly<Record<string, string>> = {}) => {
  const sockets = await openSockets(2, {
    DATA_DIR: await freshFolder(),
    PORT: '0',
    POOLS_PORT: '0',
    PLATFORM_PORT: '0',
    LOG_LEVEL: 'silent',
    DRAIN_SECONDS: '1',
    ...env,
  })
  onTestFinished(sockets.close)
  return sockets
}

test('a restart of the only process fails no request if its sockets stay open', async () => {
  const { ports, start } = await openPorts()
  let answered = 0
  const over = new AbortController()
  const failures: unknown[] = []
  const client = async (at: number): Promise<void> => {
    // With a body, so that nobody may repeat it; every other one on a new connection.
    const url = `http://127.0.0.1:${ports[at % 2]}/api/v1/${at % 2 === 0 ? 'packs' : 'me'}`
    const headers = { 'content-type': 'application/json', ...(at < 4 && { connection: 'close' }) }
    while (!over.signal.aborted) {
      const status = await fetch(url, { method: 'POST', headers, body: '{}' }).then(
        async (answer) => {
          await answer.arrayBuffer()
          return answer.status
        },
        (error: Error) => error.cause,
      )
      answered += 1
      if (status !== 401 && status !== 405 && status !== 429) failures.push(status)
    }
  }
  const answeredSince = async (then: number) => until(async () => answered > then + 50)

  const first = await start(COMMAND)
  // They wait in the kernel until the process accepts them.
  const clients = Array.from({ length: 8 }, (_, at) => client(at))
  await answeredSince(0)
  process.kill(first.pid, 'SIGTERM')
  expect(await first.ended).toBe(0)
  const then = answered
  await start(COMMAND)
  await answeredSince(then)
  over.abort()
  await Promise.all(clients)
  expect(failures).toEqual([])
})

test('a socket that is not that of PORT is refused', async () => {
  const { start, ports } = await openPorts({ PORT: '1' })
  const stderrFile = join(await freshFolder(), 'stderr')
  const { ended } = await start(`${COMMAND} 2> ${stderrFile}`)
  expect(await ended).toBe(1)
  expect(await readFile(stderrFile, 'utf8')).toContain(
    `PORT is 1, but the socket that was opened for it has port ${ports[0]};`,
  )
})
