import { waitAfter } from '../domain/stats.ts'
import { RecentTroubles } from '../operations/beatmaps.ts'
import { computeDueStats, type StatsPorts } from '../operations/stats.ts'
import type { DuePack } from '../ports/stats.ts'
import { guardPlatform, type GuardPorts } from './guard-platform.ts'
import { WaitingLine } from './waiting-line.ts'
import type { WorkerLog } from './worker-log.ts'

export type StatsTurnPorts = StatsPorts & GuardPorts

/** Longer than any turn; a process that is killed keeps its packs from the others for so long. */
const LEASE_MS = 60_000
/** No call begins later in a turn. */
const CALLS_MS = 20_000
/** So few that a request never waits long behind them. */
const PACKS = 5
const BEATMAP_CALLS = 8
const RATING_CALLS = 4
/** Calls that only packs without stats may use: a new pack must not wait for the ratings of others. */
const SPARE_CALLS = 6
const WARN_EACH_MS = 60_000

/**
 * Gives the worker's turn: it takes due packs, works on them for one round, and tells how many it
 * took. Packs without stats go first, and get theirs before a call is spent on any rating.
 *
 * @param mayCall false from when on calls to the platform are no longer begun.
 */
export const createStatsTurn = (
  ports: StatsTurnPorts,
  log: WorkerLog,
  mayCall: () => boolean = () => true,
): (() => Promise<number>) => {
  const { statsWork, clock } = ports
  const guard = guardPlatform(ports)
  const troubles = new RecentTroubles()
  const line = new WaitingLine()
  let warnedAt = -Infinity

  const work = async (due: readonly DuePack[], isFirst: boolean, end: number): Promise<void> => {
    const mayBegin = () => mayCall() && clock.now() < end
    const platform = guard({ spare: isFirst ? 0 : SPARE_CALLS, mayBegin })
    const trouble = await computeDueStats({ ...ports, platform }, due, {
      beatmapCalls: BEATMAP_CALLS,
      ratingCalls: isFirst ? 0 : RATING_CALLS,
      placeInLine: (retryAt) => (isFirst ? retryAt : line.join(retryAt, clock.now())),
      troubles,
    })
    if (trouble === null || clock.now() - warnedAt < WARN_EACH_MS) return
    warnedAt = clock.now()
    log.warn({ reason: trouble.message }, 'the platform does not answer; stats are tried again')
  }

  /** What no rule foresees about one pack must not keep the others from their stats. */
  const workApart = async (due: readonly DuePack[], isFirst: boolean, end: number) => {
    const [one, ...others] = due
    if (one === undefined) return
    try {
      await work(due, isFirst, end)
    } catch (error) {
      if (others.length === 0) await setAside(one, error)
      else for (const each of due) await workApart([each], isFirst, end)
    }
  }

  const setAside = async (due: DuePack, error: unknown): Promise<void> => {
    const { pack, attempt } = due
    const wait = waitAfter(attempt)
    const dueAt = wait === null ? null : clock.now() + wait
    await statsWork.settle(due, { stats: null, dueAt, attempts: attempt })
    log.error({ err: error, slug: pack.slug, attempt }, 'the stats of a pack cannot be computed')
  }

  return async () => {
    const now = clock.now()
    const due = await statsWork.takeDue(now, now + LEASE_MS, PACKS)
    const isFirst = ({ pack }: DuePack) => pack.stats === null
    await workApart(due.filter(isFirst), true, now + CALLS_MS)
    await workApart(
      due.filter((each) => !isFirst(each)),
      false,
      now + CALLS_MS,
    )
    return due.length
  }
}
