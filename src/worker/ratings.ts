import { type ComparePorts, compareRatings } from '../operations/ratings.ts'
import type { Ports } from '../ports/ports.ts'
import { type Loop, startLoop, type WorkerLog } from './loop.ts'

type RatingRunPorts = ComparePorts & Pick<Ports, 'statsWork'>

const POLL_INTERVAL_MS = 10_000
/** Packs that are made due in one look, more than calls are allowed for. */
const AT_ONCE = 10
/** No more are made due while so many are due soon: so the newest come first, and those that are saved meanwhile. */
const MOST_DUE = 10
const SOON_MS = 600_000

/**
 * Keeps ratings as the platform has them, until it is stopped: compares some of them each day (D-95), asks again for
 * what the platform did not have (D-93), and recomputes packs a few at a time. Any number of processes may do this at
 * once.
 */
export function startRatingLoop(ports: RatingRunPorts, log: WorkerLog): Loop {
  const run = createRatingRun(ports, log)
  return startLoop({
    work: async () => {
      await run()
      return POLL_INTERVAL_MS
    },
    backOff: { firstMs: POLL_INTERVAL_MS, longestMs: 300_000 },
    log,
    failure: { message: 'ratings are not compared or renewed' },
  })
}

/** Returns one look: what is due of the above. */
export function createRatingRun(ports: RatingRunPorts, log: WorkerLog): () => Promise<void> {
  const { statsWork, clock } = ports
  return async () => {
    const changes = await compareRatings(ports)
    if (changes.length > 0) {
      log.warn({ changes }, 'the platform has changed its ratings: all packs are recomputed')
    }
    await statsWork.askAgain(clock.now(), AT_ONCE)
    const now = clock.now()
    const { length } = await statsWork.backlog(now, SOON_MS)
    if (length < MOST_DUE) await statsWork.markNext(now, AT_ONCE)
  }
}
