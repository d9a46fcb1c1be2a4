import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openPostgresStores } from '../../src/adapters/storage/postgres/open.ts'
import { ConnectionPool } from '../../src/adapters/storage/postgres/pool.ts'
import { StoreUnavailable } from '../../src/ports/store.ts'
import { expectError } from '../support/door.ts'
import { openHouse } from '../support/house.ts'
import { type Database, takeDatabase } from '../support/postgres-databases.ts'
import { overConnection } from '../support/postgres-setup.ts'
import { aPack } from '../support/samples.ts'
import { onPostgres } from '../support/test-stores.ts'
import { until } from '../support/until.ts'

let database: Database
beforeEach(async () => {
  database = await takeDatabase()
})
afterEach(() => database.giveBack())

const run = (statement: string): Promise<unknown> =>
  overConnection(database.url, (client) => client.query(statement))

describe('a call waits for a connection of its own process', () => {
  const TIMEOUT_MS = 1_000

  const poolOf = (size: number) =>
    new ConnectionPool({ url: database.url, size, timeoutMs: TIMEOUT_MS })

  it('for as long as a call may take, and then has all of its time for the work', async () => {
    const pool = poolOf(1)
    const first = await pool.forKysely().connect()
    // Both timers are of this process: however slow it is, this one comes first.
    setTimeout(() => first.release(), 0.9 * TIMEOUT_MS)
    const second = await pool.forKysely().connect()
    const { rows } = await second.query<{ one: number }>('select 1 as one, pg_sleep(0.2)', [])
    expect(rows[0]?.one).toBe(1)
    second.release()
    await pool.close()
  })

  it('and no longer: it fails, and the connection goes to the next', async () => {
    const pool = poolOf(1)
    const connections = pool.forKysely()
    const first = await connections.connect()
    const late = connections.connect()
    expect(pool.usage).toEqual({ open: 1, inUse: 1, waiting: 1 })
    await expect(late).rejects.toThrow(StoreUnavailable)
    first.release()
    const next = await connections.connect()
    next.release()
    await until(async () => pool.usage.waiting === 0 && pool.usage.inUse === 0)
    await pool.close()
  })
})

describe('a user who may have few connections', () => {
  const ROLE = 'few_connections'
  const LIMIT = 3
  const urlOf = (): string => {
    const url = new URL(database.url)
    url.username = ROLE
    url.password = 'few'
    return url.href
  }

  beforeEach(() =>
    run(`create role ${ROLE} login superuser password 'few' connection limit ${LIMIT};
      alter role ${ROLE} nosuperuser;
      grant all on all tables in schema public to ${ROLE};
      grant all on all sequences in schema public to ${ROLE}`),
  )
  afterEach(() => run(`drop owned by ${ROLE}; drop role ${ROLE}`))

  it('is served by those that the process could get: no request fails', async () => {
    const house = await openHouse({
      open: () => onPostgres(urlOf(), { size: 10, timeoutMs: 15_000 }),
    })
    const hosts = [await house.host(), await house.host(), await house.host(), await house.host()]
    const slug = await hosts[0]!.save(aPack({ visibility: 'public' }))
    const statuses = new Map<number, number>()
    const paths = ['/me', '/packs', `/packs/${slug}`, '/me/packs']
    for (let round = 0; round < 3; round += 1) {
      house.clock.nextMinute()
      const asking = hosts.flatMap((host) =>
        Array.from({ length: 40 }, (_, at) => host.get(paths[at % paths.length]!)),
      )
      for (const { status } of await Promise.all(asking)) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    }
    expect([...statuses]).toEqual([[200, 480]])
    expect(house.ports.care.connections()?.open).toBeLessThanOrEqual(LIMIT)
    await house.close()
  })

  it('who has none left waits until there is one', async () => {
    const stores = await openPostgresStores(urlOf(), { size: 4, timeoutMs: 10_000 })
    // Another process takes them all, between two calls of this one.
    await run(`alter role ${ROLE} connection limit 0`)
    await run(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${ROLE}'`)
    // The server ends them a moment after it has said so.
    await until(async () => stores.care.connections()?.open === 0)
    const counting = Promise.all([stores.accounts.countPlayers(), stores.packs.listPublic(1, 1)])
    await pause(300)
    await run(`alter role ${ROLE} connection limit ${LIMIT}`)
    expect((await counting)[0]).toBe(0)
    await stores.care.close()
  })

  it('who gets none in time is told so: 500 with Retry-After, and /readyz says why', async () => {
    const open = () => onPostgres(urlOf(), { size: 4, timeoutMs: 3_000 })
    const house = await openHouse({ open })
    const host = await house.host()
    await run(`alter role ${ROLE} connection limit 0`)
    await run(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${ROLE}'`)
    await until(async () => house.ports.care.connections()?.open === 0)
    const refused = await host.get('/me')
    expectError(refused, 'internal_error')
    expect(refused.headers.get('retry-after')).toBe('5')
    const readiness = await fetch(`${house.doors.packs.url}/readyz`)
    expect([readiness.status, await readiness.json()]).toEqual([
      503,
      { status: 'store unavailable', reason: 'the database did not answer in time' },
    ])
    await run(`alter role ${ROLE} connection limit ${LIMIT}`)
    // On a busy machine, a connection may take longer than that.
    await until(async () => (await host.get('/me')).status === 200)
    await house.close()
  })
})

describe('a database whose disk is full (D-55)', () => {
  /** What a full disk answers: rows of any size, or large ones alone, find no room. */
  const noRoom = `
    create function no_room() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$;
    create trigger no_room before insert on pack execute function no_room();
    create trigger no_room before insert on beatmap execute function no_room()`

  it('is not ready from the first save that fails until a write finds room again', async () => {
    const house = await openHouse({ open: () => onPostgres(database.url, { size: 4 }) })
    const host = await house.host()
    const readiness = async () => {
      const reply = await fetch(`${house.doors.packs.url}/readyz`)
      return [reply.status, await reply.json()]
    }
    const full = { status: 'store unavailable', reason: 'the disk of the store is full' }
    await run(noRoom)
    try {
      expectError(await host.post(aPack()), 'internal_error')
      expect(await readiness()).toEqual([503, full])
      expect(await readiness()).toEqual([503, full])
    } finally {
      await run('drop function no_room cascade')
    }
    expect(await readiness()).toEqual([200, { status: 'ready' }])
    expect((await host.post(aPack())).status).toBe(201)
    const { rows } = (await run('select count(*)::int as n from beatmap')) as {
      rows: { n: number }[]
    }
    expect(rows[0]?.n).toBe(0)
    await house.close()
  })
})
