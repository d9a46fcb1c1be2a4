import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { get } from 'node:https'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { makeCertificate } from '../support/certificate.ts'
import { freshFolder, makeKey, runCli, startServer } from '../support/processes.ts'
import { until } from '../support/until.ts'

const takePort = async (): Promise<string> => {
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void taken.close())
  return String((taken.address() as AddressInfo).port)
}

const freePort = async (): Promise<string> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return String(port)
}

test.each(['PORT', 'POOLS_PORT', 'METRICS_PORT'])(
  '%s in use: it says so and exits 1',
  async (name) => {
    const port = await takePort()
    const folder = await freshFolder()
    const { code, stdout, stderr } = await runCli(folder, ['serve'], {
      env: { PORT: '0', POOLS_PORT: '0', PLATFORM_PORT: '0', [name]: port, LOG_LEVEL: 'warn' },
    })
    expect(stderr).toBe(
      `mapcrate-server serve: ${name} ${port} on HOST 127.0.0.1 is taken; stop what uses it, or set another\n`,
    )
    expect(stdout).toBe('')
    expect(code).toBe(1)
    const second = await startServer(folder)
    expect(second.process.stdout, 'the first run is still to come').toMatch(/packs_\S{43}/)
  },
)

test('an address of another machine is refused with the remedy', async () => {
  const { code, stderr } = await runCli(await freshFolder(), ['serve'], {
    env: { HOST: '192.0.2.1', PORT: '0', POOLS_PORT: '0', PLATFORM_PORT: '0', LOG_LEVEL: 'warn' },
  })
  expect(stderr).toContain('is not of this machine; set HOST to one of its addresses')
  expect(code).toBe(1)
})

test('a configuration that cannot be used: all problems, exit 1, no store made', async () => {
  const folder = await freshFolder()
  const env = { PORT: '80a', SITE_URL: 'example.org' }
  const { code, stderr } = await runCli(folder, ['serve'], { env })
  expect(stderr).toMatch(
    /^mapcrate-server serve: the configuration .*\n {2}PORT .*\n {2}SITE_URL .*\n$/,
  )
  expect(code).toBe(1)
  expect((await runCli(folder, ['hide', 'aaaaaaaaaa'])).stderr).toContain('there is no store')
})

/** One line each. */
const manyMisspelt = Object.fromEntries(
  Array.from({ length: 12 }, (_, at) => [`DATABASE_URL${at.toString(36)}`, 'x']),
)

test('log lines are JSON on stderr: id, route, status, duration, never a key', async () => {
  const folder = await freshFolder()
  const misspelt = { DATABASE_ULR: 'postgres://ada:secret@db.test/x', ...manyMisspelt }
  const server = await startServer(folder, misspelt)
  const key = await makeKey(folder)
  const reply = await server.packs.ask('GET', '/packs?page=2', {
    key,
    headers: { cookie: 'session=secret' },
  })
  await server.packs.ask('GET', '/me', { key: key.slice(0, -1) })
  await server.pools.ask('GET', `/${key}`, { key })
  const { stdout, stderr } = await server.stop()
  const lines = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(lines).toContainEqual(
    expect.objectContaining({
      requestId: reply.headers.get('x-request-id'),
      method: 'GET',
      route: '/api/v1/packs',
      status: 200,
      ms: expect.any(Number),
    }),
  )
  expect(lines).toContainEqual(
    expect.objectContaining({ msg: 'DATABASE_ULR is not a setting; is it DATABASE_URL?' }),
  )
  expect(stderr).not.toContain(key.slice(0, -1))
  expect(stderr).not.toContain('secret')
  expect(stdout).not.toContain('"level"')
})

test.each([
  ['nobody reads', 'pipe'],
  ['is on a full disk', '/dev/full'],
] as const)(
  'it serves where stdout %s, from either start, and says so in its log',
  async (_, to) => {
    for (const start of [['src/main/serve.ts'], ['src/cli/mapcrate-server.ts', 'serve']]) {
      const port = await freePort()
      const stdout = to === 'pipe' ? to : openSync(to, 'w')
      const child = spawn(process.execPath, start, {
        cwd: fileURLToPath(new URL('../..', import.meta.url)),
        env: {
          DATA_DIR: await freshFolder(),
          PORT: '0',
          POOLS_PORT: '0',
          PLATFORM_PORT: '0',
          HEALTH_PORT: port,
          DRAIN_SECONDS: '0',
        },
        stdio: ['ignore', stdout, 'pipe'],
      })
      child.stdout?.destroy()
      if (typeof stdout === 'number') closeSync(stdout)
      let log = ''
      child.stderr?.on('data', (part) => (log += part))
      const ended = once(child, 'close')
      onTestFinished(() => void child.kill('SIGKILL'))
      await until(
        async () => log.includes('could not be written to stdout') || child.exitCode !== null,
      )
      expect({ start, log, code: child.exitCode }).toMatchObject({ start, code: null })
      expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
      child.kill('SIGTERM')
      expect(await ended).toEqual([0, null])
    }
  },
)

test('LOG_LEVEL silent: no log line at all', async () => {
  const server = await startServer(await freshFolder(), { LOG_LEVEL: 'silent' })
  await server.packs.ask('GET', '/me')
  expect((await server.stop()).stderr).toBe('')
})

test('with certificate and key both services speak HTTPS', async () => {
  const folder = await freshFolder()
  const { cert, certFile, keyFile } = await makeCertificate(folder, 'own')
  const server = await startServer(folder, { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile })
  for (const { url } of [server.packs, server.pools]) {
    expect(url).toMatch(/^https:/)
    const status = await new Promise((resolve, reject) => {
      get(`${url}/readyz`, { ca: cert }, (answer) => {
        answer.resume()
        resolve(answer.statusCode)
      }).on('error', reject)
    })
    expect(status).toBe(200)
  }
})
