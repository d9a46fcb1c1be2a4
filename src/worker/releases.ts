import { releaseDue } from '../operations/releases.ts'
import type { TournamentPorts } from '../operations/tournaments.ts'
import { type Loop, startLoop, type WorkerLog } from './loop.ts'

/** What other processes schedule is found this often. */
const LOOK_EACH_MS = 1_000
/** Rounds that are released before the next look. */
const PORTION = 50
/** A round that cannot be released is tried again so late at first, then twice as late each time. */
const FIRST_RETRY_MS = 1_000
const LONGEST_RETRY_MS = 60_000

type Failure = { readonly count: number; readonly retryAt: number }

/**
 * Releases rounds when their time has come (D-63), until it is stopped. Any number of processes may do this at
 * once. A round that fails keeps no other from its release.
 */
export function startReleaseLoop(ports: TournamentPorts, log: WorkerLog): Loop {
  const { tournaments, clock } = ports
  const failures = new Map<string, Failure>()

  /** A wait that is longer than any was begun by a clock that has been put right since (D-53). */
  function mustWait(key: string): boolean {
    const wait = (failures.get(key)?.retryAt ?? 0) - clock.now()
    return wait > 0 && wait <= LONGEST_RETRY_MS
  }

  function noteFailure(key: string, round: object, error: unknown): void {
    const count = (failures.get(key)?.count ?? 0) + 1
    const wait = Math.min(FIRST_RETRY_MS * 2 ** (count - 1), LONGEST_RETRY_MS)
    failures.set(key, { count, retryAt: clock.now() + wait })
    log.error({ err: error, ...round, attempt: count }, 'a round cannot be released')
  }

  return startLoop({
    work: async (signal) => {
      // Those that wait come first: there must be room for others after them.
      const { rounds, nextInMs } = await tournaments.due(clock.now(), PORTION + failures.size)
      const due = new Map(rounds.map((round) => [`${round.slug} ${round.roundId}`, round]))
      for (const key of failures.keys()) if (!due.has(key)) failures.delete(key)
      let isAnyReleased = false
      for (const [key, round] of due) {
        if (signal.aborted) break
        if (mustWait(key)) continue
        try {
          if (await releaseDue(ports, round)) isAnyReleased = true
          failures.delete(key)
        } catch (error) {
          noteFailure(key, round, error)
        }
      }
      // Releasing takes time: the next one may be due by now.
      return isAnyReleased ? 0 : Math.min(nextInMs ?? Infinity, LOOK_EACH_MS)
    },
    backOff: { firstMs: LOOK_EACH_MS, longestMs: LOOK_EACH_MS },
    log,
    failure: { message: 'due releases cannot be found' },
  })
}
