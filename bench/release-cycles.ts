import type { ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import type { TournamentStore } from '../src/ports/tournaments.ts'
import { type ScheduledRound, scheduleRounds } from '../test/support/scheduled-round.ts'
import { groundOn } from './kill-cycles-postgres.ts'
import { startService } from './processes.ts'
import { openStore } from './seed.ts'

/** Tournaments that are made in each cycle, and rounds of each, all of them due at about one moment. */
const TOURNAMENTS = 3
const ROUNDS = 8
/** From when a server is expected to be ready until that moment. */
const AHEAD_MS = 150
/** As long as so many releases take: within it the rounds become due, and the kill comes after them. */
const SPREAD_MS = 120
/** So long a busy machine may take for what is still to be released. */
const PATIENCE_MS = 60_000
const HOST = 'release-host'

/** What the kills met. */
export type ReleaseCount = {
  readonly kills: number
  /** Kills while rounds were due that had not been released yet. */
  readonly interrupted: number
  readonly released: number
  /** The longest time from when a round was due, and a process ready, to its release. */
  readonly slowestMs: number
  /** The longest start of a process, until it was ready. */
  readonly slowestStartMs: number
  /** Rounds and packs that are not as they must be. */
  readonly wrong: number
}

type Row = Readonly<Record<string, unknown>>

/** A store and the processes over it. */
export type ReleaseGround = {
  readonly withTournaments: <T>(work: (store: TournamentStore) => Promise<T>) => Promise<T>
  /** Resolves when it is ready. */
  readonly startService: () => Promise<{ readonly child: ChildProcess }>
  /** Reads past all of the service's code. */
  readonly query: (statement: string) => Promise<readonly Row[]>
  /** Whether another process lives on when one is killed. */
  readonly hasSurvivor: boolean
}

/** A store in this folder, which one server at a time has open. */
export const releasesIn = async (folder: string): Promise<ReleaseGround> => {
  const open = () => openStore(folder)
  const first = await open()
  await first.accounts.ensurePlayer({ gameId: 1, username: 'host' }, HOST, 0)
  await first.care.close()
  return {
    async withTournaments(work) {
      const store = await open()
      return work(store.tournaments).finally(() => store.care.close())
    },
    startService: () => startService(folder),
    query: async (statement) => {
      using database = new DatabaseSync(join(folder, 'mapcrate.db'))
      return database.prepare(statement).all()
    },
    hasSurvivor: false,
  }
}

/** A store in this database, with a server that lives on. `close` ends it. */
export const releasesOn = async (
  url: string,
): Promise<ReleaseGround & { readonly close: () => Promise<void> }> => {
  const { stores, startService, close } = await groundOn(url)
  await stores.accounts.ensurePlayer({ gameId: 1, username: 'host' }, HOST, 0)
  const client = new Client({ connectionString: url })
  await client.connect()
  await startService()
  return {
    withTournaments: (work) => work(stores.tournaments),
    startService,
    query: async (statement) => (await client.query<Row>(statement)).rows,
    hasSurvivor: true,
    async close() {
      await client.end()
      await close()
    },
  }
}

/** Each round that ever was, with its pack and how often that was created. */
const roundsOf = (slugs: readonly string[]): string => `
  select round.id, release_at, pack_slug, released, pack.created_at, pack.version,
    (select count(*) from pack_change where slug = pack_slug and kind = 'created') as creations
  from tournament_round as round left join pack on pack.slug = pack_slug
  where tournament in (${slugs.map((slug) => `'${slug}'`).join()})`

const COUNTS = `
  select (select count(*) from pack where owner_id = 'tournament-pools') as packs,
    (select count(*) from tournament_round where pack_slug is not null) as released`

/**
 * Kills a server with SIGKILL while rounds become due, again and again over one store, and looks at what
 * became of them: exactly one pack of each, none before its time, and all soon after a start.
 *
 * @param say is called with each fault.
 */
export const releaseCycles = async (
  ground: ReleaseGround,
  kills: number,
  onCycle: (count: ReleaseCount) => void = () => {},
  say: (fault: string) => void = () => {},
): Promise<ReleaseCount> => {
  const open = new Map<string, ScheduledRound>()
  const count = { kills: 0, interrupted: 0, released: 0, slowestMs: 0, slowestStartMs: 0, wrong: 0 }
  /** How long a server takes until it is ready. */
  let startMs = 500

  const fault = (text: string): void => {
    count.wrong += 1
    say(text)
  }

  /** When the rounds are due. */
  const schedule = async (): Promise<number> => {
    const dueAt = Math.round(Date.now() + startMs + AHEAD_MS)
    await ground.withTournaments(async (tournaments) => {
      for (let made = 0; made < TOURNAMENTS; made += 1) {
        const times = Array.from({ length: ROUNDS }, () => dueAt + randomInt(SPREAD_MS))
        for (const round of await scheduleRounds({ tournaments }, HOST, times)) {
          open.set(round.roundId, round)
        }
      }
    })
    return dueAt
  }

  /** When it was ready. */
  const start = async () => {
    const begun = Date.now()
    const { child } = await ground.startService()
    const tookMs = Date.now() - begun
    startMs = (startMs + tookMs) / 2
    count.slowestStartMs = Math.max(count.slowestStartMs, tookMs)
    return { child, readyAt: Date.now() }
  }

  /** @param readyAt of the only process that could release; null: there was always one. */
  const judge = async (readyAt: number | null): Promise<void> => {
    const slugs = new Set([...open.values()].map(({ slug }) => slug))
    const rows = slugs.size === 0 ? [] : await ground.query(roundsOf([...slugs]))
    for (const row of rows) {
      const round = open.get(String(row['id']))
      if (round === undefined) continue
      const { roundId, releaseAt } = round
      if (row['pack_slug'] === null) {
        if (Number(row['release_at']) === releaseAt) continue
        fault(`${roundId} has neither a pack nor its schedule`)
      } else {
        const { at } = JSON.parse(String(row['released'])) as { at: number }
        const whole = [row['version'], row['creations']].every((number) => Number(number) === 1)
        if (row['release_at'] !== null || !whole) fault(`${roundId} is half released, or twice`)
        if (Number(row['created_at']) < releaseAt || at < releaseAt) {
          fault(`${roundId} was released ${releaseAt - at} ms before its time`)
        }
        count.slowestMs = Math.max(count.slowestMs, at - Math.max(releaseAt, readyAt ?? 0))
        count.released += 1
      }
      open.delete(roundId)
    }
    const [{ packs, released } = {}] = await ground.query(COUNTS)
    const counts = `${Number(packs)} packs of ${Number(released)} rounds`
    if (Number(packs) !== Number(released)) fault(counts)
  }

  const killOnce = async (): Promise<void> => {
    const dueAt = await schedule()
    const { child, readyAt } = await start()
    await pause(Math.max(0, dueAt - Date.now()) + randomInt(2 * SPREAD_MS))
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    const killedAt = Date.now()
    await gone
    count.kills += 1
    await judge(ground.hasSurvivor ? null : readyAt)
    if ([...open.values()].some(({ releaseAt }) => releaseAt <= killedAt)) count.interrupted += 1
  }

  for (let cycle = 0; cycle < kills; cycle += 1) {
    await killOnce()
    onCycle(count)
  }
  const { child, readyAt } = await start()
  for (let waited = 0; open.size > 0 && waited < PATIENCE_MS; waited += 50) {
    await pause(50)
    await judge(ground.hasSurvivor ? null : readyAt)
  }
  for (const { roundId } of open.values()) fault(`${roundId} was never released`)
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
  return count
}
