import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeCertificate } from '../support/certificate.ts'
import { freshFolder, runCli, startServer } from '../support/processes.ts'

describe('mapcrate-server health', () => {
  it('finds the server at another port and with TLS, and at HEALTH_PORT whatever the others are', async () => {
    const folder = await freshFolder()
    const { certFile, keyFile } = await makeCertificate(folder, 'server')
    const tls = { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile }
    const ask = (env: Record<string, string>) => runCli(folder, ['health'], { env })
    const server = await startServer(join(folder, 'data'), { ...tls, HEALTH_PORT: '0' })
    const { port } = new URL(server.packs.url)
    const [, url = ''] = /^ +health +(\S+)$/m.exec(server.process.stdout) ?? []
    const { port: healthPort } = new URL(url)
    const ready = { code: 0, stdout: 'ready\n', stderr: '' }
    expect(await ask({ ...tls, PORT: port, POOLS_PORT: '0' })).toEqual(ready)
    expect(await ask({ HEALTH_PORT: healthPort, PORT: '0', POOLS_PORT: '0' })).toEqual(ready)
    // Everywhere is here.
    expect(await ask({ HEALTH_PORT: healthPort, HOST: '0.0.0.0' })).toEqual(ready)
    const plain = await ask({ PORT: port, POOLS_PORT: '0' })
    expect([plain.code, plain.stdout]).toEqual([1, ''])

    expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok' })
    expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: 'ready' })
    expect((await fetch(`${url}/metrics`)).status).toBe(404)

    expect((await server.stop()).code).toBe(0)
    const gone = await ask({ HEALTH_PORT: healthPort })
    expect(gone).toEqual({
      code: 1,
      stdout: '',
      stderr: `mapcrate-server health: nothing answers at ${url}/readyz\n`,
    })
  })

  it('says that it cannot find a server whose ports are chosen by the system', async () => {
    const env = { PORT: '0', POOLS_PORT: '0' }
    const { code, stderr } = await runCli(await freshFolder(), ['health'], { env })
    expect(code).toBe(1)
    expect(stderr).toMatch(/set HEALTH_PORT/)
  })
})
