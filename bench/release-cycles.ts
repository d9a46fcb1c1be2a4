import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { API_PREFIX } from '../src/contract/endpoint.ts'
import type { Tournament } from '../src/contract/tournaments.ts'
import {
  changesOf,
  type Fill,
  type Host,
  isPending,
  judgeRound,
  momentOf,
  type PlannedRound,
  planRounds,
  ROUND_COLUMNS,
  shownSlots,
} from './planned-rounds.ts'
import type { ReleaseGround, Service } from './release-grounds.ts'

/** Tournaments that are made in each cycle. */
const TOURNAMENTS = 3
/** Of each tournament, so that none changes more slots than a key may in a minute. */
const HOSTS_EACH = 4
/** Changes of slots while one process lives, or in half a second of the last one. */
const MOST_AT_ONCE = 80
/** Who is on no staff, and how many tournaments each of them reads. */
const STRANGERS = 20
const READS_EACH = 25
/** From when a server is expected to be ready until that moment. */
const AHEAD_MS = 150
/** As long as so many releases take: within it the rounds become due, and the kill comes after them. */
const SPREAD_MS = 120
/** So long a busy machine may take for what is still to be released. */
const PATIENCE_MS = 120_000

/** What the kills met. */
export type ReleaseCount = {
  readonly kills: number
  /** Kills while rounds were due that had not been released yet. */
  readonly interrupted: number
  /** Kills while beatmaps of released rounds were still to become public, or being saved. */
  readonly interruptedFills: number
  readonly released: number
  /** Changes of slots that were released without a beatmap, which gave them one. */
  readonly filled: number
  /** The longest time from when a round was due, and a process ready, to its release. */
  readonly slowestMs: number
  /** The longest time from when such a change was confirmed, its round released and a process ready, to its release. */
  readonly slowestFillMs: number
  /** The longest start of a process, until it was ready. */
  readonly slowestStartMs: number
  /** Rounds and packs that are not as they must be. */
  readonly wrong: number
}

/** Each round that ever was of these, with its pack. */
const roundsOf = (slugs: readonly string[]): string => `
  select ${ROUND_COLUMNS} from tournament_round as round left join pack on pack.slug = pack_slug
  where tournament in (${listed(slugs)})`

/** What later versions have replaced of the packs of these tournaments. */
const replacedOf = (slugs: readonly string[]): string => `
  select round.id, pack_version.version, saved_at, pack_version.pack_key
  from tournament_round as round join pack on pack.slug = pack_slug
  join pack_version on pack_version.pack_id = pack.id
  where tournament in (${listed(slugs)}) order by pack_version.version`

const listed = (slugs: readonly string[]): string => slugs.map((slug) => `'${slug}'`).join()

const COUNTS = `
  select (select count(*) from pack where owner_id = 'tournament-pools') as packs,
    (select count(*) from tournament_round where pack_slug is not null) as released`

/**
 * Kills a server with SIGKILL while rounds become due and slots that were released without a beatmap get one, again
 * and again over one store, and looks at what became of them: exactly one pack of each, none before its time, all
 * soon after a start, and each beatmap in its pack soon after it was confirmed.
 *
 * @param say is called with each fault.
 */
