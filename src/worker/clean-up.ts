import { setImmediate as otherWork } from 'node:timers/promises'
import { CHANGE_DAYS, DELETED_ROUND_DAYS } from '../contract/bounds.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../contract/quotas.ts'
import type { SuspensionStore } from '../ports/accounts.ts'
import type { AnnouncementStore } from '../ports/announcements.ts'
import type { BeatmapCache } from '../ports/beatmaps.ts'
import type { ChangeFeed, TournamentFeed } from '../ports/changes.ts'
import type { CurrentOperatorState, StoreCare } from '../ports/store.ts'
import type { Ports } from '../ports/ports.ts'
import type { TournamentStore } from '../ports/tournaments.ts'
import { type Loop, startLoop, type WorkerLog } from './loop.ts'

/** What is in use is read again each day; a rating, each month, or where there is none each week. */
const KEPT_MS = 90 * DAY_MS
/** That there is no such beatmap is read again after a day, and every client may ask for any. */
const MISSING_KEPT_MS = 2 * DAY_MS
/** Longer than anything is tried to be sent (D-99). */
const DELETIONS_KEPT_MS = 4 * DAY_MS

type CleanUpPorts = Pick<Ports, 'clock'> & {
  care: Pick<StoreCare, 'timeOf'>
  suspensions: Pick<SuspensionStore, 'finishSuspensions'>
  beatmapCache: Pick<BeatmapCache, 'forget'>
  changes: Pick<ChangeFeed, 'forget'>
  tournamentChanges: Pick<TournamentFeed, 'forget'>
  tournaments: Pick<TournamentStore, 'forgetDeletedRounds'>
  announcements: Pick<AnnouncementStore, 'forgetDeletions'>
}

/**
 * Deletes, each hour, facts from the platform that have not been requested in a long time, entries of the
 * feeds of changes that are too old to be served (D-73, D-89), rounds that were deleted 30 days ago (D-82), and what announces
 * deletions where nothing is sent (D-97); and finishes suspensions that were broken off (D-76).
 * While the operator lets nothing be changed, it waits. All by the clock that the processes share: one with a wrong clock
 * must not delete what others would still restore.
 */
export function startCleanUp(
  ports: CleanUpPorts,
  operator: CurrentOperatorState,
  log: WorkerLog,
): Loop {
  const {
    suspensions,
    beatmapCache,
    changes,
    tournamentChanges,
    tournaments,
    announcements,
    clock,
    care,
  } = ports
  return startLoop({
    work: async (signal) => {
      if (operator.current.readOnly !== null) return MINUTE_MS
      const now = await care.timeOf(clock.now())
      const tasks = [
        () => suspensions.finishSuspensions(),
        () => changes.forget(now - CHANGE_DAYS * DAY_MS),
        () => tournamentChanges.forget(now - CHANGE_DAYS * DAY_MS),
        () => tournaments.forgetDeletedRounds(now - DELETED_ROUND_DAYS * DAY_MS),
        () => announcements.forgetDeletions(now - DELETIONS_KEPT_MS),
        () => beatmapCache.forget(now - KEPT_MS, now - MISSING_KEPT_MS),
      ]
      for (const task of tasks) {
        while (!signal.aborted && (await task())) await otherWork()
      }
      return HOUR_MS
    },
    backOff: { firstMs: HOUR_MS, longestMs: HOUR_MS },
    log,
    failure: { message: 'old beatmaps, changes and rounds are not deleted' },
  })
}
