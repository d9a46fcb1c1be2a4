import type { StorePlace } from '../scripts/seed/open-bulk-store.ts'
import { MAX_ROUNDS } from '../src/contract/bounds.ts'
import { releaseRound } from '../src/operations/releases.ts'
import { createRound } from '../src/operations/rounds.ts'
import { createTournament } from '../src/operations/tournaments.ts'
import { cpuMs } from './cpu-time.ts'
import { type Database, startDatabase } from './database.ts'
import { load, rawRequest, warmUp } from './load.ts'
import { startService, stop } from './processes.ts'
import { atMost, median, report } from './report.ts'
import { aPack, openStore, seedKeys, seedPacks } from './seed.ts'

/** Many and short: the two sides of a round should meet the same machine. */
const ROUNDS = 15
const ROUND_MS = 400
/** Enough that none sends more than sixty reads a minute. */
const ACCOUNTS = 6_000
const CLIENTS = 4
const PACKS = 50
const BEATMAPS = 22
/** Each host makes this many changes, so that none makes more than ten a minute. */
const HOSTS = 40
const CHANGES = 8

/** What a tournament with as many rounds as may be costs to read, and a change of a slot, on both engines. */
export const benchTournaments = async (folder: string): Promise<void> => {
  await benchOn('SQLite', { dataDir: folder, databaseUrl: null }, null)
  const database = await startDatabase(folder)
  try {
    await benchOn('PostgreSQL', await database.place('mapcrate'), database)
  } finally {
    await database.stop()
  }
}

const benchOn = async (
  engine: string,
  place: StorePlace,
  database: Database | null,
): Promise<void> => {
  const packKeys = await seedKeys({ place }, ACCOUNTS)
  const keys = await seedKeys({ place }, ACCOUNTS, 'pools')
  await seedPacks({ place }, PACKS)
  const made = await makeTournaments(place)
  const { port, poolsPort, child } = await startService(place)
  const busyMs = (): number => cpuMs(child.pid ?? 0) + (database?.cpuMs() ?? 0)
  const measure = async (at: number, ms: number, next: () => Buffer): Promise<number> => {
    const before = busyMs()
    const { answered, refused } = await load(at, CLIENTS, ms, next)
    if (refused > 0) throw new Error(`${refused} of ${answered} requests were refused`)
    return (1_000 * (busyMs() - before)) / answered
  }
  const reader = (path: string, own: readonly string[]) => {
    let sent = 0
    return () => rawRequest('GET', `/api/v1${path}`, own[sent++ % own.length] ?? '')
  }
  // Not of those who make changes, which would see a draft.
  const strangers = keys.slice(HOSTS)
  const tournament = reader(`/tournaments/${made[0]?.slug}`, strangers)
  const packs = reader('/packs', packKeys)
  try {
    await warmUp(poolsPort, CLIENTS, ACCOUNTS, tournament)
    await warmUp(port, CLIENTS, ACCOUNTS, packs)
    const rounds: { one: number; other: number }[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const one = await measure(poolsPort, ROUND_MS, tournament)
      rounds.push({ one, other: await measure(port, ROUND_MS, packs) })
    }
    const [one, other] = [
      median(rounds.map((each) => each.one)),
      median(rounds.map((each) => each.other)),
    ]
    const ratio = median(rounds.map((each) => each.one / each.other))
    const what = `${engine}: tournament of ${MAX_ROUNDS} rounds ÷ ${PACKS} packs: CPU`
    atMost(what, ratio, 1, `${one.toFixed(0)} ÷ ${other.toFixed(0)} µs`)
    const cost = await changeSlots(poolsPort, keys, made, busyMs)
    report(`${engine}: a change of a slot: CPU`, `${cost.toFixed(0)} µs`, '', true)
  } finally {
    await stop(child)
  }
}

type Made = { readonly slug: string; readonly round: string }

/** One of each host; all rounds of the first one are released, of the others one is a draft. */
const makeTournaments = async (place: StorePlace): Promise<Made[]> => {
  const store = await openStore(place)
  const made: Made[] = []
  for (let at = 0; at < HOSTS; at++) {
    const hostId = (await store.accounts.findByGameId(at + 1))?.id ?? ''
    const { slug } = await createTournament(store, hostId, {
      name: `Cup ${at}`,
      visibility: 'public',
    })
    const ids: string[] = []
    for (let round = 0; round < (at === 0 ? MAX_ROUNDS : 1); round++) {
      const slots = aPack(round).slots.slice(0, BEATMAPS)
      const { id } = (await createRound(store, hostId, slug, { name: `Round ${round}`, slots }))
        .round
      if (at === 0) await releaseRound(store, hostId, slug, id, { at: 'now' })
      ids.push(id)
    }
    made.push({ slug, round: ids[0] ?? '' })
  }
  await store.care.close()
  return made
}

/** µs of a core for a change, which replaces the beatmap that the one before has set. */
const changeSlots = async (
  port: number,
  keys: readonly string[],
  made: readonly Made[],
  busyMs: () => number,
): Promise<number> => {
  const first = aPack(0).slots[0]
  if (first === undefined) throw new Error('no slot')
  const before = busyMs()
  await Promise.all(
    made.map(async ({ slug, round }, at) => {
      let seen = first.beatmapId
      for (let change = 1; change <= CHANGES; change++) {
        const to = 3_000_000 + change
        const changes = [{ ...first, from: { beatmapId: seen }, to: { beatmapId: to } }]
        const url = `http://127.0.0.1:${port}/api/v1/tournaments/${slug}/rounds/${round}/slots`
        const answer = await fetch(url, {
          method: 'PATCH',
          headers: { authorization: `Bearer ${keys[at]}`, 'content-type': 'application/json' },
          body: JSON.stringify({ changes }),
        })
        if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
        seen = to
      }
    }),
  )
  return (1_000 * (busyMs() - before)) / (made.length * CHANGES)
}
