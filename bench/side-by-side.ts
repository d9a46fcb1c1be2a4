import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { makeScene } from '../scripts/seed/made-up-scene.ts'
import { startProxy } from '../test/support/tcp-proxy.ts'
import { type Database, startDatabase } from './database.ts'
import { load, rawRequest } from './load.ts'
import { LOAD_CORE, SERVER_CORE, startService, stop } from './processes.ts'
import { atLeast, atMost, median, report } from './report.ts'
import { aPack } from './seed.ts'
import type * as seeds from './seed.ts'

/** So many that a minute of this load stays within their ten writes each. */
const ACCOUNTS = 6_000
const ROUNDS = 5
const ROUND_MS = 4_000
const CLIENTS = 16
const MORE_CLIENTS = [16, 32, 64]
/** Each way between a process and the database, as between machines. */
const DELAY_MS = 1
/** Failures are counted, not read. */
const QUIET = { LOG_LEVEL: 'silent' }

/** Accounts that have almost as many packs as they may, and send more at once. */
const FULL_ACCOUNTS = 30
const PACKS_BEFORE = 195
const POSTS_AT_ONCE = 10
const FULL_AT_ONCE = 6
const LIMIT = 200

type Service = Awaited<ReturnType<typeof startService>>

/** Two processes of a version over a database of their own, and accounts that save. */
type Version = {
  readonly services: readonly Service[]
  /** The next save, of another account than those before it. */
  readonly next: () => Buffer
  readonly fullKeys: readonly string[]
  readonly stop: () => Promise<void>
}

/**
 * Saves of many accounts on two processes, whose database is on another machine: how many, compared with an
 * earlier version; whether any fails; and whether each account gets exactly as many packs as it may have.
 *
 * @param before a checkout of the earlier version, with its dependencies; left out: none.
 */
export const benchSideBySide = async (folder: string, before?: string): Promise<void> => {
  const database = await startDatabase(folder)
  try {
    database.pin(`${SERVER_CORE},${LOAD_CORE}`)
    const now = await startVersion(database, 'now', process.cwd())
    if (before !== undefined) {
      const earlier = await startVersion(database, 'before', before)
      await compare(now, earlier)
      await earlier.stop()
    }
    await countFailures(now)
    await fillUp(now)
    await now.stop()
  } finally {
    await database.stop()
  }
}

const startVersion = async (database: Database, name: string, root: string): Promise<Version> => {
  const place = await database.place(name)
  // Its own: this version would migrate the tables.
  const { openStore, seedKeys, seedPacks }: typeof seeds = await import(
    pathToFileURL(join(root, 'bench/seed.ts')).href
  )
  const store = await openStore(place)
  // Stats that are due would be computed meanwhile.
  const { statsOf } = makeScene()
  await seedPacks(store, FULL_ACCOUNTS * PACKS_BEFORE, aPack, { each: PACKS_BEFORE, statsOf })
  const keys = await seedKeys(store, FULL_ACCOUNTS + ACCOUNTS)
  await store.care.close()

  const url = new URL(place.databaseUrl ?? '')
  const proxy = await startProxy(Number(url.port))
  proxy.delay(DELAY_MS)
  url.port = String(proxy.port)
  const distant = { ...place, databaseUrl: url.href }
  const services = [
    await startService(distant, SERVER_CORE, QUIET, root),
    await startService(distant, LOAD_CORE, QUIET, root),
  ]
  let sent = 0
  return {
    services,
    fullKeys: keys.slice(0, FULL_ACCOUNTS),
    next() {
      sent += 1
      const key = keys[FULL_ACCOUNTS + (sent % ACCOUNTS)] ?? ''
      return rawRequest('POST', '/api/v1/packs', key, JSON.stringify(aPack(sent)))
    },
    async stop() {
      await Promise.all(services.map(({ child }) => stop(child)))
      await proxy.close()
    },
  }
}

/** Public saves a second that were answered with 201, and how many others were answered otherwise. */
const save = async ({ services, next }: Version, clients: number) => {
  const each = clients / services.length
  const loads = await Promise.all(
    services.map(({ port }) => load(port, each, ROUND_MS, next, true)),
  )
  const answered = loads.reduce((sum, one) => sum + one.answered, 0)
  const refused = loads.reduce((sum, one) => sum + one.refused, 0)
  const rate = loads.reduce((sum, one) => sum + one.perSecond, 0)
  return { rate: (rate * (answered - refused)) / answered, refused }
}

const compare = async (now: Version, before: Version): Promise<void> => {
  for (const version of [before, now]) await save(version, CLIENTS)
  const measured: { now: number; before: number }[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    measured.push({
      before: (await save(before, CLIENTS)).rate,
      now: (await save(now, CLIENTS)).rate,
    })
  }
  const of = (side: 'now' | 'before') => Math.round(median(measured.map((round) => round[side])))
  const ratio = median(measured.map((round) => round.now / round.before))
  const what = `public saves, ${CLIENTS} clients, two processes ÷ before`
  atLeast(what, ratio, 4, `${of('now')}/s against ${of('before')}/s`)
}

const countFailures = async (now: Version): Promise<void> => {
  for (const clients of MORE_CLIENTS) {
    const { rate, refused } = await save(now, clients)
    atMost(`saves that failed, ${clients} clients`, refused, 0, `${Math.round(rate)}/s`)
  }
}

/** What the accounts send together is shared out over the processes. */
const fillUp = async ({ services, fullKeys }: Version): Promise<void> => {
  const statuses = new Map<number, number>()
  const totals: number[] = []
  const ask = (at: number, path: string, key: string, body?: string) =>
    fetch(`http://127.0.0.1:${services[at % services.length]?.port}/api/v1${path}`, {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { method: 'POST', body }),
    })
  const fill = async (key: string): Promise<void> => {
    const posts = Array.from({ length: POSTS_AT_ONCE }, async (_, at) => {
      const { status } = await ask(at, '/packs', key, JSON.stringify(aPack(at)))
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    })
    await Promise.all(posts)
    const list = (await (await ask(0, '/me/packs', key)).json()) as { total: number }
    totals.push(list.total)
  }
  for (let from = 0; from < fullKeys.length; from += FULL_AT_ONCE) {
    await Promise.all(fullKeys.slice(from, from + FULL_AT_ONCE).map(fill))
  }
  const detail = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')
  const exact = totals.filter((total) => total === LIMIT).length
  const what = `accounts with exactly ${LIMIT} packs of ${FULL_ACCOUNTS}`
  report(what, `${exact}  (${detail})`, `${FULL_ACCOUNTS}`, exact === FULL_ACCOUNTS)
}
