import type { ChildProcess } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { fillStore } from '../scripts/seed/fill-store.ts'
import { slugAt } from '../scripts/seed/made-up-packs.ts'
import { openBulkStore, type StorePlace } from '../scripts/seed/open-bulk-store.ts'
import { systemClock } from '../src/adapters/system.ts'
import { cpuMs } from './cpu-time.ts'
import { type Database, startDatabase } from './database.ts'
import { load, rawRequest, warmUp } from './load.ts'
import { LOAD_CORE, SERVER_CORE, startBare, startService, stop } from './processes.ts'
import { atLeast, median, report } from './report.ts'
import { seedKeys } from './seed.ts'

const PACKS = 1_000
/** So many that the load of a minute stays within their quotas. */
const ACCOUNTS = 20_000
const CONNECTIONS = 16
const ROUNDS = 7
const ROUND_MS = 1_500

const connectionHeaders = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding'])

const pathOf = (at: number): string => `/api/v1/packs/${slugAt(at % PACKS)}`

/** What a round cost: requests a second, and µs of a core for each request. */
type Round = { readonly rate: number; readonly server: number; readonly database: number }

/** The PostgreSQL engine against a bare loop over the same database, and two processes against one. */
export const benchPostgres = async (folder: string): Promise<void> => {
  const database = await startDatabase(folder)
  try {
    const place = await database.place('mapcrate')
    const bulk = await openBulkStore(place)
    await fillStore(bulk, { packs: PACKS, accounts: PACKS / 10 }, systemClock.now())
    await bulk.close()
    const keys = await seedKeys({ place }, ACCOUNTS)
    const requests = keys.map((key, at) => rawRequest('GET', pathOf(at), key))
    let sent = 0
    const next = (): Buffer => requests[sent++ % requests.length] as Buffer
    await compareWithBare(folder, place, database, keys.at(-1) ?? '', next)
    await compareProcesses(place, database, next)
  } finally {
    await database.stop()
  }
}

/** One answer as it is, under each slug, in a table of its own beside a counter like ours. */
const fillBare = async (url: string, port: number, key: string) => {
  const answer = await fetch(`http://127.0.0.1:${port}${pathOf(0)}`, {
    headers: { authorization: `Bearer ${key}` },
  })
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(`
    create table bare_pack (slug text collate "C" primary key, body text);
    create unlogged table bare_counter (name text collate "C" primary key, spent integer)
      with (fillfactor = 50)`)
  await client.query('insert into bare_pack (slug, body) select slug, $1::text from pack', [
    await answer.text(),
  ])
  await client.query('vacuum (analyze)')
  await client.end()
  return Object.fromEntries([...answer.headers].filter(([name]) => !connectionHeaders.has(name)))
}

const measure = async (
  { port, child }: { port: number; child: ChildProcess },
  database: Database,
  next: () => Buffer,
): Promise<Round> => {
  const [server, base] = [cpuMs(child.pid ?? 0), database.cpuMs()]
  const { perSecond, answered, refused } = await load(port, CONNECTIONS, ROUND_MS, next)
  if (refused > 0) throw new Error(`${refused} requests were refused: the figure would flatter us`)
  const each = (ms: number): number => (1_000 * ms) / answered
  return {
    rate: perSecond,
    server: each(cpuMs(child.pid ?? 0) - server),
    database: each(database.cpuMs() - base),
  }
}

const compareWithBare = async (
  folder: string,
  place: StorePlace,
  database: Database,
  key: string,
  next: () => Buffer,
): Promise<void> => {
  const service = await startService(place)
  const url = place.databaseUrl ?? ''
  const headers = await fillBare(url, service.port, key)
  const sample = join(folder, 'sample.json')
  writeFileSync(sample, JSON.stringify({ headers }))
  const bare = await startBare(sample, url)
  await warmUp(service.port, CONNECTIONS, ACCOUNTS, next)
  await warmUp(bare.port, CONNECTIONS, ACCOUNTS, next)
  const rounds: { ours: Round; bare: Round }[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push({
      ours: await measure(service, database, next),
      bare: await measure(bare, database, next),
    })
  }
  await Promise.all([stop(service.child), stop(bare.child)])
  const of = (side: 'ours' | 'bare', what: keyof Round) =>
    Math.round(median(rounds.map((round) => round[side][what])))
  const ratio = median(rounds.map(({ ours, bare: other }) => ours.rate / other.rate))
  const rates = `${of('ours', 'rate')}/s against ${of('bare', 'rate')}/s`
  atLeast('PostgreSQL: GET /packs/{slug} ÷ bare pg', ratio, 0.6, rates)
  for (const side of ['ours', 'bare'] as const) {
    const costs = `server ${of(side, 'server')} µs, database ${of(side, 'database')} µs`
    report(`  of a core for each request, ${side}`, costs, '', true)
  }
}

/**
 * One process and the database on one core, against two on two cores. The load shares the second
 * core and is idle in between: what it takes is lost to the two.
 */
const compareProcesses = async (
  place: StorePlace,
  database: Database,
  next: () => Buffer,
): Promise<void> => {
  const first = await startService(place, SERVER_CORE)
  const second = await startService(place, LOAD_CORE)
  const both = [first, second]
  const run = async (services: typeof both, cores: string) => {
    database.pin(cores)
    const pids = services.map(({ child }) => child.pid ?? 0)
    const busy = () => pids.reduce((sum, pid) => sum + cpuMs(pid), database.cpuMs())
    const [before, own] = [busy(), process.cpuUsage()]
    const loads = await Promise.all(
      services.map(({ port }) => load(port, CONNECTIONS, ROUND_MS, next, true)),
    )
    const answered = loads.reduce((sum, each) => sum + each.answered, 0)
    if (loads.some(({ refused }) => refused > 0)) throw new Error('a request was refused')
    const { user, system } = process.cpuUsage(own)
    return {
      rate: loads.reduce((sum, each) => sum + each.perSecond, 0),
      cost: (1_000 * (busy() - before)) / answered,
      load: (user + system) / answered,
    }
  }
  for (const { port } of both) await warmUp(port, CONNECTIONS, ACCOUNTS, next)
  const rounds: { one: Awaited<ReturnType<typeof run>>; two: Awaited<ReturnType<typeof run>> }[] =
    []
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push({
      one: await run([first], SERVER_CORE),
      two: await run(both, `${SERVER_CORE},${LOAD_CORE}`),
    })
  }
  await Promise.all(both.map(({ child }) => stop(child)))
  const of = (side: 'one' | 'two', what: 'rate' | 'cost' | 'load') =>
    Math.round(median(rounds.map((round) => round[side][what])))
  const rates = `${of('two', 'rate')}/s against ${of('one', 'rate')}/s`
  const ratio = median(rounds.map(({ one, two }) => two.rate / one.rate))
  report('two processes on two cores ÷ one on one', `${ratio.toFixed(2)}  (${rates})`, '', true)
  const costs = median(rounds.map(({ one, two }) => (2 * one.cost) / two.cost))
  const detail = `${of('one', 'cost')} µs and ${of('two', 'cost')} µs a request; the load ${of('two', 'load')} µs`
  atLeast('  the same by the time of cores', costs, 1.6, detail)
}
