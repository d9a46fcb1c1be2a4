import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PackInput } from '../src/contract/packs.ts'
import { createRound } from '../src/operations/rounds.ts'
import { createTournament } from '../src/operations/tournaments.ts'
import { cpuMs } from './cpu-time.ts'
import { load, rawRequest } from './load.ts'
import { startBare, startService, stop } from './processes.ts'
import { atLeast, atMost, median } from './report.ts'
import { aKnownPack, keepBeatmaps, openStore, seedKeys, seedPacks, type Store } from './seed.ts'
import { makeScene } from '../scripts/seed/made-up-scene.ts'

const ROUNDS = 7
const ROUND_MS = 1_500
const WARM_UP_MS = 4_000
const CONNECTIONS = 4
/** So many that none makes more than sixty reads a minute. */
const ACCOUNTS = 15_000
const PACKS = 1_000
const COMMITS_PER_SECOND = 10
/** Each makes fewer than ten writes a minute, and holds fewer packs than an account may. */
const WRITERS = 120
/** Until the worker has taken over what was seeded. */
const SETTLE_MS = 20_000
const USED = 24
/** Each has so many rounds, and so many who read its checks fewer than sixty times a minute. */
const TOURNAMENTS = 100
const CHECKED_ROUNDS = 4
const STAFF = 60

type Side = { readonly port: number; readonly pid: number; readonly requests: readonly Buffer[] }

const connectionHeaders = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding'])

/** As a browser asks, each time from another address: a page costs its address a point of 1,200 a minute. */
const visit = (path: string): readonly Buffer[] =>
  Array.from({ length: 4_096 }, (_, at) =>
    Buffer.from(
      `GET ${path} HTTP/1.1\r\nhost: bench\r\naccept: text/html\r\naccept-encoding: br\r\n` +
        `x-forwarded-for: 10.0.${at >> 8}.${at & 255}\r\n\r\n`,
    ),
  )

/** The path of the checks of a tournament, for the next `STAFF` players. */
const seedTournament = async (store: Store, at: number): Promise<string> => {
  const found = await Promise.all(
    Array.from({ length: STAFF }, (_, each) => store.accounts.findByGameId(at * STAFF + each + 1)),
  )
  const [hostId = '', ...others] = found.map((account) => account?.id ?? '')
  const { slug } = await createTournament(store, hostId, { name: `Cup ${at}` })
  await store.tournaments.change(slug, null, STAFF, store.clock.now(), (saved) => ({
    ...saved,
    staff: [
      ...saved.staff,
      ...others.map((accountId) => ({ ...saved.staff[0]!, accountId, role: 'tester' as const })),
    ],
  }))
  for (let round = 1; round <= CHECKED_ROUNDS; round += 1) {
    const { slots } = aKnownPack(at + round)
    await createRound(store, hostId, slug, { name: `Round ${round}`, slots })
  }
  return `/tournaments/${slug}/checks`
}

/**
 * What reads cost by the CPU time of all threads of the server while ten private packs a second are saved beside them,
 * and what part of it a bare server needs that sends the same bytes from memory.
 */
