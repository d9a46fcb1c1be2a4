import { makeScene } from '../scripts/seed/made-up-scene.ts'
import { cpuMs } from './cpu-time.ts'
import { load, rawRequest } from './load.ts'
import { startService, stop } from './processes.ts'
import { atMost, median } from './report.ts'
import { aPack, openStore, seedKeys, seedPacks } from './seed.ts'

const ROUNDS = 7
const ROUND_MS = 1_500
/** Long enough to render each page once before anything is measured. */
const WARM_UP_MS = 8_000
const CONNECTIONS = 16
const ACCOUNTS = 15_000
const PACKS = 1_000
/** A page costs its address a point of 1,200 a minute: these have enough for the whole run. */
const ADDRESSES = 4_096

/** As a browser asks for it, each time from another address. */
const pageRequests = (path: (at: number) => string): readonly Buffer[] =>
  Array.from({ length: ADDRESSES }, (_, at) =>
    Buffer.from(
      [
        `GET ${path(at)} HTTP/1.1`,
        'host: bench',
        'accept: text/html,*/*;q=0.8',
        'accept-encoding: gzip, deflate, br',
        `x-forwarded-for: 10.0.${at >> 8}.${at & 255}`,
        '',
        '',
      ].join('\r\n'),
    ),
  )

/** What pages cost, in parts of what `GET /packs/{slug}` of the API costs, round by round. */
export const benchPages = async (folder: string): Promise<void> => {
  const store = await openStore(folder)
  const keys = await seedKeys(store, ACCOUNTS)
  // Stats that are due would be computed meanwhile.
  const slugs = await seedPacks(store, PACKS, aPack, { statsOf: makeScene().statsOf })
  await store.care.close()
  const slugAt = (at: number): string => slugs[at % PACKS] ?? ''
  const reads = keys.map((key, at) => rawRequest('GET', `/api/v1/packs/${slugAt(at)}`, key))
  const pages = {
    '/': pageRequests(() => '/'),
    '/packs': pageRequests(() => '/packs'),
    '/p/{slug}': pageRequests((at) => `/p/${slugAt(at)}`),
  }

  const service = await startService(folder, undefined, { TRUSTED_PROXIES: '127.0.0.1' })
  const measure = async (requests: readonly Buffer[], ms: number): Promise<number> => {
    let sent = 0
    const next = (): Buffer => requests[sent++ % requests.length] as Buffer
    const before = cpuMs(service.child.pid ?? 0)
    const { answered, refused } = await load(service.port, CONNECTIONS, ms, next)
    if (refused > 0) throw new Error(`${refused} of ${answered} requests were refused`)
    return (1_000 * (cpuMs(service.child.pid ?? 0) - before)) / answered
  }
  const sides = { read: reads, ...pages }
  const costs = new Map<string, number[]>(Object.keys(sides).map((name) => [name, []]))
  for (const requests of Object.values(sides)) await measure(requests, WARM_UP_MS)
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, requests] of Object.entries(sides)) {
      costs.get(name)?.push(await measure(requests, ROUND_MS))
    }
  }
  await stop(service.child)
  for (const path of Object.keys(pages)) {
    const [page = [], read = []] = [costs.get(path), costs.get('read')]
    const ratio = median(page.map((cost, round) => cost / (read[round] ?? Number.NaN)))
    const detail = `${median(page).toFixed(0)} µs against ${median(read).toFixed(0)} µs of CPU`
    atMost(`GET ${path} (br) ÷ GET /packs/{slug} of the API`, ratio, 3, detail)
  }
}