export const releaseCycles = async (
  ground: ReleaseGround,
  kills: number,
  onCycle: (count: ReleaseCount) => void = () => {},
  say: (fault: string) => void = () => {},
): Promise<ReleaseCount> => {
  const { survivor } = ground
  const [hosts, strangers] = [ground.hosts.slice(STRANGERS), ground.hosts.slice(0, STRANGERS)]
  const open = new Map<string, PlannedRound>()
  const closed: PlannedRound[] = []
  const count = {
    kills: 0,
    interrupted: 0,
    interruptedFills: 0,
    released: 0,
    filled: 0,
    slowestMs: 0,
    slowestFillMs: 0,
    slowestStartMs: 0,
    wrong: 0,
  }
  /** How long a server takes until it is ready. */
  let startMs = 500
  let tournaments = 0

  const fault = (text: string): void => {
    count.wrong += 1
    say(text)
  }

  /** When the rounds are due. */
  const plan = async (): Promise<number> => {
    const dueAt = Math.round(Date.now() + startMs + AHEAD_MS)
    await ground.withStores(async (stores) => {
      for (let made = 0; made < TOURNAMENTS; made += 1) {
        const first = (HOSTS_EACH * tournaments++) % hosts.length
        const own = hosts.slice(first, first + HOSTS_EACH)
        for (const round of await planRounds(stores.tournaments, own, dueAt, SPREAD_MS)) {
          open.set(round.roundId, round)
        }
      }
    })
    return dueAt
  }

  /** `readyAt`: when it was ready. */
  const start = async () => {
    const begun = Date.now()
    const service = await ground.startService()
    const tookMs = Date.now() - begun
    startMs = (startMs + tookMs) / 2
    count.slowestStartMs = Math.max(count.slowestStartMs, tookMs)
    return { ...service, readyAt: Date.now() }
  }

  const ask = (port: number, path: string, { key }: Host, changes?: unknown): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}${API_PREFIX}/tournaments/${path}`, {
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(changes !== undefined && { method: 'PATCH', body: JSON.stringify(changes) }),
    })

  /** Sends what gets a beatmap while this process lives, each at its moment; `end` resolves when all is answered. */
  const sendFills = ({ poolsPort, readyAt }: Service & { readonly readyAt: number }) => {
    const stopped = new AbortController()
    const ports = [poolsPort, ...(survivor ? [survivor.poolsPort] : [])]
    const send = async (fill: Fill): Promise<void> => {
      const { slug, roundId, host } = fill.round
      const wait = Math.max(0, momentOf(fill, readyAt) - Date.now())
      const isTime = await pause(wait, true, stopped).catch(() => false)
      if (!isTime || stopped.signal.aborted) return
      fill.isSent = true
      const path = `${slug}/rounds/${roundId}/slots`
      try {
        const answer = await ask(ports[randomInt(ports.length)]!, path, host, changesOf(fill))
        const text = await answer.text()
        if (answer.ok) fill.savedAt = Date.now()
        // It may have been saved before, unanswered: then it is refused. On a busy machine, the database may be late,
        // and what is sent again spends the key's writes.
        else if (![409, 429].includes(answer.status) && answer.status < 500) {
          fault(`${answer.status} ${text}`)
        }
      } catch {
        // The process was killed.
      }
    }
    const waiting = [...open.values()].flatMap(({ fills }) => fills)
    const due = waiting.filter(({ savedAt, killsLeft }) => savedAt === null && killsLeft === 0)
    for (const fill of waiting) fill.killsLeft = Math.max(0, fill.killsLeft - 1)
    // The last ones have the nearest moments; where many wait, the process would be late with all of them.
    const sent = Promise.all(due.toReversed().slice(0, MOST_AT_ONCE).map(send))
    return async () => {
      stopped.abort()
      await sent
    }
  }

  /** @param readyAt of the process that was killed last, or lives. */
  const judge = async (readyAt: number): Promise<void> => {
    const slugs = [...new Set([...open.values()].map(({ slug }) => slug))]
    const rows = slugs.length === 0 ? [] : await ground.query(roundsOf(slugs))
    // What a killed process had sent to the database may be committed until then.
    const now = Date.now()
    const replaced = slugs.length === 0 ? [] : await ground.query(replacedOf(slugs))
    const versions = Map.groupBy(replaced, ({ id }) => id)
    const from = survivor === null ? readyAt : 0
    for (const row of rows) {
      const round = open.get(String(row['id']))
      if (round === undefined) continue
      const wasReleased = round.isReleased
      const verdict = judgeRound(round, row, versions.get(row['id']) ?? [], from, now)
      for (const text of verdict.faults) fault(text)
      count.slowestFillMs = Math.max(count.slowestFillMs, verdict.fillMs)
      if (round.isReleased && !wasReleased) {
        count.released += 1
        count.slowestMs = Math.max(count.slowestMs, verdict.releaseMs)
      }
      if (!verdict.isDone && verdict.faults.length === 0) continue
      count.filled += round.fills.length
      open.delete(round.roundId)
      closed.push(round)
    }
    const [{ packs, released } = {}] = await ground.query(COUNTS)
    const counts = `${Number(packs)} packs of ${Number(released)} rounds`
    if (Number(packs) !== Number(released)) fault(counts)
  }

  const killOnce = async (): Promise<void> => {
    const dueAt = await plan()
    const service = await start()
    const endFills = sendFills(service)
    await pause(Math.max(0, dueAt - Date.now()) + randomInt(2 * SPREAD_MS))
    const gone = once(service.child, 'exit')
    service.child.kill('SIGKILL')
    const killedAt = Date.now()
    await Promise.all([gone, endFills()])
    count.kills += 1
    const isCut = [...open.values()].some(({ fills }) => fills.some(isUnanswered))
    await judge(service.readyAt)
    const left = [...open.values()]
    if (left.some(({ isReleased, releaseAt }) => !isReleased && releaseAt <= killedAt)) {
      count.interrupted += 1
    }
    const isWaiting = left.some(({ isReleased, fills }) => isReleased && fills.some(isPending))
    if (isCut || isWaiting) count.interruptedFills += 1
  }

  /** What everybody reads of the last tournaments, of each process. */
  const readAsStranger = async (services: readonly Service[]): Promise<void> => {
    const last = [...Map.groupBy(closed, ({ slug }) => slug)].slice(-STRANGERS * READS_EACH)
    for (const { poolsPort } of services) {
      for (const [at, [slug, rounds]] of last.entries()) {
        const answer = await ask(poolsPort, slug, strangers[at % STRANGERS]!)
        const { tournament } = (await answer.json()) as { tournament: Tournament }
        for (const round of rounds) {
          const shown = tournament.rounds.find(({ id }) => id === round.roundId)
          const isSame = isDeepStrictEqual(shown?.slots, shownSlots(round))
          if (!isSame) fault(`${round.roundId} of ${slug} is read with other slots`)
        }
      }
    }
  }

  for (let cycle = 0; cycle < kills; cycle += 1) {
    await killOnce()
    onCycle(count)
  }
  const service = await start()
  for (let waited = 0; open.size > 0 && waited < PATIENCE_MS; waited += 500) {
    const endFills = sendFills(service)
    await pause(500)
    await endFills()
    await judge(service.readyAt)
  }
  for (const { roundId } of open.values()) fault(`${roundId} was never released, or not all of it`)
  await readAsStranger([service, ...(survivor ? [survivor] : [])])
  const gone = once(service.child, 'exit')
  service.child.kill('SIGKILL')
  await gone
  return count
}

/** Whether it was sent and not answered: it may have been saved. */
const isUnanswered = ({ isSent, savedAt }: Fill): boolean => isSent && savedAt === null
