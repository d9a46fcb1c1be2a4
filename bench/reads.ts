import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type LoadResult, load, rawRequest } from './load.ts'
import { startBare, startService, stop } from './processes.ts'
import { atLeast, median } from './report.ts'
import { makeScene } from '../scripts/seed/made-up-scene.ts'
import { aPack, openStore, seedKeys, seedPacks } from './seed.ts'

const ROUNDS = 7
const ROUND_MS = 1500
const WARM_UP_MS = 4000
const CONNECTIONS = 16
const ACCOUNTS = 15_000
const PACKS = 1000

const connectionHeaders = new Set(['connection', 'keep-alive', 'date', 'transfer-encoding'])

/** Reading against a bare server that sends the same bytes and headers from memory, round by round. */
export const benchReads = async (folder: string): Promise<void> => {
  const store = await openStore(folder)
  const keys = await seedKeys(store, ACCOUNTS)
  // Stats that are due would be computed meanwhile.
  const slugs = await seedPacks(store, PACKS, aPack, { statsOf: makeScene().statsOf })
  await store.care.close()
  const paths = {
    one: (at: number) => `/api/v1/packs/${slugs[at % PACKS]}`,
    page: () => '/api/v1/packs',
  }
  await compare(folder, keys, 'GET /packs/{slug} ÷ bare node:http', paths.one, 0.7)
  await new Promise((resolve) => setTimeout(resolve, 60_000 - (Date.now() % 60_000)))
  await compare(folder, keys, 'GET /packs (50 packs of 24 slots) ÷ bare', paths.page, 0.6)
}

const compare = async (
  folder: string,
  keys: readonly string[],
  what: string,
  path: (at: number) => string,
  least: number,
): Promise<void> => {
  const service = await startService(folder)
  const sample = await fetch(`http://127.0.0.1:${service.port}${path(0)}`, {
    // The load asks for no coding: the bare server sends the same bytes.
    headers: { authorization: `Bearer ${keys.at(-1)}`, 'accept-encoding': 'identity' },
  })
  const headers = Object.fromEntries(
    [...sample.headers].filter(([name]) => !connectionHeaders.has(name)),
  )
  const file = join(folder, 'sample.json')
  writeFileSync(file, JSON.stringify({ headers, body: await sample.text() }))
  const bare = await startBare(file)

  const requests = keys.map((key, at) => rawRequest('GET', path(at), key))
  let sent = 0
  const next = (): Buffer => requests[sent++ % requests.length] as Buffer
  const run = (port: number, ms: number): Promise<LoadResult> => load(port, CONNECTIONS, ms, next)

  await run(service.port, WARM_UP_MS)
  await run(bare.port, WARM_UP_MS / 4)
  const rounds: { ours: LoadResult; bare: LoadResult }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({ ours: await run(service.port, ROUND_MS), bare: await run(bare.port, ROUND_MS) })
  }
  await Promise.all([stop(service.child), stop(bare.child)])
  const refused = rounds.reduce((sum, round) => sum + round.ours.refused, 0)
  if (refused > 0) throw new Error(`${refused} requests were refused: the figure would flatter us`)
  const ratio = median(rounds.map((round) => round.ours.perSecond / round.bare.perSecond))
  const rate = (side: 'ours' | 'bare') =>
    Math.round(median(rounds.map((round) => round[side].perSecond)))
  atLeast(what, ratio, least, `${rate('ours')}/s against ${rate('bare')}/s`)
}
