import { PlatformError } from '../domain/platform.ts'
import { waitAfter } from '../domain/stats.ts'
import { RecentFailures } from '../operations/beatmaps.ts'
import { computeDueStats, type StatsPorts } from '../operations/stats.ts'
import type { Ports } from '../ports/ports.ts'
import type { DuePack } from '../ports/stats.ts'
import { type Loop, startLoop, type WorkerLog } from './loop.ts'

type StatsRunPorts = StatsPorts & Pick<Ports, 'callBudget'>

/** What other processes save is found this often. */
const POLL_INTERVAL_MS = 1_000
/** Packs that are saved within this time share a round: one commit then serves them all. */
const BATCH_MS = 100

/**
 * Computes the stats of due packs until it is stopped: then no further call begins, and what is under
 * way is finished or left to its lease. `wake` reports that a pack has been saved.
 */
export function startStatsLoop(ports: StatsRunPorts, log: WorkerLog): Loop {
  const { statsWork, clock } = ports
  const run = createStatsRun(ports, log)

  return startLoop({
    work: async (signal) => {
      const dueAt = (await statsWork.nextDueAt(clock.now())) ?? Infinity
      const wait = dueAt - clock.now()
      if (wait > 0) return Math.min(wait, POLL_INTERVAL_MS)
      const taken = await run(signal)
      if (taken === 0) return POLL_INTERVAL_MS
      return taken < PACKS ? BATCH_MS : 0
    },
    batchMs: BATCH_MS,
    backOff: { firstMs: 1_000, longestMs: 30_000 },
    log,
    failure: { message: 'computing stats failed' },
  })
}

/** The packs and the tournaments, which release packs, calling `wake` whenever one was saved. */
export function wakeOnSave<P extends Pick<Ports, 'packs' | 'tournaments'>>(
  ports: P,
  wake: () => void,
): P {
  const { packs, tournaments } = ports
  const woken = async <T>(saving: Promise<T>): Promise<T> => {
    const saved = await saving
    wake()
    return saved
  }
  return {
    ...ports,
    packs: {
      ...packs,
      create: (...args) => woken(packs.create(...args)),
      replace: (...args) => woken(packs.replace(...args)),
    },
    tournaments: {
      ...tournaments,
      changeWithPacks: (...args) => woken(tournaments.changeWithPacks(...args)),
    },
  }
}

/** Longer than any round; a process that is killed keeps its packs from the others for so long. */
const LEASE_MS = 60_000
/** No call begins later in a round. */
const CALLS_MS = 20_000
/** So few that a request never waits long for them. */
const PACKS = 10
const BEATMAP_CALLS = 8
const RATING_CALLS = 4
/** Calls that only packs without stats may use: a new pack must not wait for the ratings of others. */
const SPARE_CALLS = 6
const WARN_EACH_MS = 60_000

/**
 * Returns a round of the worker, which resolves to how many due packs it took. Packs without stats
 * get theirs before a call is spent on any rating. After `signal` is aborted, no call begins.
 */
