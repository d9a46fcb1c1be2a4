import {
  type Attempt,
  LEASE_MS,
  type PublicSites,
  sendLeased,
  type SendingPorts,
} from '../operations/announcement-sending.ts'
import type { LeasedAnnouncement } from '../ports/announcements.ts'
import type { CurrentOperatorState } from '../ports/store.ts'
import { type Loop, startLoop, withinStopTime, type WorkerLog } from './loop.ts'

/** What other processes announce is found this often. */
const POLL_INTERVAL_MS = 1_000
/** Channels that are sent to at once: that many may be slow before others wait for them. */
const AT_ONCE = 32

type AnnouncementLoopParts = {
  readonly operator: CurrentOperatorState
  readonly sites: PublicSites
  readonly log: WorkerLog
  /** Is called after each attempt. */
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined
}

/**
 * Sends what is announced to the channels of tournaments (D-97), until it is stopped. Any number of processes may do
 * this at once. A channel that answers slowly holds up no other. While the operator lets nothing be changed, it waits: what
 * is sent must be noted.
 */
export function startAnnouncementLoop(
  ports: SendingPorts,
  { operator, sites, log, onAttempt = () => {} }: AnnouncementLoopParts,
): Loop {
  const { announcements, clock } = ports
  const sending = new Set<Promise<void>>()

  async function send(taken: LeasedAnnouncement): Promise<void> {
    const { slug, id } = taken
    try {
      const attempt = await sendLeased(ports, taken, sites)
      onAttempt(attempt)
      const { answer, end, off } = attempt
      const { status, code } = end.refusal ?? {}
      const reason = answer !== null && 'reason' in answer ? answer.reason : undefined
      if (end.kind === 'failed' || end.kind === 'gone' || end.kind === 'given-up') {
        const problem = end.kind === 'gone' ? end.kind : end.problem
        log.warn({ slug, id, problem, reason, status, code }, 'an announcement was not sent')
      }
      if (off !== null) log.warn({ slug, off }, 'announcements of a tournament are switched off')
    } catch (error) {
      // Its lease ends by itself.
      log.error({ err: error, slug, id }, 'an announcement cannot be sent')
    }
  }

  function begin(taken: LeasedAnnouncement): void {
    const sent = send(taken).finally(() => {
      sending.delete(sent)
      // There is room for another one, perhaps the next of the same channel.
      loop.wake()
    })
    sending.add(sent)
  }

  const loop = startLoop({
    work: async () => {
      if (operator.current.readOnly !== null || sending.size >= AT_ONCE) return POLL_INTERVAL_MS
      const taken = await announcements.take(clock.now(), LEASE_MS, AT_ONCE - sending.size)
      for (const each of taken) begin(each)
      return POLL_INTERVAL_MS
    },
    backOff: { firstMs: POLL_INTERVAL_MS, longestMs: POLL_INTERVAL_MS },
    log,
    failure: { message: 'announcements that are due cannot be found' },
  })
  const whole = async (): Promise<void> => {
    await loop.ended
    await Promise.all(sending)
  }
  const ended = whole()
  return {
    wake: loop.wake,
    ended,
    stop: async () => {
      const stopped = loop.stop()
      await withinStopTime(ended)
      await stopped
    },
  }
}
