import { writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import examples from '../src/contract/examples.json' with { type: 'json' }
import type { PackInput, Stats } from '../src/contract/packs.ts'
import { SEARCH_INDEX_PATH } from '../src/contract/search-index.ts'
import { benchRebuild } from './index-rebuild.ts'
import { load, type LoadResult } from './load.ts'
import { startBare, startService, stop } from './processes.ts'
import { atLeast, median } from './report.ts'
import { aPack, openStore, seedPacks, type Store } from './seed.ts'

const PACKS = 5_000
const ROUNDS = 7
const ROUND_MS = 1_500
const WARM_UP_MS = 3_000
const CONNECTIONS = 16

const words = (
  'autumn cup qualifier final round stream jump tech finger control reading slow fast marathon ' +
  'map pool ban pick protect bonus alternate consistency aim speed precision low high approach ' +
  'rate for players who like rhythm and a calm first half with harder patterns behind the bridge'
).split(' ')

/** `count` words that hardly ever follow each other in the same way twice. */
const text = (seed: number, count: number): string =>
  Array.from({ length: count }, (_, at) => {
    const mixed = Math.imul(seed * 64 + at + 1, 0x9e3779b1) >>> 8
    return words[mixed % words.length]
  }).join(' ')

/** A pack with as much to say as the index shows. */
const aTalkativePack = (number: number): PackInput => ({
  ...aPack(number),
  name: text(number, 4),
  description: text(number + PACKS, 30),
})

const addStats = async (store: Store, slugs: readonly string[]): Promise<void> => {
  const statsOf = (at: number): Stats => ({
    ...(examples.stats as Stats),
    srMin: (at % 500) / 100,
    srMax: 5 + (at % 333) / 100,
    srAvg: (at % 777) / 100,
    lenMax: 258 + (at % 91),
    bpmMin: 120 + (at % 57),
  })
  const add = async (slug: string, at: number): Promise<void> => {
    const pack = await store.packs.read(slug)
    if (pack === null) throw new Error(`${slug} is gone`)
    await store.statsWork.finish(
      { pack, lease: 0 },
      { stats: statsOf(at), dueAt: null, attempts: 1 },
    )
  }
  await Promise.all(slugs.map(add))
}

/** Building the search index of 5,000 packs, and serving it compressed. */
export const benchSearchIndex = async (folder: string): Promise<void> => {
  const store = await openStore(folder)
  await addStats(store, await seedPacks(store, PACKS, aTalkativePack))
  await benchRebuild(store)
  await store.care.close()
  for (const coding of ['br', 'gzip']) await benchServing(folder, coding)
}

const fetchRaw = (port: number, coding: string): Promise<IncomingMessage & { body: Buffer }> =>
  new Promise((resolve, reject) => {
    const headers = { 'accept-encoding': coding }
    get({ port, path: SEARCH_INDEX_PATH, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve(Object.assign(response, { body: Buffer.concat(chunks) })))
    }).on('error', reject)
  })

/** Waits for the bytes that stay: without a change, brotli is soon replaced by a smaller file. */
const untilHard = async (port: number): Promise<void> => {
  const tags = async () => {
    const [br, text] = [await fetchRaw(port, 'br'), await fetchRaw(port, 'identity')]
    return { br: br.headers.etag, text: text.headers.etag }
  }
  let before = await tags()
  for (;;) {
    await pause(250)
    const now = await tags()
    if (now.text === before.text && now.br !== before.br) return
    before = now
  }
}

const connectionHeaders = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding'])

/** Serving against a bare server that sends the same bytes and headers, round by round. */
const benchServing = async (folder: string, coding: string): Promise<void> => {
  const service = await startService(folder)
  await untilHard(service.port)
  const sample = await fetchRaw(service.port, coding)
  if (sample.headers['content-encoding'] !== coding) {
    await stop(service.child)
    throw new Error(`the index was not sent in ${coding}`)
  }
  const headers = Object.fromEntries(
    Object.entries(sample.headers).filter(([name]) => !connectionHeaders.has(name)),
  )
  const file = join(folder, 'sample.json')
  const body = sample.body.toString('base64')
  writeFileSync(file, JSON.stringify({ headers, body, encoding: 'base64' }))
  const bare = await startBare(file)

  const request = Buffer.from(
    `GET ${SEARCH_INDEX_PATH} HTTP/1.1\r\nhost: bench\r\naccept-encoding: ${coding}\r\n\r\n`,
  )
  const run = (port: number, ms: number): Promise<LoadResult> =>
    load(port, CONNECTIONS, ms, () => request)
  await run(service.port, WARM_UP_MS)
  await run(bare.port, WARM_UP_MS / 3)
  const rounds: { ours: LoadResult; bare: LoadResult }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({ ours: await run(service.port, ROUND_MS), bare: await run(bare.port, ROUND_MS) })
  }
  await Promise.all([stop(service.child), stop(bare.child)])
  if (rounds.some(({ ours }) => ours.refused > 0)) throw new Error('a request was refused')
  const ratio = median(rounds.map((round) => round.ours.perSecond / round.bare.perSecond))
  const rate = (side: 'ours' | 'bare') =>
    Math.round(median(rounds.map((round) => round[side].perSecond)))
  const size = `${Math.round(sample.body.length / 1024)} KB`
  const detail = `${rate('ours')}/s against ${rate('bare')}/s, ${size}`
  atLeast(`GET /packs/index.json (${coding}) ÷ bare`, ratio, 0.8, detail)
}
