import type { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { LOCKS } from '../../src/adapters/storage/postgres/engine.ts'
import { HostPool } from '../../src/adapters/storage/postgres/host-pool.ts'
import { expectError, quotaOf, type Reply } from '../support/door.ts'
import { type Host, type House, openHouse } from '../support/house.ts'
import { startCluster } from '../support/postgres-cluster.ts'
import { overConnection } from '../support/postgres-setup.ts'
import { aPack } from '../support/samples.ts'
import { startProxy } from '../support/tcp-proxy.ts'
import { onPostgres } from '../support/test-stores.ts'
import { until } from '../support/until.ts'
import { Stopwatch } from '../support/stopwatch.ts'

/** Twice the five seconds that `npm run kill-cycles` measures: other processes of a busy machine are slow, too. */
const ANSWER_MS = 10_000
const CONNECTIONS = 4

let cluster: Awaited<ReturnType<typeof startCluster>>
let proxy: Awaited<ReturnType<typeof startProxy>>
let house: House
let host: Host
let slug: string

beforeAll(async () => {
  cluster = await startCluster()
  const url = new URL(cluster.url)
  proxy = await startProxy(Number(url.port))
  url.port = String(proxy.port)
  house = await openHouse({
    open: () => onPostgres(url.href, { size: CONNECTIONS, timeoutMs: 2_000 }),
  })
  host = await house.host()
  slug = await host.save(aPack({ name: 'before', visibility: 'public' }))
})
afterAll(async () => {
  await house.close()
  await proxy.close()
  await cluster.stop()
})

const asks: Readonly<Record<string, () => Promise<Reply>>> = {
  'GET /me': () => host.get('/me'),
  'GET /packs': () => host.get('/packs'),
  'GET /packs/{slug}': () => host.get(`/packs/${slug}`),
  'GET /me/packs': () => host.get('/me/packs'),
  'POST /packs': () => host.post(aPack({ visibility: 'public' })),
  'PUT /packs/{slug}': () => host.put(slug, aPack({ name: 'before', visibility: 'public' })),
}
type Ask = keyof typeof asks
const all = Object.keys(asks)

/** Answers in bounded time, and how it was answered. */
const answerOf = async (ask: Ask): Promise<Reply> => {
  const watch = new Stopwatch()
  const reply = await asks[ask]!()
  expect(watch.stop(), ask).toBeLessThan(ANSWER_MS)
  return reply
}

/** Each is our fault, told in our words, with the headers that each answer carries. */
const expectOurFault = async (which: readonly Ask[] = all): Promise<void> => {
  const replies = await Promise.all(which.map(answerOf))
  const made = which.filter((_, at) => replies[at]!.status < 300)
  expect(made).toEqual([])
  for (const reply of replies) {
    expectError(reply, reply.service === 'pools' ? 'unavailable' : 'internal_error')
    expect(reply.headers.get('retry-after')).toBe('5')
    expect(quotaOf(reply).limit).toBeGreaterThan(0)
    expect(reply.text).not.toMatch(/postgres|database|connect|127\.0\.0\.1/i)
  }
}

const expectService = async (): Promise<void> => {
  house.clock.nextMinute()
  const replies = await Promise.all(all.map(answerOf))
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 201, 200])
  expect((await host.get(`/packs/${slug}`)).json.pack.name).toBe('before')
}

/** Saves a public pack; again where a connection that was cut, or a busy machine, makes that fail. */
const saveInTheEnd = () =>
  until(async () => {
    house.clock.nextMinute()
    return (await answerOf('POST /packs')).status === 201
  })

/** Does something while another connection holds what a statement has taken. */
const holding = (statement: string, work: (other: Client) => Promise<void>): Promise<void> =>
  overConnection(cluster.url, async (other) => {
    await other.query(`begin; ${statement}`)
    await work(other)
    await other.query('rollback')
  })

afterEach(expectService)

