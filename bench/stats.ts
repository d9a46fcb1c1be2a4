import { setTimeout as pause } from 'node:timers/promises'
import type { PackInput, Stats } from '../src/contract/packs.ts'
import { load, type LoadResult, rawRequest } from './load.ts'
import { startService, stop } from './processes.ts'
import { atLeast, atMost, median } from './report.ts'
import {
  aKnownPack,
  keepBeatmaps,
  openStore,
  seedKeys,
  seedPacks,
  type Store,
  untilStatsAreDone,
} from './seed.ts'

const DUE_PACKS = 30_000
const ACCOUNTS = 20_000
const CONNECTIONS = 4
const ROUND_MS = 4_000
const ROUNDS = 3
/** Enough of them look at a pack often within their quotas. */
const READERS = 20
const LOOK_EACH_MS = 100

type Service = Awaited<ReturnType<typeof startService>>

/** How long stats of a saved pack take, what they cost, and what they cost the others. */
export const benchStats = async (folder: string): Promise<void> => {
  const store = await openStore(folder)
  const keys = await seedKeys(store, ACCOUNTS)
  await benchOnePack(folder, keys.slice(0, READERS))
  await keepBeatmaps(store)
  const slugs = await seedPacks(store, DUE_PACKS, aKnownPack)
  await benchManyDue(folder, store, keys, slugs)
  await store.care.close()
}

const poolOf = (name: string, mod: string, count: number, firstId: number): PackInput => ({
  name,
  slots: Array.from({ length: count }, (_, at) => ({
    mod,
    index: at + 1,
    beatmapId: firstId + at,
  })),
})

/** Saves a pack and tells when it has stats, and when complete ones; seconds since the answer. */
const saveAndWait = async ({ port }: Service, keys: readonly string[], pool: PackInput) => {
  let looks = 0
  const headersOf = (key = '') => ({
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
  })
  const url = `http://127.0.0.1:${port}/api/v1/packs`
  const saved = await fetch(url, {
    method: 'POST',
    headers: headersOf(keys[0]),
    body: JSON.stringify(pool),
  })
  const { pack } = (await saved.json()) as { pack: { slug: string } }
  const begun = performance.now()
  const seconds = () => (performance.now() - begun) / 1_000
  let first: number | null = null
  for (;;) {
    const headers = headersOf(keys[looks++ % keys.length])
    const answer = await fetch(`${url}/${pack.slug}`, { headers })
    const { stats } = ((await answer.json()) as { pack: { stats?: Stats } }).pack
    if (stats) first ??= seconds()
    if (stats?.complete) return { first: first ?? 0, complete: seconds() }
    await pause(LOOK_EACH_MS)
  }
}

const callsOf = async ({ platformPort }: Service) => {
  const answer = await fetch(`http://127.0.0.1:${platformPort}/standin/calls`)
  return (await answer.json()) as { beatmaps: number; attributes: number; total: number }
}

const benchOnePack = async (folder: string, keys: readonly string[]): Promise<void> => {
  const service = await startService(folder)
  const plain = poolOf('24 maps', 'NM', 24, 1_000)
  const first = await saveAndWait(service, keys, plain)
  const after = await callsOf(service)
  atMost('24 maps, plain: stats after (s)', first.complete, 3, `${after.beatmaps} batch call`)
  await saveAndWait(service, keys, plain)
  const again = (await callsOf(service)).total - after.total
  atMost('24 maps, all rows known: platform calls', again, 0, 'token and retries included')

  const forced = poolOf('64 maps', 'DT', 64, 2_000)
  const slow = await saveAndWait(service, keys, forced)
  const total = (await callsOf(service)).total
  atMost('64 maps under DT: first stats after (s)', slow.first, 5, 'incomplete')
  atMost('64 maps under DT: complete after (s)', slow.complete, 120, '50 calls a minute')
  await saveAndWait(service, keys, forced)
  const more = (await callsOf(service)).total - total
  atMost('the same 64 maps again: platform calls', more, 0, 'all ratings known')
  await stop(service.child)
}

const benchManyDue = async (
  folder: string,
  store: Store,
  keys: readonly string[],
  slugs: readonly string[],
): Promise<void> => {
  const requests = keys.map((key, at) =>
    rawRequest('GET', `/api/v1/packs/${slugs[at % slugs.length]}`, key),
  )
  let sent = 0
  const next = (): Buffer => requests[sent++ % requests.length] as Buffer
  const service = await startService(folder)
  const due = async () => (await store.statsWork.backlog(store.clock.now())).total
  await untilStatsAreDone(store)

  const rates: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await store.statsWork.markDue(null, store.clock.now())
    const left = await due()
    const begun = performance.now()
    await untilStatsAreDone(store)
    rates.push(left / ((performance.now() - begun) / 1_000))
  }
  atLeast('packs with a warm cache, a second', median(rates), 500, `${DUE_PACKS} packs`)

  await load(service.port, CONNECTIONS, ROUND_MS / 2, next)
  const rounds: { quiet: LoadResult; busy: LoadResult }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const quiet = await load(service.port, CONNECTIONS, ROUND_MS, next)
    await store.statsWork.markDue(null, store.clock.now())
    const busy = await load(service.port, CONNECTIONS, ROUND_MS, next)
    if ((await due()) === 0) throw new Error('the work was over before the load')
    await untilStatsAreDone(store)
    rounds.push({ quiet, busy })
  }
  await stop(service.child)
  const ratio = median(rounds.map(({ quiet, busy }) => busy.p99 / quiet.p99))
  const ms = (of: 'quiet' | 'busy') => median(rounds.map((round) => round[of].p99)).toFixed(2)
  const detail = `${ms('busy')} ms against ${ms('quiet')} ms`
  atMost('GET at the 99th percentile, stats work ÷ none', ratio, 2, detail)
}
