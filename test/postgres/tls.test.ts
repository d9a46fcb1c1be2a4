import { chmod, chown, stat } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { makeCertificate } from '../support/certificate.ts'
import { startCluster } from '../support/postgres-cluster.ts'
import { overConnection } from '../support/postgres-setup.ts'
import { freshFolder, runCli } from '../support/processes.ts'
import { until } from '../support/until.ts'

const makeKey = ['key', '--service', 'packs', '--game-id', '1', '--username', 'Ada']

describe('a database over TLS', () => {
  let cluster: Awaited<ReturnType<typeof startCluster>>
  let certFile = ''
  beforeAll(async () => {
    cluster = await startCluster()
    await overConnection(cluster.url, async (client) => {
      const { rows } = await client.query('show data_directory')
      const folder: string = rows[0].data_directory
      const made = await makeCertificate(folder, 'server')
      certFile = made.certFile
      // PostgreSQL takes a key that is its own, and that nobody else may read.
      const { uid, gid } = await stat(folder)
      for (const file of [made.certFile, made.keyFile]) {
        await chown(file, uid, gid)
        await chmod(file, 0o600)
      }
      await client.query(`alter system set ssl_cert_file = '${made.certFile}'`)
      await client.query(`alter system set ssl_key_file = '${made.keyFile}'`)
      await client.query('alter system set ssl = on')
      await client.query('select pg_reload_conf()')
    })
    await until(() =>
      overConnection(cluster.url, async (client) => {
        const { rows } = await client.query('show ssl')
        return rows[0].ssl === 'on'
      }),
    )
  })
  afterAll(() => cluster.stop())

  const run = async (query: Readonly<Record<string, string>>) => {
    const url = new URL(cluster.url)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    return runCli(await freshFolder(), makeKey, { env: { DATABASE_URL: url.href } })
  }
  it.each(['verify-full', 'verify-ca', 'require', 'prefer'])(
    'sslmode=%s verifies the certificate, without a word where its CA is named',
    async (sslmode) => {
      // Where a process of its own writes them to stderr.
      const warnings: Error[] = []
      const note = (warning: Error) => void warnings.push(warning)
      process.on('warning', note)
      onTestFinished(() => void process.off('warning', note))
      const trusted = await run({ sslmode, sslrootcert: certFile })
      expect(trusted).toMatchObject({ code: 0, stderr: '' })
      expect(warnings).toEqual([])

      const untrusted = await run({ sslmode })
      expect(untrusted.code).toBe(1)
      expect(untrusted.stderr).toMatch(/^mapcrate-server key: [^\n]*sslrootcert=FILE[^\n]*\n$/)
    },
  )

  it('sslmode=no-verify only encrypts', async () => {
    expect(await run({ sslmode: 'no-verify' })).toMatchObject({ code: 0, stderr: '' })
  })

  it('a server without TLS is refused by a client that asks for it', async () => {
    await overConnection(cluster.url, async (client) => {
      await client.query('alter system set ssl = off')
      await client.query('select pg_reload_conf()')
    })
    const answer = await until(async () => {
      const { code, stderr } = await run({ sslmode: 'require', sslrootcert: certFile })
      return code === 1 && stderr
    })
    expect(answer).toContain('does not support SSL connections')
  })

  it('another sslmode is refused, and the modes that there are named', async () => {
    const { code, stderr } = await run({ sslmode: 'required' })
    expect(code).toBe(1)
    expect(stderr).toContain('must have an sslmode of disable, no-verify, prefer, require')
    expect(stderr).not.toContain('a%20secret')
  })
})
