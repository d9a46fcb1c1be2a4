import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import type { KillCount } from './kill-cycles.ts'
import { Ledger } from './kill-cycles-ledger.ts'
import { groundOn } from './kill-cycles-postgres.ts'
import { type Answer, NO_ANSWER, repeatCreation, writePacks } from './kill-cycles-writer.ts'

const PROCESSES = 2
const WRITERS_EACH = 6
/** Writes answered before the crash: it comes after any of these. */
const EARLIEST = 5
const LATEST = 60
/** Writes that each process must answer well behind it. */
const RESUMED = 5
/** PostgreSQL is away for up to so long. */
const LONGEST_AWAY_MS = 1_000
/** A client that was told "try again" does so after this. */
const BREATH_MS = 25
const RESUME_MS = 20_000
const START_ATTEMPTS = 100
/** More accounts than can be used up in a minute. */
const ACCOUNTS = 100

/** A PostgreSQL of one's own. */
type Cluster = { readonly url: string; start(): Promise<void> }

/** What the restarts met besides. */
export type RestartCount = KillCount & {
  /** Requests answered 500 meanwhile. */
  readonly failed: number
  /** The longest that any request took to be answered, ms. */
  readonly slowestMs: number
  /** From PostgreSQL being there again to each process having done writes again, at worst, ms. */
  readonly slowestResumeMs: number
  /** Requests that got no answer at all: there must be none. */
  readonly unanswered: number
}

const postmasterOf = async (url: string): Promise<number> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query("select pg_read_file('postmaster.pid') as text")
    return Number.parseInt(rows[0].text as string, 10)
  } finally {
    await client.end()
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Ends PostgreSQL without letting it finish anything. */
const crash = async (postmaster: number, signal: NodeJS.Signals): Promise<void> => {
  process.kill(postmaster, signal)
  while (isAlive(postmaster)) await pause(BREATH_MS)
}

/** It will not start while processes of the one before are there. */
const startAgain = async (cluster: Cluster): Promise<void> => {
  for (let made = 1; ; made += 1) {
    try {
      return await cluster.start()
    } catch (cause) {
      if (made === START_ATTEMPTS) throw new Error('PostgreSQL does not start', { cause })
    }
    await pause(BREATH_MS)
  }
}

/**
 * Crashes PostgreSQL and starts it again, again and again, while two processes over it write, and
 * compares each time what is kept with what was acknowledged.
 *
 * @param cluster nobody else uses it; its user may read the server's files.
 * @param say hears of each pack that is not as it must be.
 */
export const restartCycles = async (
  cluster: Cluster,
  restarts: number,
  onRestart: (restart: number, count: RestartCount) => void = () => {},
  say: (fault: string) => void = () => {},
): Promise<RestartCount> => {
  const ground = await groundOn(cluster.url)
  const ledger = new Ledger()
  let [lost, failed, unanswered, slowestMs, slowestResumeMs] = [0, 0, 0, 0, 0]
  const count = (): RestartCount => ({
    acknowledged: ledger.acknowledged,
    interrupted: ledger.interrupted,
    lost,
    failed,
    slowestMs,
    slowestResumeMs,
    unanswered,
  })
  const note = ({ status, ms }: Answer): void => {
    slowestMs = Math.max(slowestMs, ms)
    if (status === 500) failed += 1
    if (status === NO_ANSWER) unanswered += 1
  }

  /** One crash under load, and until both processes have written again. */
  const restartOnce = async (ports: readonly number[], nextKey: () => string): Promise<void> => {
    const postmaster = await postmasterOf(cluster.url)
    const wanted = randomInt(EARLIEST, LATEST)
    const writes = { done: 0 }
    let upSince = Infinity
    const doneSince = new Map(ports.map((port) => [port, 0]))
    const hasResumed = () => [...doneSince.values()].every((done) => done >= RESUMED)
    const onAnswer =
      (port: number) =>
      async (answer: Answer): Promise<boolean> => {
        note(answer)
        const isDone = answer.status >= 200 && answer.status < 300
        if (isDone) writes.done += 1
        if (isDone && performance.now() > upSince) {
          doneSince.set(port, (doneSince.get(port) ?? 0) + 1)
        }
        if (hasResumed()) {
          slowestResumeMs = Math.max(slowestResumeMs, performance.now() - upSince)
          return false
        }
        if (performance.now() - upSince > RESUME_MS) throw new Error('service does not resume')
        if (!isDone) await pause(BREATH_MS)
        return true
      }
    const writing = ports.flatMap((port) =>
      Array.from({ length: WRITERS_EACH }, () =>
        writePacks({ port, ledger, nextKey, onAnswer: onAnswer(port) }),
      ),
    )
    const crashing = async (): Promise<void> => {
      while (writes.done < wanted) await pause(1)
      await crash(postmaster, randomInt(2) === 0 ? 'SIGQUIT' : 'SIGKILL')
      await pause(randomInt(LONGEST_AWAY_MS))
      await startAgain(cluster)
      upSince = performance.now()
    }
    await Promise.all([...writing, crashing()])
    for (const [at, creation] of ledger.openCreations().entries()) {
      note(await repeatCreation(ports[at % ports.length]!, ledger, creation))
    }
  }

  try {
    const keys = await ground.newKeys(ACCOUNTS)
    let used = 0
    const nextKey = (): string => keys[used++ % keys.length]!
    const services = []
    for (let each = 0; each < PROCESSES; each += 1) services.push(await ground.startService())
    const ports = services.map(({ port }) => port)
    for (let restart = 1; restart <= restarts; restart += 1) {
      await restartOnce(ports, nextKey)
      const faults = ledger.judge(await ground.readAll(ledger.acknowledged))
      faults.forEach(say)
      lost += faults.length
      onRestart(restart, count())
    }
    await ground.stores.care.check()
    return count()
  } finally {
    await ground.close()
  }
}