export const benchBesideWrites = async (folder: string): Promise<void> => {
  const store = await openStore(folder)
  await keepBeatmaps(store)
  const keys = await seedKeys(store, ACCOUNTS)
  const pools = await seedKeys(store, ACCOUNTS, 'pools')
  const slugs = await seedPacks(store, PACKS, aKnownPack, { statsOf: makeScene().statsOf })
  const checked: string[] = []
  for (let at = 0; at < TOURNAMENTS; at += 1) checked.push(await seedTournament(store, at))
  await store.care.close()

  const service = await startService(folder, undefined, { TRUSTED_PROXIES: '127.0.0.1' })
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
  const pid = service.child.pid ?? 0
  const writers = keys.slice(-WRITERS)
  const readers = keys.slice(0, -WRITERS)
  let saved = 0
  const save = async (): Promise<void> => {
    const pack: PackInput = { ...aKnownPack(saved), visibility: 'private' }
    const key = writers[saved++ % WRITERS] ?? ''
    const response = await fetch(`http://127.0.0.1:${service.port}/api/v1/packs`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(pack),
    })
    if (response.status !== 201) throw new Error(`a save was answered ${response.status}`)
    await response.arrayBuffer()
  }
  /** Calls `work` while packs are saved; ms of CPU that it cost beside them, and what it returns. */
  const beside = async <T>(work: () => Promise<T>, idle = 0): Promise<[number, T]> => {
    const saves: Promise<void>[] = []
    const timer = setInterval(() => saves.push(save()), 1_000 / COMMITS_PER_SECOND)
    const [begun, before] = [performance.now(), cpuMs(pid)]
    const result = await work()
    const cost = cpuMs(pid) - before - idle * (performance.now() - begun)
    clearInterval(timer)
    await Promise.all(saves)
    return [cost, result]
  }
  const pause = () => new Promise<void>((resolve) => setTimeout(resolve, WARM_UP_MS))
  const [savesAlone] = await beside(pause)
  const idle = savesAlone / WARM_UP_MS
  process.stdout.write(`      ${(100 * idle).toFixed(1)} % of a core for the saves alone\n`)

  const run = async ({ port, requests }: Side, ms: number): Promise<number> => {
    let sent = 0
    const next = (): Buffer => requests[sent++ % requests.length] as Buffer
    const { answered, refused } = await load(port, CONNECTIONS, ms, next)
    if (refused > 0) throw new Error(`${refused} of ${answered} requests were refused`)
    return answered
  }
  /** µs of CPU for a request, round by round. */
  const measure = async (ours: Side): Promise<number[]> => {
    await beside(() => run(ours, WARM_UP_MS))
    const costs: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const [cost, answered] = await beside(() => run(ours, ROUND_MS), idle)
      costs.push((1_000 * cost) / answered)
    }
    return costs
  }

  const api = (paths: (at: number) => string, own = readers): readonly Buffer[] =>
    own.map((key, at) => rawRequest('GET', `/api/v1${paths(at)}`, key))
  const compare = async (what: string, path: (at: number) => string, least: number) => {
    const sample = await fetch(`http://127.0.0.1:${service.port}/api/v1${path(0)}`, {
      // The load asks for no coding: the bare server sends the same bytes.
      headers: { authorization: `Bearer ${readers.at(-1)}`, 'accept-encoding': 'identity' },
    })
    const headers = [...sample.headers].filter(([name]) => !connectionHeaders.has(name))
    const file = join(folder, 'sample.json')
    const body = await sample.text()
    writeFileSync(file, JSON.stringify({ headers: Object.fromEntries(headers), body }))
    const bare = await startBare(file)
    const requests = api(path)
    const ours = await measure({ port: service.port, pid, requests })
    const side = { port: bare.port, pid: bare.child.pid ?? 0, requests }
    await run(side, WARM_UP_MS)
    const bareCosts: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const before = cpuMs(side.pid)
      const answered = await run(side, ROUND_MS)
      bareCosts.push((1_000 * (cpuMs(side.pid) - before)) / answered)
    }
    await stop(bare.child)
    const [mine, theirs] = [median(ours), median(bareCosts)]
    const detail = `${mine.toFixed(1)} µs against ${theirs.toFixed(1)} µs`
    atLeast(`${what}: bare ÷ ours, by CPU`, theirs / mine, least, detail)
  }
  const limit = async (what: string, side: Omit<Side, 'pid'>, mostMs: number) => {
    const cost = median(await measure({ ...side, pid }))
    atMost(`${what}, ms of CPU`, cost / 1_000, mostMs, `${cost.toFixed(0)} µs`)
  }

  const uses = aKnownPack(0)
    .slots.slice(0, USED)
    .map(({ beatmapId }) => beatmapId)
  await compare('GET /packs/{slug}', (at) => `/packs/${slugs[at % PACKS]}`, 0.6)
  await compare('GET /packs', () => '/packs', 0.9)
  const { port, poolsPort } = service
  const usage = api(() => `/beatmaps/usage?ids=${uses.join(',')}`, pools)
  await limit('usage of 24 beatmaps', { port: poolsPort, requests: usage }, 0.3)
  const checks = api(
    (at) => checked[Math.floor(at / STAFF)] ?? '',
    pools.slice(0, TOURNAMENTS * STAFF),
  )
  await limit('GET …/checks of 4 rounds', { port: poolsPort, requests: checks }, 0.3)
  await limit('GET /maps/{id}', { port, requests: visit(`/maps/${uses[0]}`) }, 0.3)
  await limit('GET /u/{name}', { port, requests: visit('/u/p0') }, 0.3)
  await limit('GET /p/{slug}, kept', { port, requests: visit(`/p/${slugs[0]}`) }, 0.3)
  await stop(service.child)
}
