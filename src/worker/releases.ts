import { releaseDue } from '../operations/releases.ts'
import type { TournamentPorts } from '../operations/tournaments.ts'
import type { CurrentOperatorState } from '../ports/store.ts'
import { type Loop, startLoop, type WorkerLog } from './loop.ts'

/** What other processes schedule is found this often. */
const POLL_INTERVAL_MS = 1_000
/** Rounds that are released before the next look. */
const PORTION = 48
/**
 * Rounds that are released at once: those of a tournament in one transaction, and on SQLite all in one commit, which
 * costs as much as the rest of a release. Few enough that requests hardly wait for it.
 */
const AT_ONCE = 12
/** A round that cannot be released is tried again so late at first, then twice as late each time. */
const FIRST_RETRY_MS = 1_000
const LONGEST_RETRY_MS = 60_000

type DueRound = { readonly slug: string; readonly roundId: string }

const keyOf = ({ slug, roundId }: DueRound): string => `${slug} ${roundId}`

type Failure = { readonly count: number; readonly retryAt: number }

/**
 * Releases rounds when their time has come (D-63), until it is stopped. Any number of processes may do this at
 * once. A round that fails keeps no other from its release. While the operator lets nothing be changed, what is due waits.
 */
export function startReleaseLoop(
  ports: TournamentPorts,
  operator: CurrentOperatorState,
  log: WorkerLog,
): Loop {
  const { tournaments, clock } = ports
  const failures = new Map<string, Failure>()

  /** A wait that is longer than any was begun by a clock that has been put right since (D-53). */
  function mustWait(key: string): boolean {
    const wait = (failures.get(key)?.retryAt ?? 0) - clock.now()
    return wait > 0 && wait <= LONGEST_RETRY_MS
  }

  function noteFailure(round: DueRound, error: unknown): void {
    const key = keyOf(round)
    const count = (failures.get(key)?.count ?? 0) + 1
    const wait = Math.min(FIRST_RETRY_MS * 2 ** (count - 1), LONGEST_RETRY_MS)
    failures.set(key, { count, retryAt: clock.now() + wait })
    log.error({ err: error, ...round, attempt: count }, 'a round cannot be released')
  }

  /** Releases rounds of one tournament, each by itself if they cannot be released together; returns whether any was. */
  async function releaseGroup(rounds: readonly DueRound[]): Promise<boolean> {
    const [first, ...others] = rounds
    if (first === undefined) return false
    try {
      const isReleased = await releaseDue(ports, first, ...others)
      for (const round of rounds) failures.delete(keyOf(round))
      return isReleased
    } catch (error) {
      if (others.length === 0) {
        noteFailure(first, error)
        return false
      }
    }
    let isAnyReleased = false
    for (const round of rounds) if (await releaseGroup([round])) isAnyReleased = true
    return isAnyReleased
  }

  return startLoop({
    work: async (signal) => {
      if (operator.current.readOnly !== null) return POLL_INTERVAL_MS
      // Those that wait come first: there must be room for others after them.
      const { rounds, nextInMs } = await tournaments.due(clock.now(), PORTION + failures.size)
      const due = new Map(rounds.map((round) => [keyOf(round), round]))
      for (const key of failures.keys()) if (!due.has(key)) failures.delete(key)
      const left = [...due].filter(([key]) => !mustWait(key)).map(([, round]) => round)
      let isAnyReleased = false
      while (left.length > 0 && !signal.aborted && operator.current.readOnly === null) {
        const groups = Map.groupBy(left.splice(0, AT_ONCE), ({ slug }) => slug)
        const released = await Promise.all([...groups.values()].map(releaseGroup))
        if (released.includes(true)) isAnyReleased = true
      }
      // Releasing takes time: the next one may be due by now.
      return isAnyReleased ? 0 : Math.min(nextInMs ?? Infinity, POLL_INTERVAL_MS)
    },
    backOff: { firstMs: POLL_INTERVAL_MS, longestMs: POLL_INTERVAL_MS },
    log,
    failure: { message: 'due releases cannot be found' },
  })
}
