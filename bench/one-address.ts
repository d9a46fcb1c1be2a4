import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { Agent as TlsAgent, request as requestTls } from 'node:https'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { countFrom } from '../scripts/arguments.ts'
import { slugAt } from '../scripts/seed/made-up-packs.ts'
import { fillStore } from '../scripts/seed/fill-store.ts'
import { openBulkStore } from '../scripts/seed/open-bulk-store.ts'
import { makeCertificate } from '../test/support/certificate.ts'
import { cpuMs } from './cpu-time.ts'
import type { Group } from './one-address-load.ts'
import { freePorts, startBare, startService, stop } from './processes.ts'
import { atMost, median, report } from './report.ts'
import { seedKeys } from './seed.ts'

const PACKS = 5_000
const WINDOW_S = countFrom('ONE_ADDRESS_SECONDS', 30)
const ALONE_S = WINDOW_S / 2
/** A key has 60 requests a minute: so many ask for the bot. */
const KEYS = 60
const ASKED_EACH_MS = 40
const WANTED = { share: 0.15, packMs: 25, healthMs: 100 }

const raw = (line: string, ...headers: readonly string[]): string =>
  [`${line} HTTP/1.1`, 'host: bench', ...headers, '', ''].join('\r\n')
const page = (path: string): string =>
  raw(`GET ${path}`, 'accept: text/html', 'accept-encoding: br, gzip')
const some = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at))

const misspelt = [
  'sprign',
  'summre',
  'finlas',
  'practise',
  'campsu',
  'mdnight',
  'invitatoinal',
  'dule',
]
const pages = some(64, (at) => [
  page(
    `/packs?q=${misspelt[at % 8]}+${misspelt[(at * 3) % 8]}+${misspelt[(at * 5) % 8]}+jmup${at}`,
  ),
  page(`/packs?q=the+cup&stars=${at % 7}-`),
  page(`/p/${slugAt(at)}/history?from=1&to=2`),
  page(`/p/${slugAt(at * 11)}`),
  page(`/p/${slugAt(at * 7)}/preview.png`),
  raw(`GET /session/search?q=${misspelt[at % 8]}+open+finals`),
]).flat()
const files = [
  '/robots.txt',
  '/packs/index.json',
  '/favicon.ico',
  '/sitemap.xml',
  '/packs.atom',
].map(page)
const refused = [
  raw('GET /api/v1/packs', 'authorization: Bearer nonsense'),
  raw('GET /api/v1/me'),
  raw('GET /nothing'),
  raw('DELETE /packs'),
  raw('POST /session/packs', 'content-length: 0'),
]
const malformed = ['GET /\r\n\r\n', 'noise\r\n\r\n', raw('GET /').replace('host: bench\r\n', '')]

const kept = (requests: readonly string[]): Group => ({
  sockets: 96,
  connections: 'kept',
  requests,
})
const oneEach = (requests: readonly string[]): Group => ({
  sockets: 64,
  connections: 'one each',
  requests,
})
const bare: Group = { sockets: 64, connections: 'bare', requests: [] }
/** What one address asks for. */
const attacks: Readonly<Record<string, readonly Group[]>> = {
  'pages and pictures': [kept(pages)],
  files: [kept(files)],
  'refused requests': [kept(refused)],
  'malformed requests': [oneEach(malformed)],
  'a connection each': [oneEach([...files, ...refused])],
  'connections without a request': [bare],
  'all of these': [
    kept(pages),
    kept(files),
    kept(refused),
    oneEach(malformed),
    oneEach(pages),
    bare,
  ],
}

type Times = Record<'pack' | 'health' | 'bare', number[]>
type Service = Awaited<ReturnType<typeof startService>>

/** What one address can do to a server, and to those who ask it from elsewhere. */
export const benchOneAddress = async (folder: string): Promise<void> => {
  const place = { dataDir: folder, databaseUrl: null }
  const bulk = await openBulkStore(place)
  await fillStore(bulk, { packs: PACKS, accounts: PACKS / 10 }, Date.now())
  await bulk.close()
  const keys = await seedKeys({ place }, KEYS)
  const sample = join(folder, 'sample')
  writeFileSync(
    sample,
    JSON.stringify({ headers: { 'content-length': '2000' }, body: 'x'.repeat(2_000) }),
  )
  const reference = await startBare(sample)
  try {
    const plain = await startService(folder)
    await bench(plain, 'http', keys, reference.port, folder, attacks)
    await stop(plain.child)
    const { certFile, keyFile } = await makeCertificate(folder, 'bench')
    const [health = 0] = await freePorts(1)
    const tls = { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile, HEALTH_PORT: String(health) }
    const secure = await startService(folder, undefined, tls)
    const { 'all of these': all = [] } = attacks
    const handshakes = { 'TLS handshakes': [bare], 'TLS, all of these': all }
    await bench(secure, 'https', keys, reference.port, folder, handshakes)
    await stop(secure.child)
  } finally {
    await stop(reference.child)
  }
}

