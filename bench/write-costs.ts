import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import examples from '../src/contract/examples.json' with { type: 'json' }
import type { PackInput, Stats } from '../src/contract/packs.ts'
import type * as roundOperations from '../src/operations/rounds.ts'
import type * as tournamentOperations from '../src/operations/tournaments.ts'
import { load, rawRequest } from './load.ts'
import { startService, stop } from './processes.ts'
import { atMost, median } from './report.ts'
import { aKnownPack, aPack, untilStatsAreDone } from './seed.ts'
import type * as seeds from './seed.ts'

/** Many and short: neighbouring ones meet the same machine. */
const PAIRS = 30
const TURN_MS = 300
const CLIENTS = 4
/** So many that none makes more than ten writes of a kind a minute. */
const ACCOUNTS = 8_000
const HOSTS = 1_200
const BEATMAPS = 22
const WARM_UP_MS = 3_000
const MOST = 1.03

const kinds = ['POST packs', 'PUT packs', 'PATCH slots'] as const
type Kind = (typeof kinds)[number]

/** A server of a version over a store of its own, and the next write of each kind. */
type Version = {
  readonly costOf: (kind: Kind) => Promise<number>
  readonly warm: (kind: Kind) => Promise<void>
  readonly stop: () => Promise<void>
}

/**
 * What a write costs over all threads of the process, the stats that follow it included, compared with an
 * earlier version that takes turns with it.
 *
 * @param before a checkout of the earlier version, with its dependencies; left out: this one, which shows the noise.
 */
export const benchWriteCosts = async (folder: string, before = process.cwd()): Promise<void> => {
  const now = await startVersion(join(folder, 'now'), process.cwd())
  const earlier = await startVersion(join(folder, 'before'), before)
  try {
    for (const kind of kinds) {
      for (const version of [earlier, now]) await version.warm(kind)
      const pairs: { now: number; before: number }[] = []
      for (let pair = 0; pair < PAIRS; pair += 1) {
        // Each goes first in every other pair.
        if (pair % 2 === 0) {
          const first = await now.costOf(kind)
          pairs.push({ now: first, before: await earlier.costOf(kind) })
        } else {
          const first = await earlier.costOf(kind)
          pairs.push({ before: first, now: await now.costOf(kind) })
        }
      }
      const of = (side: 'now' | 'before') => median(pairs.map((each) => each[side])).toFixed(3)
      const ratio = median(pairs.map((each) => each.now / each.before))
      atMost(`${kind} ÷ before: CPU`, ratio, MOST, `${of('now')} ÷ ${of('before')} ms`)
    }
  } finally {
    await now.stop()
    await earlier.stop()
  }
}

const startVersion = async (folder: string, root: string): Promise<Version> => {
  mkdirSync(folder, { recursive: true })
  const from = <T>(file: string): Promise<T> => import(pathToFileURL(join(root, file)).href)
  // Its own: this version would migrate the tables.
  const { openStore, seedKeys, seedPacks, keepBeatmaps } = await from<typeof seeds>('bench/seed.ts')
  const { createTournament } = await from<typeof tournamentOperations>(
    'src/operations/tournaments.ts',
  )
  const { createRound } = await from<typeof roundOperations>('src/operations/rounds.ts')
  const store = await openStore(folder)
  const keys = await seedKeys(store, ACCOUNTS)
  const hostKeys = (await seedKeys(store, HOSTS, 'pools')).slice(0, HOSTS)
  await keepBeatmaps(store)
  const packs = await seedPacks(store, ACCOUNTS, unlisted, {
    each: 1,
    statsOf: () => examples.stats as Stats,
  })
  const paths: string[] = []
  for (let at = 0; at < HOSTS; at += 1) {
    const hostId = (await store.accounts.findByGameId(at + 1))?.id ?? ''
    const { slug } = await createTournament(store, hostId, { name: `Cup ${at}` })
    const slots = aPack(0).slots.slice(0, BEATMAPS)
    const { round } = await createRound(store, hostId, slug, { name: 'Finals', slots })
    paths.push(`/api/v1/tournaments/${slug}/rounds/${round.id}/slots`)
  }
  const { port, poolsPort, child } = await startService(folder, undefined, {}, root)
  let sent = 0
  const senders: Readonly<Record<Kind, () => Buffer>> = {
    'POST packs'() {
      sent += 1
      const key = keys[sent % ACCOUNTS] ?? ''
      return rawRequest('POST', '/api/v1/packs', key, JSON.stringify(unlisted(sent)))
    },
    'PUT packs'() {
      sent += 1
      const at = sent % ACCOUNTS
      const path = `/api/v1/packs/${packs[at]}`
      return rawRequest('PUT', path, keys[at] ?? '', JSON.stringify(unlisted(sent)))
    },
    'PATCH slots': slotChanges(paths, hostKeys),
  }
  const send = (kind: Kind, ms: number) =>
    load(kind === 'PATCH slots' ? poolsPort : port, CLIENTS, ms, senders[kind])
  return {
    async costOf(kind) {
      const before = threadsMs(child.pid ?? 0)
      const { answered, refused } = await send(kind, TURN_MS)
      if (refused > 0) throw new Error(`${refused} of ${answered} writes were refused`)
      await untilStatsAreDone(store)
      return (threadsMs(child.pid ?? 0) - before) / answered
    },
    async warm(kind) {
      await send(kind, WARM_UP_MS)
      await untilStatsAreDone(store)
    },
    async stop() {
      await stop(child)
      await store.care.close()
    },
  }
}

const unlisted = (number: number): PackInput => ({
  ...aKnownPack(number),
  visibility: 'unlisted',
})

/** The next change of the first slot, of one round after the other, to another beatmap and back. */
const slotChanges = (paths: readonly string[], keys: readonly string[]): (() => Buffer) => {
  const [first] = aPack(0).slots
  if (first === undefined) throw new Error('no slot')
  const other = first.beatmapId + 1
  let sent = 0
  return () => {
    const at = sent % paths.length
    const isBack = Math.floor(sent / paths.length) % 2 === 1
    sent += 1
    const [from, to] = isBack ? [other, first.beatmapId] : [first.beatmapId, other]
    const { mod, index } = first
    const change = { mod, index, from: { beatmapId: from }, to: { beatmapId: to } }
    return rawRequest(
      'PATCH',
      paths[at] ?? '',
      keys[at] ?? '',
      JSON.stringify({ changes: [change] }),
    )
  }
}

/** How long the threads of a process have kept a core busy, ms: finer than the ticks of `cpuMs`. */
const threadsMs = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`)
    .map((id) => Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]))
    .reduce((sum, ns) => sum + ns / 1e6, 0)
