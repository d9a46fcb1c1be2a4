import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { makeScene } from '../scripts/seed/made-up-scene.ts'
import { systemHasher, systemRandom } from '../src/adapters/system.ts'
import { makeToken, TOKEN_BYTES } from '../src/domain/sessions.ts'
import { cpuMs } from './cpu-time.ts'
import { load, rawRequest } from './load.ts'
import { startService, stop } from './processes.ts'
import { atMost, median } from './report.ts'
import {
  aKnownPack,
  keepBeatmaps,
  openStore,
  type Store,
  seedKeys,
  seedPacks,
  untilWorkIsDone,
} from './seed.ts'

const ROUNDS = 7
const ROUND_MS = 1_500
/** Long enough to render each page once before anything is measured. */
const WARM_UP_MS = 8_000
/** Longer than any round of a number of requests. */
const LONG_MS = 600_000
/** What a process that has nothing to do uses within `QUIET_MS`, at most. */
const MOST_QUIET_MS = 150
const QUIET_MS = 3_000
const CONNECTIONS = 16
const ACCOUNTS = 15_000
/** As many as a sitemap names. */
const PACKS = 5_000
/** A page costs its address or account a point of 1,200 or 600 a minute: these have enough for the whole run. */
const VISITORS = 4_096
/** So many packs are read in turn. */
const VISITED = [1, 200, 2_000]
const MIXED_REQUESTS = 100_000
const WANTED = { ratio: 3, signedInMs: 0.15, signedInKb: 18, residentMb: 256 }

/** As a browser asks for it, each time another visitor. */
const pageRequests = (
  path: (at: number) => string,
  { tokens, count = VISITORS }: { tokens?: readonly string[]; count?: number } = {},
): readonly Buffer[] =>
  Array.from({ length: count }, (_, at) =>
    Buffer.from(
      [
        `GET ${path(at)} HTTP/1.1`,
        'host: bench',
        'accept: text/html,*/*;q=0.8',
        'accept-encoding: gzip, deflate, br',
        `x-forwarded-for: 10.0.${(at >> 8) & 15}.${at & 255}`,
        ...(tokens === undefined ? [] : [`cookie: session=${tokens[at % tokens.length]}`]),
        '',
        '',
      ].join('\r\n'),
    ),
  )

/** Signs the owners of keys in; returns their tokens. */
async function signIn(store: Store, keys: readonly string[]): Promise<string[]> {
  const tokens: string[] = []
  for (const key of keys) {
    const accountId = await store.apiKeys.findOwner('packs', systemHasher.sha256(key))
    if (accountId === null) throw new Error('A key is not there')
    const token = makeToken(systemRandom.bytes(TOKEN_BYTES))
    const session = {
      hash: systemHasher.sha256(token),
      accountId,
      service: 'packs',
      csrf: makeToken(systemRandom.bytes(TOKEN_BYTES)),
      createdAt: Date.now(),
      device: null,
    } as const
    await store.sessions.create(session, null)
    tokens.push(token)
  }
  return tokens
}

/** In MB. */
const residentOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024

/** Resolves when the process has nothing to do: the search takes the packs in that were seeded. */
async function untilQuiet(pid: number): Promise<void> {
  for (let before = Number.NEGATIVE_INFINITY; cpuMs(pid) - before > MOST_QUIET_MS;) {
    before = cpuMs(pid)
    await pause(QUIET_MS)
  }
}

