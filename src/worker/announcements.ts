import {
  type Attempt,
  LEASE_MS,
  type PublicSites,
  sendLeased,
  type SendingPorts,
} from '../operations/announcements.ts'
import type { LeasedAnnouncement } from '../ports/announcements.ts'
import type { CurrentOperatorState } from '../ports/store.ts'
import { type Loop, startLoop, type WorkerLog } from './loop.ts'

/** What other processes announce is found this often. */
const LOOK_EACH_MS = 1_000
/** Channels that are sent to at once. */
const AT_ONCE = 8

export type AnnouncementLoopParts = {
  readonly operator: CurrentOperatorState
  readonly sites: PublicSites
  readonly log: WorkerLog
  /** Is called after each attempt. */
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined
}

/**
 * Sends what is announced to the channels of tournaments (D-97), until it is stopped. Any number of processes may do
 * this at once. While the operator lets nothing be changed, it waits: what is sent must be noted.
 */
export function startAnnouncementLoop(
  ports: SendingPorts,
  { operator, sites, log, onAttempt = () => {} }: AnnouncementLoopParts,
): Loop {
  const { announcements, clock } = ports

  async function send(taken: LeasedAnnouncement): Promise<void> {
    const { slug, id } = taken
    try {
      const attempt = await sendLeased(ports, taken, sites)
      onAttempt(attempt)
      const { answer, end, off } = attempt
      const reason = answer?.kind === 'failed' ? answer.reason : undefined
      if (end.kind === 'failed' || end.kind === 'gone' || end.kind === 'given-up') {
        const problem = end.kind === 'gone' ? end.kind : end.problem
        log.warn({ slug, id, problem, reason }, 'an announcement was not sent')
      }
      if (off !== null) log.warn({ slug, off }, 'announcements of a tournament are switched off')
    } catch (error) {
      // Its lease ends by itself.
      log.error({ err: error, slug, id }, 'an announcement cannot be sent')
    }
  }

  return startLoop({
    work: async (signal) => {
      if (operator.current.readOnly !== null) return LOOK_EACH_MS
      const taken = await announcements.take(clock.now(), LEASE_MS, AT_ONCE)
      await Promise.all(taken.map(send))
      return taken.length > 0 && !signal.aborted ? 0 : LOOK_EACH_MS
    },
    backOff: { firstMs: LOOK_EACH_MS, longestMs: LOOK_EACH_MS },
    log,
    failure: { message: 'announcements that are due cannot be found' },
  })
}
