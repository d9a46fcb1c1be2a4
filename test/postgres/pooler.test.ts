import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openPostgresStores } from '../../src/adapters/storage/postgres/open.ts'
import { aNewPack } from '../ports/sample-pack.ts'
import { addOwners } from '../ports/temp-store.ts'
import { openHouse } from '../support/house.ts'
import { type Database, emptyDatabase, takeDatabase } from '../support/postgres-databases.ts'
import { overConnection } from '../support/postgres-setup.ts'
import { freshFolder, makeKey, runCli, startServer } from '../support/processes.ts'
import { aPack } from '../support/samples.ts'
import { onPostgres } from '../support/test-stores.ts'
import { until } from '../support/until.ts'

const PGBOUNCER = '/usr/sbin/pgbouncer'
const isMissing = !existsSync(PGBOUNCER)
const FORGETFUL =
  'DATABASE_URL leads to a pooler that forgets prepared statements; set DATABASE_PREPARED=off'

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })

/** PgBouncer in front of a database, in this mode; gives the address to use in place of the database's. */
const startPooler = async (databaseUrl: string, mode: 'transaction' | 'session') => {
  const folder = await mkdtemp(join(tmpdir(), 'mapcrate-pooler-'))
  const port = await freePort()
  const { hostname, port: serverPort, username, password, pathname } = new URL(databaseUrl)
  const config = join(folder, 'pgbouncer.ini')
  await writeFile(
    config,
    `[databases]
store = host=${hostname} port=${serverPort} dbname=${pathname.slice(1)} user=${username} password='${decodeURIComponent(password)}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 4
max_client_conn = 200
`,
  )
  // It refuses to run as root.
  await chmod(folder, 0o755)
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child: ChildProcess = spawn(PGBOUNCER, ['-q', ...user, config], { stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true })
  })
  const url = `postgres://anybody@127.0.0.1:${port}/store`
  await until(() => overConnection(url, (client) => client.query('select 1')).catch(() => null))
  return url
}

describe.skipIf(isMissing)('behind PgBouncer (skipped where it is not installed)', () => {
  let database: Database
  beforeEach(async () => {
    database = await takeDatabase()
  })
  afterEach(() => database.giveBack())

  const readinessOf = async (url: string) => {
    const reply = await fetch(`${url}/readyz`)
    return [reply.status, await reply.json()]
  }

  it('that gives connections by the transaction: all works with DATABASE_PREPARED=off', async () => {
    const url = await startPooler(database.url, 'transaction')
    const open = () => onPostgres(url, { size: 10, isPrepared: false, timeoutMs: 10_000 })
    const house = await openHouse({ open })
    const again = await openHouse({ open, clock: house.clock })
    onTestFinished(again.close)
    onTestFinished(house.close)
    const hosts = [await house.host(), await house.host(), await house.host()]
    for (const [at, host] of hosts.entries()) {
      await again.hostOf(2_000 + at, `other ${at}`)
      const reading = Array.from({ length: 30 }, (_, each) =>
        host.get(['/me', '/packs', '/me/packs'][each % 3]!),
      )
      const writing = Array.from({ length: 9 }, () => host.post(aPack({ visibility: 'public' })))
      const replies = await Promise.all([...reading, ...writing])
      expect(replies.map(({ status }) => status)).toEqual([
        ...reading.map(() => 200),
        ...writing.map(() => 201),
      ])
    }
    for (const { doors } of [house, again]) {
      expect(await readinessOf(doors.packs.url)).toEqual([200, { status: 'ready' }])
    }
    // What one process sets for its work stays with no connection that others get.
    const settings = await overConnection(url, (client) => client.query('show statement_timeout'))
    expect(settings.rows).toEqual([{ statement_timeout: '0' }])
  })

  it('bounds what a transaction asks there, as it does without a pooler', async () => {
    const url = await startPooler(database.url, 'transaction')
    const stores = await openPostgresStores(url, { isPrepared: false, timeoutMs: 500 })
    onTestFinished(() => stores.care.close())
    await addOwners(stores)
    await overConnection(database.url, async (other) => {
      await other.query('begin; lock table pack in access exclusive mode')
      await expect(stores.packs.create(aNewPack(), null)).rejects.toThrow(/in time|timeout/)
      await until(async () => {
        const { rows } = await other.query(
          "select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock'",
        )
        return rows[0].n === 0
      })
      await other.query('rollback')
    })
    expect((await stores.packs.create(aNewPack(), null)).outcome).toBe('created')
  })

  it('makes its tables through it, whoever else does so at once', async () => {
    const name = new URL(database.url).pathname.slice(1)
    const empty = `${name}_empty`
    const emptyUrl = new URL(database.url)
    emptyUrl.pathname = `/${empty}`
    await overConnection(database.url, (client) => client.query(`create database ${empty}`))
    onTestFinished(async () => {
      await overConnection(database.url, (client) =>
        client.query(`drop database ${empty} with (force)`),
      )
    })
    const url = await startPooler(emptyUrl.href, 'transaction')
    const opened = await Promise.all([
      openPostgresStores(url, { isPrepared: false }),
      openPostgresStores(url, { isPrepared: false, directUrl: emptyUrl.href }),
      openPostgresStores(emptyUrl.href),
    ])
    for (const { care } of opened) {
      await expect(care.check()).resolves.toBeUndefined()
      await care.close()
    }
  })

  it('without the setting: /readyz is 503 and names it, before any request has failed', async () => {
    const url = await startPooler(database.url, 'transaction')
    const house = await openHouse({ open: () => onPostgres(url, { size: 4 }) })
    onTestFinished(house.close)
    const reason = { status: 'store unavailable', reason: FORGETFUL }
    expect(await readinessOf(house.doors.packs.url)).toEqual([503, reason])
    expect(await readinessOf(house.doors.packs.url)).toEqual([503, reason])
  })

  it('refuses a restore while a server is there, and makes one after it, whatever stays open', async () => {
    const from = await freshFolder()
    await makeKey(from)
    const to = await emptyDatabase()
    const url = await startPooler(to, 'transaction')
    const settings = { DATABASE_PREPARED: 'off', DATABASE_DIRECT_URL: to }
    const server = await startServer(from, { DATABASE_URL: url, ...settings })
    const restore = (address: string) =>
      runCli(from, ['restore', join(from, 'mapcrate.db')], {
        env: { DATABASE_URL: address, ...settings },
      })
    for (const address of [url, to]) {
      const { code, stderr } = await restore(address)
      expect([code, stderr]).toEqual([1, expect.stringMatching(/uses it; stop that first; /)])
    }
    await server.stop()
    const kept = await overConnection(to, (client) =>
      client.query("select from pg_stat_activity where application_name = 'mapcrate'"),
    )
    expect(kept.rows.length).toBeGreaterThan(0)
    expect(await restore(url)).toMatchObject({ code: 0 })
  })

  it('that gives connections by the session: nothing need be set', async () => {
    const url = await startPooler(database.url, 'session')
    const house = await openHouse({ open: () => onPostgres(url, { size: 3 }) })
    onTestFinished(house.close)
    const host = await house.host()
    await host.save(aPack({ visibility: 'public' }))
    expect(await readinessOf(house.doors.packs.url)).toEqual([200, { status: 'ready' }])
    expect((await host.get('/packs')).status).toBe(200)
  })
})
