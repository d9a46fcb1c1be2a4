// Restarts servers one after the other behind a proxy that is installed here, under load,
// and counts the requests that fail. With --sockets, they inherit theirs, as from systemd. FOLDER is a checkout
// of another version: the servers start from it, each is replaced by this version, then by that of FOLDER
// again, and once more by this one.
import { spawn, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Client } from 'pg'
import { atMost, oneOf, readArguments, wholeNumber } from '../scripts/arguments.ts'
import { createStandin } from '../src/standin/create-standin.ts'
import { defaultClient } from '../src/standin/state.ts'
import type * as people from '../test/support/signed-in.ts'
import { startCluster } from '../test/support/postgres-cluster.ts'
import { isMissing, proxyNames, startShippedProxy } from '../test/support/proxies.ts'
import { openSockets } from '../test/support/supervisor.ts'
import { untilReady } from './kill-cycles-postgres.ts'
import { freePorts } from './processes.ts'
import { RestartLoad } from './restart-load.ts'
import type * as seeds from './seed.ts'

const CLIENTS = 12
const KEYS = 4_000
const PACKS = 2_000
const READY_MS = 120_000
/** Load before the first restart, and after the last. */
const UNDISTURBED_MS = 5_000
/** From when a process is ready until the next one stops, as docs/deploy.md says: the proxies ask each second. */
const SEEN_MS = 2_000
const HERE = fileURLToPath(new URL('..', import.meta.url))

const { proxyName, restarts, processes, before, hasSockets } = readArguments(
  `npm run rolling-restarts -- --proxy ${proxyNames.join('|')} [--restarts 20] [--processes 3] [--sockets] [--before FOLDER]`,
  {
    proxy: { type: 'string' },
    restarts: { type: 'string', default: '20' },
    processes: { type: 'string', default: '3' },
    sockets: { type: 'boolean', default: false },
    before: { type: 'string', default: HERE },
  },
  ({ values, positionals }) => {
    atMost(0, positionals)
    return {
      proxyName: oneOf('--proxy', values.proxy, proxyNames),
      restarts: wholeNumber('--restarts', values.restarts),
      processes: wholeNumber('--processes', values.processes),
      before: values.before,
      hasSockets: values.sockets,
    }
  },
)
if (isMissing(proxyName)) throw new Error(`install ${proxyName}: it is not in the path`)

/** What fills a store, of one version: a newer one would migrate it. */
async function makersOf(version: string): Promise<typeof seeds & typeof people> {
  const load = (path: string) => import(pathToFileURL(join(version, path)).href)
  return { ...(await load('bench/seed.ts')), ...(await load('test/support/signed-in.ts')) }
}

const folder = await mkdtemp(join(tmpdir(), 'mapcrate-restarts-'))
await using cleanUp = new AsyncDisposableStack()
cleanUp.defer(() => rm(folder, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void cleanUp.disposeAsync().finally(() => process.exit(1)))
}

const { url: databaseUrl, stop: stopDatabase } = await startCluster()
cleanUp.defer(stopDatabase)
const makers = await makersOf(before)
const store = await makers.openStore({ dataDir: folder, databaseUrl })
// The first accounts own the packs, and may have no more.
const keys = (await makers.seedKeys(store, KEYS)).slice(KEYS / 2)
const slugs = await makers.seedPacks(store, PACKS)
const { token } = await makers.signedIn({ ports: store } as never)
await store.care.close()

const standin = createStandin({ clock: Date.now })
const platformUrl = await standin.listen({ host: '127.0.0.1', port: 0 })
cleanUp.defer(() => standin.close())

const env = {
  DATABASE_URL: databaseUrl,
  DATA_DIR: folder,
  PLATFORM_URL: platformUrl,
  PLATFORM_CLIENT_ID: defaultClient.id,
  PLATFORM_CLIENT_SECRET: defaultClient.secret,
  TRUSTED_PROXIES: '127.0.0.1',
  LOG_LEVEL: 'warn',
}
type Running = { readonly pid: number; readonly ended: Promise<number | null> }
type Place = { readonly port: number; readonly start: (command: string) => Promise<Running> }
const places: Place[] = []
const running: Running[] = []
for (let at = 0; at < processes; at += 1) {
  places.push(await (hasSockets ? placeWithSockets() : freePlace()))
}

async function placeWithSockets(): Promise<Place> {
  const sockets = await openSockets(2, env)
  cleanUp.defer(sockets.close)
  const [port = 0, poolsPort] = sockets.ports
  const own = `PORT=${port} POOLS_PORT=${poolsPort}`
  return { port, start: (command) => sockets.start(`env ${own} ${command}`) }
}

