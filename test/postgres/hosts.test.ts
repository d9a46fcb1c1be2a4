import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openPostgresStores } from '../../src/adapters/storage/postgres/open.ts'
import { startCluster } from '../support/postgres-cluster.ts'
import { type Database, takeDatabase } from '../support/postgres-databases.ts'
import { overConnection } from '../support/postgres-setup.ts'
import { until } from '../support/until.ts'

describe('the address of a database', () => {
  let database: Database
  let other: Awaited<ReturnType<typeof startCluster>>
  beforeAll(async () => {
    database = await takeDatabase()
    other = await startCluster()
    await (await openPostgresStores(other.url)).care.close()
  })
  afterAll(async () => {
    await other.stop()
    await database.giveBack()
  })

  const portOf = (url: string): number => Number(new URL(url).port)
  const open = async (url: string) => {
    const stores = await openPostgresStores(url, { size: 3 })
    onTestFinished(() => stores.care.close())
    const port = async () =>
      (await stores.run<{ port: number | null }>('select inet_server_port() as port', []))[0]?.port
    return { stores, port }
  }
  /** What a standby answers that is asked to write. */
  const setReadOnly = async (isReadOnly: boolean) => {
    await overConnection(other.url, async (client) => {
      await client.query(`alter system set default_transaction_read_only = ${isReadOnly}`)
      await client.query('select pg_reload_conf()')
    })
    const expected = isReadOnly ? 'on' : 'off'
    await until(() =>
      overConnection(other.url, async (client) => {
        const { rows } = await client.query('show transaction_read_only')
        return rows[0].transaction_read_only === expected
      }),
    )
  }

  it('may name a socket', async () => {
    const { username, password, pathname, port } = new URL(database.url)
    const folder = await overConnection(database.url, async (client) => {
      const { rows } = await client.query('show unix_socket_directories')
      return String(rows[0].unix_socket_directories).split(',')[0]!
    })
    const login = `postgres://${username}:${password}@`
    for (const url of [
      `${login}${pathname}?host=${folder}&port=${port}`,
      `${login}${encodeURIComponent(folder)}:${port}${pathname}`,
    ]) {
      const opened = await open(url)
      await opened.stores.care.check()
      expect(await opened.port()).toBeNull()
    }
  })

  it('may name several hosts: the one that takes writes is used, also after a failover', async () => {
    const { username, password } = new URL(other.url)
    const main = await startCluster()
    onTestFinished(() => main.stop())
    await setReadOnly(true)
    const [first, second] = [portOf(other.url), portOf(main.url)]
    const url = `postgres://${username}:${password}@127.0.0.1:${first},127.0.0.1:${second}/postgres?target_session_attrs=read-write`
    const { stores, port } = await open(url)
    expect(await port()).toBe(second)
    await stores.accounts.ensurePlayer({ gameId: 1, username: 'Ann' }, 'ann', 0)

    await main.halt()
    await expect(stores.care.check()).rejects.toThrow()
    await setReadOnly(false)
    await until(() =>
      stores.care.check().then(
        () => true,
        () => false,
      ),
    )
    expect(await port()).toBe(first)
    await stores.accounts.ensurePlayer({ gameId: 2, username: 'Ben' }, 'ben', 0)

    // The server goes on, as a standby: connections that there are must be left as well.
    await main.start()
    await setReadOnly(true)
    const write = () => stores.accounts.ensurePlayer({ gameId: 3, username: 'Cem' }, 'cem', 0)
    await until(() =>
      write().then(
        () => true,
        () => false,
      ),
    )
    expect(await port()).toBe(second)
    await setReadOnly(false)
  })

  it('says so when no host takes writes', async () => {
    await setReadOnly(true)
    const { username, password } = new URL(other.url)
    const host = `127.0.0.1:${portOf(other.url)}`
    const opening = openPostgresStores(
      `postgres://${username}:${password}@${host},${host}/postgres`,
    )
    await expect(opening).rejects.toThrow(/none of the hosts of DATABASE_URL takes writes/)
    await setReadOnly(false)
  })
})