export function createStatsRun(ports: StatsRunPorts, log: WorkerLog) {
  const { statsWork, clock } = ports
  const platformWithin = boundedPlatform(ports)
  const failures = new RecentFailures()
  const spreader = new RetrySpreader()
  let warnedAt = -Infinity

  return async (signal?: AbortSignal): Promise<number> => {
    const now = clock.now()
    const mayBegin = () => signal?.aborted !== true && clock.now() < now + CALLS_MS
    const due = await statsWork.takeDue(now, now + LEASE_MS, PACKS)
    const { first = [], later = [] } = Object.groupBy(due, ({ pack }) =>
      pack.stats === null ? 'first' : 'later',
    )
    await workApart(first, true, mayBegin)
    await workApart(later, false, mayBegin)
    return due.length
  }

  /** A failure that no rule foresees about one pack must not keep the others from their stats. */
  async function workApart(
    due: readonly DuePack[],
    isFirst: boolean,
    mayBegin: () => boolean,
  ): Promise<void> {
    const [one, ...others] = due
    if (one === undefined) return
    try {
      await work(due, isFirst, mayBegin)
    } catch (error) {
      if (others.length === 0) await setAside(one, error)
      else for (const each of due) await workApart([each], isFirst, mayBegin)
    }
  }

  async function work(due: readonly DuePack[], isFirst: boolean, mayBegin: () => boolean) {
    const platform = platformWithin(isFirst ? 0 : SPARE_CALLS, mayBegin)
    const error = await computeDueStats({ ...ports, platform }, due, {
      beatmapCalls: BEATMAP_CALLS,
      ratingCalls: isFirst ? 0 : RATING_CALLS,
      spreadRetry: (retryAt) => (isFirst ? retryAt : spreader.place(retryAt, clock.now())),
      failures,
    })
    if (error === null || clock.now() - warnedAt < WARN_EACH_MS) return
    warnedAt = clock.now()
    log.warn({ reason: error.message }, 'the platform does not answer; stats are tried again')
  }

  async function setAside(due: DuePack, error: unknown): Promise<void> {
    const { pack, attempt } = due
    const wait = waitAfter(attempt)
    const dueAt = wait === null ? null : clock.now() + wait
    await statsWork.finish(due, { stats: null, dueAt, attempts: attempt })
    log.error({ err: error, slug: pack.slug, attempt }, 'the stats of a pack cannot be computed')
  }
}

/**
 * The platform for one round of work. A call that begins when it may not, or does not leave `spare`
 * calls in the budget, is not made and throws `PlatformError`.
 */
function boundedPlatform({ platform, callBudget, clock }: StatsRunPorts) {
  // Each kind has its own: when ratings are down, beatmaps still come.
  const beatmaps = circuitBreaker(clock)
  const ratings = circuitBreaker(clock)

  return (spare: number, mayBegin: () => boolean): StatsPorts['platform'] => {
    const check = async (): Promise<void> => {
      const now = clock.now()
      if (!mayBegin()) throw new PlatformError('no time is left for calls', now, 'unasked')
      const leave = spare > 0 ? await callBudget.look(spare, now) : null
      if (leave?.granted === false) {
        const { reason, trouble } = leave.pausedBy ?? keptForNewPacks
        throw new PlatformError(reason, leave.retryAt, trouble)
      }
    }
    return {
      async readBeatmaps(...question) {
        await check()
        return beatmaps(() => platform.readBeatmaps(...question))
      },
      async readRating(...question) {
        await check()
        return ratings(() => platform.readRating(...question))
      },
    }
  }
}

const keptForNewPacks = {
  trouble: 'unasked',
  reason: 'the calls left are kept for new packs',
} as const

const FAILURES_IN_A_ROW = 5
const OPEN_MS = 15_000

/** Makes no call for a while after several failed: packs that need none would have to wait. */
function circuitBreaker(clock: Ports['clock']): <T>(call: () => Promise<T>) => Promise<T> {
  let failures = 0
  let openUntil = 0
  return async (call) => {
    const wait = openUntil - clock.now()
    // A longer wait was begun by a clock that has been put right since (D-53).
    if (wait > 0 && wait <= OPEN_MS) throw new PlatformError('it has not answered of late')
    try {
      const answer = await call()
      failures = 0
      return answer
    } catch (error) {
      if (error instanceof PlatformError && error.retryAt === null) failures += 1
      if (failures >= FAILURES_IN_A_ROW) openUntil = clock.now() + OPEN_MS
      throw error
    }
  }
}

/** A call each 1.8 s is what the budget leaves for packs that have stats. */
const GAP_MS = 1_800
const LONGEST_MS = 600_000

/** Spreads packs that wait for one moment: thousands would find the calls taken by the first. */
export class RetrySpreader {
  #opensAt = 0
  #length = 0

  /** When the next one comes back that has to wait until `retryAt`; all times in ms since the epoch. */
  place(retryAt: number, now: number): number {
    // What opens much later was begun by a clock that has been put right since (D-53).
    if (now >= this.#opensAt || this.#opensAt > retryAt + LONGEST_MS) {
      this.#opensAt = retryAt
      this.#length = 0
    }
    const place = Math.min(this.#length * GAP_MS, LONGEST_MS)
    this.#length += 1
    return retryAt + place
  }
}