async function bench(
  service: Service,
  scheme: 'http' | 'https',
  keys: readonly string[],
  barePort: number,
  folder: string,
  all: typeof attacks,
): Promise<void> {
  const pid = service.child.pid ?? 0
  await settle(pid)
  const ask = (seconds: number): Promise<Times> =>
    askBeside(service, scheme, keys, barePort, seconds)
  await ask(3)
  const [before, since] = [cpuMs(pid), performance.now()]
  const alone = await ask(ALONE_S)
  const usual = (cpuMs(pid) - before) / (performance.now() - since)
  describe(`${scheme}, nobody beside`, alone, alone)
  for (const [at, [name, groups]] of Object.entries(all).entries()) {
    const file = join(folder, 'attack.json')
    writeFileSync(file, JSON.stringify(groups))
    const address = `127.0.0.${(scheme === 'http' ? 60 : 160) + at}`
    const more = scheme === 'https' ? ['tls'] : []
    const args = ['bench/one-address-load.ts', String(service.port), address, file, ...more]
    const attacker = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] })
    const readings: number[] = [cpuMs(pid)]
    const begun = performance.now()
    const sampler = setInterval(() => readings.push(cpuMs(pid)), 1_000)
    const times = await ask(WINDOW_S + 5)
    clearInterval(sampler)
    const perReading = (performance.now() - begun) / Math.max(1, readings.length - 1)
    attacker.kill()
    const steps = Math.round((WINDOW_S * 1_000) / perReading)
    const shares = readings
      .slice(steps)
      .map((end, first) => (end - (readings[first] ?? 0)) / (steps * perReading))
    const most = Math.max(...shares)
    const detail = `over ${WINDOW_S} s; with the others ${most.toFixed(2)}, without it ${usual.toFixed(2)}`
    atMost(`one address, ${name}: share of a core`, most - usual, WANTED.share, detail)
    describe(name, times, alone)
    // What is left of its waits ends before the next one begins.
    await pause(3_000)
  }
}

function describe(name: string, times: Times, alone: Times): void {
  const p99 = (values: readonly number[]): number =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN
  const bareMs = p99(times.bare)
  const of = (each: 'pack' | 'health'): string => {
    const ratio = p99(times[each]) / p99(alone[each])
    const toBare = p99(times[each]) / bareMs
    return `p50 ${median(times[each]).toFixed(1)}; ${ratio.toFixed(1)} × alone, ${toBare.toFixed(1)} × bare`
  }
  atMost(`GET /packs/{slug} beside ${name}: p99 (ms)`, p99(times.pack), WANTED.packMs, of('pack'))
  atMost(`/healthz beside ${name}: p99 (ms)`, p99(times.health), WANTED.healthMs, of('health'))
  const detail = `p50 ${median(times.bare).toFixed(1)}`
  report(`a bare server beside ${name}: p99 (ms)`, `${bareMs.toFixed(2)}  (${detail})`, '', true)
}

/** A bot with a key, a load balancer and who asks the bare server: one request after the other, from elsewhere. */
async function askBeside(
  { port }: Service,
  scheme: 'http' | 'https',
  keys: readonly string[],
  barePort: number,
  seconds: number,
): Promise<Times> {
  const times: Times = { pack: [], health: [], bare: [] }
  const agents = { http: new Agent({ keepAlive: true }), https: new TlsAgent({ keepAlive: true }) }
  const ask = (way: 'http' | 'https', to: number, path: string, key?: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const begun = performance.now()
      const options = {
        host: '127.0.0.1',
        port: to,
        path,
        localAddress: '127.0.0.9',
        headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
        rejectUnauthorized: false,
        agent: agents[way],
      }
      const asked = (way === 'http' ? request : requestTls)(options, (response) => {
        response.resume()
        if (response.statusCode !== 200) reject(new Error(`${path}: ${response.statusCode}`))
        response.once('end', () => resolve(performance.now() - begun))
      })
      asked.once('error', reject)
      asked.end()
    })
  const until = performance.now() + seconds * 1_000
  for (let at = 0; performance.now() < until; at += 1) {
    const next = pause(ASKED_EACH_MS)
    const path = `/api/v1/packs/${slugAt((at * 13) % PACKS)}`
    times.pack.push(await ask(scheme, port, path, keys[at % keys.length]))
    times.bare.push(await ask('http', barePort, '/'))
    if (at % 4 === 0) times.health.push(await ask(scheme, port, '/healthz'))
    await next
  }
  agents.http.destroy()
  agents.https.destroy()
  return times
}

/** Waits until the work of a start has ended. */
async function settle(pid: number): Promise<void> {
  for (let quiet = 0; quiet < 3;) {
    const before = cpuMs(pid)
    await pause(500)
    quiet = cpuMs(pid) - before <= 20 ? quiet + 1 : 0
  }
}
