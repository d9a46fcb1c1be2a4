import { mkdir } from 'node:fs/promises'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { serviceCookie } from '../src/door/cookies.ts'
import type { SavedTournament } from '../src/domain/tournaments.ts'
import type * as roundOperations from '../src/operations/rounds.ts'
import type * as tournamentOperations from '../src/operations/tournaments.ts'
import { hostsOf } from '../test/ports/sample-tournament.ts'
import { cpuMs } from './cpu-time.ts'
import { saveSlots, seedMember, Stream } from './live.ts'
import { SERVER_CORE, startService, stop } from './processes.ts'
import { atMost, median, report } from './report.ts'
import type * as seeds from './seed.ts'

const ROUNDS = 5
/** Of each server in a round, without and with what pages read: hundredths of a second are counted. */
const CHANGES = { streams: 20, pages: 4 } as const
/** Of the tournament, beside the one that is changed. */
const OTHER_ROUNDS = 7
const SLOTS = 22
const BEHIND_PROXY = { TRUSTED_PROXIES: '127.0.0.1' }
const BEFORE_STAFF = 24
const STAFF = 100

type Scene = keyof typeof CHANGES
const scenes: readonly Scene[] = ['streams', 'pages']

/** A server, and the staff of a tournament that all have its workspace open. */
type Watched = {
  readonly name: string
  /** ms of a core for one change until all streams have it; of `pages`, with what pages then read. */
  readonly change: (scene: Scene) => Promise<number>
  readonly stop: () => Promise<void>
}

/**
 * What a change of a slot costs the server while 24 and 100 people have the workspace open, who read what changed as
 * their pages do.
 *
 * @param before a checkout of the version to compare with, with its dependencies; left out: none.
 */
export const benchWatched = async (folder: string, before?: string): Promise<void> => {
  const here = process.cwd()
  const all: Watched[] = []
  const open = async (name: string, root: string, staff: number) => {
    const watched = await startWatched(join(folder, name), name, root, staff)
    all.push(watched)
    return watched
  }
  try {
    const many = await open('100 now', here, STAFF)
    const few = await open('24 now', here, BEFORE_STAFF)
    const old = before === undefined ? null : await open('24 before', before, BEFORE_STAFF)
    for (const scene of scenes) {
      const costs = new Map(all.map((each) => [each, [] as number[]]))
      for (const each of all) await each.change(scene)
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const each of all) costs.get(each)!.push(await each.change(scene))
      }
      for (const each of all) {
        const cost = `${median(costs.get(each)!).toFixed(1)} ms`
        report(`a change of a slot, ${scene}, ${each.name}: CPU`, cost, '', true)
      }
      const reference = old ?? few
      const ratios = costs.get(many)!.map((ms, round) => ms / costs.get(reference)![round]!)
      const what = `a change of a slot, ${scene}, ${many.name} ÷ ${reference.name}: CPU`
      atMost(what, median(ratios), 1.2, `${ROUNDS} rounds`)
    }
  } finally {
    for (const each of all) await each.stop()
  }
}

const startWatched = async (
  folder: string,
  name: string,
  root: string,
  staff: number,
): Promise<Watched> => {
  const place = { dataDir: folder, databaseUrl: null }
  const { slug, round, members } = await seedWatched(folder, root, staff)
  const { child, poolsPort } = await startService(place, SERVER_CORE, BEHIND_PROXY, root)
  const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY, keepAlive: true })
  const path = `/session/tournaments/${slug}`
  const streams = await Promise.all(
    members.map(({ token }, at) =>
      Stream.open(agent, poolsPort, `${path}/events?round=${round}`, token, fromAddress(at)),
    ),
  )
  const read = async (what: string, at: number): Promise<void> => {
    const answer = await fetch(`http://127.0.0.1:${poolsPort}${what}`, {
      headers: {
        cookie: `${serviceCookie('pools', 'session')}=${members[at]!.token}`,
        ...fromAddress(at),
      },
    })
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
    await answer.arrayBuffer()
  }
  let changes = 0
  const changeOnce = async (scene: Scene): Promise<void> => {
    const before = streams.map((stream) => stream.last)
    const from = { beatmapId: 1 + changes }
    const change = { mod: 'NM', index: 1, from, to: { beatmapId: 2 + changes } }
    const at = changes % members.length
    changes += 1
    const slots = `${path}/rounds/${round}/slots`
    await saveSlots(poolsPort, slots, members[at]!, [change], fromAddress(at))
    await Promise.all(
      streams.map(async (stream, at) => {
        const seen = before[at]!
        await stream.until(() => stream.last.marks.rounds[round] !== seen.marks.rounds[round])
        if (scene === 'streams') return
        const { marks, changed = [] } = stream.last
        const reads: string[] = []
        if (marks.tournament !== seen.marks.tournament) reads.push(`${path}/workspace`)
        if (!changed.some((each) => each.round.id === round)) reads.push(`${path}/rounds/${round}`)
        await Promise.all(reads.map((what) => read(what, at)))
      }),
    )
  }
  return {
    name,
    async change(scene) {
      const before = cpuMs(child.pid ?? 0)
      for (let each = 0; each < CHANGES[scene]; each += 1) await changeOnce(scene)
      return (cpuMs(child.pid ?? 0) - before) / CHANGES[scene]
    },
    async stop() {
      for (const stream of streams) stream.close()
      agent.destroy()
      await stop(child)
    },
  }
}

/** Each of the staff has an address of their own. */
const fromAddress = (at: number) => ({ 'x-forwarded-for': `198.51.100.${at + 1}` })

/** A tournament of that version whose staff are all hosts, with a round of 22 slots that is changed. */
const seedWatched = async (folder: string, root: string, staff: number) => {
  await mkdir(folder, { recursive: true })
  const from = <M>(path: string): Promise<M> => import(pathToFileURL(join(root, path)).href)
  const { openStore } = await from<typeof seeds>('bench/seed.ts')
  const tournaments = await from<typeof tournamentOperations>('src/operations/tournaments.ts')
  const rounds = await from<typeof roundOperations>('src/operations/rounds.ts')
  const store = await openStore(folder)
  try {
    const members: Awaited<ReturnType<typeof seedMember>>[] = []
    for (let at = 0; at < staff; at += 1) members.push(await seedMember(store))
    const hostId = members[0]!.accountId
    const { slug } = await tournaments.createTournament(store, hostId, { name: 'Harbour Cup' })
    const slots = Array.from({ length: SLOTS }, (_, at) => ({
      mod: 'NM',
      index: at + 1,
      beatmapId: at + 1,
    }))
    const ids: string[] = []
    for (let round = 0; round <= OTHER_ROUNDS; round += 1) {
      const made = await rounds.createRound(store, hostId, slug, { name: `Round ${round}`, slots })
      ids.push(made.round.id)
    }
    const withStaff = (saved: SavedTournament): SavedTournament => ({
      ...saved,
      staff: hostsOf(members, saved.createdAt),
      updatedAt: saved.updatedAt + 1,
    })
    const { change } = store.tournaments as unknown as {
      change(this: void, ...args: readonly unknown[]): Promise<unknown>
    }
    // Versions without the feed of changes take no time.
    await change(slug, null, 20, ...(change.length < 5 ? [] : [0]), withStaff)
    return { slug, round: ids[0]!, members }
  } finally {
    await store.care.close()
  }
}