describe('requests end in bounded time and service resumes by itself, when PostgreSQL', () => {
  it('is stopped and started again', async () => {
    await cluster.halt()
    await expectOurFault()
    expect((await fetch(`${house.doors.packs.url}/readyz`)).status).toBe(503)
    expect((await fetch(`${house.doors.packs.url}/healthz`)).status).toBe(200)
    await cluster.start()
    await until(async () => (await fetch(`${house.doors.packs.url}/readyz`)).ok)
  })

  it('cuts every connection in the middle, again and again: no saved pack is lost', async () => {
    const saved: string[] = []
    const statuses = new Set<number>()
    for (let round = 0; round < 5; round += 1) {
      house.clock.nextMinute()
      const asking = Promise.all(
        Array.from({ length: 8 }, async () => {
          const reply = await answerOf('POST /packs')
          statuses.add(reply.status)
          if (reply.status === 201) saved.push(reply.json.pack.slug)
        }),
      )
      await overConnection(cluster.url, (client) =>
        client.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
        ),
      )
      await asking
    }
    for (const status of statuses) expect([201, 500]).toContain(status)
    // That a connection was cut may only show at its next statement.
    for (const each of saved) {
      await expect.poll(async () => house.ports.packs.read(each)).not.toBeNull()
    }
    const { total } = await house.ports.packs.listPublic(1, 50)
    expect(total).toBe((await host.get('/me/packs')).json.total)
  })

  it('is on the other side of a network that swallows everything', async () => {
    proxy.hang(true)
    await expectOurFault()
    // New connections hang as well as those that were there.
    house.clock.nextMinute()
    await expectOurFault()
    proxy.hang(false)
    // Connections that were being made while it hung are given up within their patience.
    house.clock.nextMinute()
    await until(async () => (await answerOf('GET /me')).status === 200)
  })

  it('is slow, and what was read before has changed since', async () => {
    const known: readonly Ask[] = ['GET /packs', 'GET /packs/{slug}']
    await Promise.all(known.map(answerOf))
    const { stores, close } = await onPostgres(cluster.url)
    const { ownerId } = (await stores.packs.read(slug))!
    await stores.packs.replace(slug, ownerId, (pack) => ({
      ...pack,
      updatedAt: pack.updatedAt + 1,
    }))
    await close()
    proxy.delay(850)
    try {
      await Promise.all(known.map(answerOf))
    } finally {
      proxy.delay(0)
    }
  })

  it('keeps one waiting for a table: for the packs …', async () => {
    // A page of a list or a pack that is as it was is known without a look at them.
    await saveInTheEnd()
    await holding('lock table pack in access exclusive mode', () =>
      expectOurFault(all.filter((ask) => ask !== 'GET /me' && ask !== 'GET /packs/{slug}')),
    )
  })

  it('… for the counters, before anything else', () =>
    holding('lock table quota in access exclusive mode', () => expectOurFault()))

  it('gives no connection, because all are taken', () =>
    holding('lock table pack in access exclusive mode', async () => {
      const waiting = Array.from({ length: CONNECTIONS }, () => answerOf('GET /me/packs'))
      await until(async () => {
        const { rows } = await overConnection(cluster.url, (client) =>
          client.query(
            "select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock'",
          ),
        )
        return rows[0].n === CONNECTIONS
      })
      // It needs no pack: only a connection, which it gets when the others give up.
      expect([200, 500]).toContain((await answerOf('GET /me')).status)
      for (const reply of await Promise.all(waiting)) expectError(reply, 'internal_error')
    }))

  it('makes writes wait for another process that writes: reads go on at once', () =>
    holding(`select pg_advisory_xact_lock(${LOCKS}, 1)`, async () => {
      let haveGivenUp = false
      const writes = expectOurFault(['POST /packs', 'PUT /packs/{slug}']).finally(() => {
        haveGivenUp = true
      })
      for (const ask of ['GET /me', 'GET /packs', 'GET /packs/{slug}']) {
        expect((await answerOf(ask)).status).toBe(200)
      }
      expect(haveGivenUp).toBe(false)
      await writes
    }))
})

it('a process that is stopped in the middle of a write holds others up for seconds, not for ever', async () => {
  const pool = new HostPool({ url: cluster.url, size: 1, timeoutMs: 2_000 })
  const stuck = await pool.connect()
  await stuck.query(`begin; select pg_advisory_xact_lock(${LOCKS}, 1)`)
  await expectOurFault(['POST /packs'])
  await saveInTheEnd()
  stuck.release(true)
  await pool.end()
})