/** What pages cost, beside what `GET /packs/{slug}` of the API costs, round by round. */
export const benchPages = async (folder: string, before?: string): Promise<void> => {
  const store = await openStore(folder)
  const keys = await seedKeys(store, ACCOUNTS)
  await keepBeatmaps(store)
  // Stats that are due would be computed meanwhile.
  const slugs = await seedPacks(store, PACKS, aKnownPack, { statsOf: makeScene().statsOf })
  const tokens = await signIn(store, keys.slice(0, VISITORS))
  const slugAt = (at: number): string => slugs[at % PACKS] ?? ''
  const reads = keys.map((key, at) => rawRequest('GET', `/api/v1/packs/${slugAt(at % 1_000)}`, key))
  const pages = {
    '/': pageRequests(() => '/'),
    '/packs': pageRequests(() => '/packs'),
    '/p/{slug}': pageRequests((at) => `/p/${slugAt(at % 1_000)}`),
  }
  const signedIn = VISITED.map((count) => ({
    name: `/p/{slug} of ${count}, signed in`,
    requests: pageRequests((at) => `/p/${slugAt(at % count)}`, { tokens }),
  }))
  const crawl = pageRequests((at) => `/p/${slugAt(at)}`, { count: PACKS })

  const env = { TRUSTED_PROXIES: '127.0.0.1' }
  for (const version of before === undefined ? [undefined] : [before, undefined]) {
    if (before !== undefined) process.stdout.write(`${version ?? 'now'}:\n`)
    const service = await startService(folder, undefined, env, version)
    const pid = service.child.pid ?? 0
    await untilWorkIsDone(store)
    const measure = async (requests: readonly Buffer[], limit: { ms?: number; count?: number }) => {
      const { ms = LONG_MS, count } = limit
      let sent = 0
      const next = (): Buffer => requests[sent++ % requests.length] as Buffer
      const cpuBefore = cpuMs(pid)
      const { answered, refused, bytes } = await load(
        service.port,
        CONNECTIONS,
        ms,
        next,
        false,
        count,
      )
      if (refused > 0) throw new Error(`${refused} of ${answered} requests were refused`)
      return { cost: (1_000 * (cpuMs(pid) - cpuBefore)) / answered, kb: bytes / answered / 1_024 }
    }

    await untilQuiet(pid)
    // Before anything is kept.
    const rounds = [await measure(crawl, { count: PACKS }), await measure(crawl, { count: PACKS })]
    for (const [at, { cost }] of rounds.entries()) {
      const detail = `${cost.toFixed(0)} µs of CPU`
      atMost(`GET /p/{slug} of ${PACKS}, round ${at + 1}, ms`, cost / 1_000, at ? 0.5 : 2, detail)
    }
    const sides = { read: reads, ...pages }
    const costs = new Map<string, number[]>(Object.keys(sides).map((name) => [name, []]))
    for (const requests of Object.values(sides)) await measure(requests, { ms: WARM_UP_MS })
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, requests] of Object.entries(sides)) {
        costs.get(name)?.push((await measure(requests, { ms: ROUND_MS })).cost)
      }
    }
    for (const path of Object.keys(pages)) {
      const [page = [], read = []] = [costs.get(path), costs.get('read')]
      const ratio = median(page.map((cost, round) => cost / (read[round] ?? Number.NaN)))
      const detail = `${median(page).toFixed(0)} µs against ${median(read).toFixed(0)} µs of CPU`
      atMost(`GET ${path} (br) ÷ GET /packs/{slug} of the API`, ratio, WANTED.ratio, detail)
    }
    for (const { name, requests } of signedIn) {
      await measure(requests, { count: VISITORS })
      const taken = []
      for (let round = 0; round < ROUNDS; round++) {
        taken.push(await measure(requests, { ms: ROUND_MS }))
      }
      const [ms, kb] = [median(taken.map(({ cost }) => cost / 1_000)), taken[0]?.kb ?? Number.NaN]
      atMost(`GET ${name}, ms`, ms, WANTED.signedInMs, `${(1_000 * ms).toFixed(0)} µs of CPU`)
      atMost(`the same, KB`, kb, WANTED.signedInKb, 'with its headers')
    }
    const mixed = [crawl, ...Object.values(sides), ...signedIn.map(({ requests }) => requests)]
    const inTurns = Array.from(
      { length: MIXED_REQUESTS },
      (_, at) => mixed[at % mixed.length]?.[Math.floor(at / mixed.length) % VISITORS] as Buffer,
    )
    await measure(inTurns, { count: MIXED_REQUESTS })
    const resident = residentOf(pid)
    atMost(`resident after ${MIXED_REQUESTS} mixed requests, MB`, resident, WANTED.residentMb, '')
    await stop(service.child)
  }
  await store.care.close()
}