async function freePlace(): Promise<Place> {
  const [port = 0, poolsPort] = await freePorts(2)
  const own = { ...env, PATH: process.env['PATH'], PORT: `${port}`, POOLS_PORT: `${poolsPort}` }
  return {
    port,
    start: async (command) => {
      const stdio: StdioOptions = ['ignore', 'ignore', 'inherit']
      const child = spawn('sh', ['-c', `exec ${command}`], { env: own, stdio })
      const ended = once(child, 'exit').then(([code]) => code as number | null)
      cleanUp.defer(async () => {
        child.kill('SIGKILL')
        await ended
      })
      return { pid: child.pid ?? 0, ended }
    },
  }
}

/** Starts the server at this place in the row, from a checkout. */
async function start(at: number, version: string): Promise<void> {
  const { port, start: run } = places[at]!
  const cache = join(version, 'scripts/compile-cache.mjs')
  const server = join(version, 'src/main/serve.ts')
  running[at] = await run(`${process.execPath} --max-semi-space-size=8 --import ${cache} ${server}`)
  await untilReady(port, READY_MS)
}

let step = 'before'
let stepAt = performance.now()
function enter(next: string): void {
  step = next
  stepAt = performance.now()
}

async function restart(at: number, version: string): Promise<void> {
  enter(`stopping ${at}`)
  const { pid, ended } = running[at]!
  process.kill(pid, 'SIGTERM')
  const code = await ended
  if (code !== 0) throw new Error(`process ${at} ended with ${code}`)
  enter(`starting ${at}`)
  await start(at, version)
  enter(`started ${at}`)
  await pause(SEEN_MS)
}

for (let at = 0; at < processes; at += 1) await start(at, before)
const addresses = places.map(({ port }) => `127.0.0.1:${port}`)
const proxy = await startShippedProxy(proxyName, { addresses, folder })
cleanUp.defer(proxy.stop)
const cookie = `session=${token}`
const load = new RestartLoad({ url: proxy.url, slugs, keys, cookie }, (what) => {
  const ms = Math.round(performance.now() - stepAt)
  process.stderr.write(`${what} (${step}, after ${ms} ms)\n`)
})

const packsBefore = await countPacks()
load.start(CLIENTS)
await pause(UNDISTURBED_MS)
if (before === HERE) {
  await stage('rolling restarts', async () => {
    for (let made = 0; made < restarts; made += 1) await restart(made % processes, HERE)
    return restarts
  })
} else {
  await stage('upgrade', () => replaceAll(HERE))
  await stage('step back', () => replaceAll(before))
  await stage('upgrade again', () => replaceAll(HERE))
}
enter('after')
await pause(UNDISTURBED_MS)
await load.stop()
const packs = await countPacks()
const difference = packs - packsBefore - load.packs
// All packs are public; what counts them for the list is kept by both versions.
const listed = await readListTotal()

for (const [kind, { asked, failures }] of load.tallies) {
  const reasons = [...failures].map(([reason, count]) => `${count} × ${reason}`).join(', ')
  process.stdout.write(`${kind.padEnd(20)} ${String(asked).padStart(7)}  ${reasons}\n`)
}
process.stdout.write(
  `${proxyName}, ${processes} processes: ${load.asked} requests, ${load.failed} failed; ` +
    `${load.pageFiles} page files; packs lost or doubled: ${difference}; ` +
    `${listed} of ${packs} listed\n`,
)
process.exitCode = load.failed === 0 && difference === 0 && listed === packs ? 0 : 1

async function replaceAll(version: string): Promise<number> {
  for (let at = 0; at < processes; at += 1) await restart(at, version)
  return processes
}

async function stage(what: string, work: () => Promise<number>): Promise<void> {
  const [asked, failed] = [load.asked, load.failed]
  const made = await work()
  const done = `${load.asked - asked} requests, ${load.failed - failed} failed`
  process.stdout.write(`${what}: ${made} restarts, ${done}\n`)
}

async function readListTotal(): Promise<number> {
  const headers = { authorization: `Bearer ${keys[0]}` }
  const answer = await fetch(`${proxy.url}/api/v1/packs`, { headers })
  return ((await answer.json()) as { total: number }).total
}

async function countPacks(): Promise<number> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ count: number }>('select count(*)::int from pack')
  await client.end()
  return rows[0]?.count ?? 0
}
