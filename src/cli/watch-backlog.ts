import type { StatsBacklog } from '../ports/stats.ts'

/** How watching ended: nothing is left; what is left waits for the platform; nobody works. */
export type WatchEnd = 'done' | 'waiting' | 'nobody'

export type Watch = {
  readonly read: () => Promise<StatsBacklog>
  /** How many packs there were at first. */
  readonly packs: number
  /** Takes the line to show now. */
  readonly show: (line: string) => void
  /** Waits a second. */
  readonly second: () => Promise<void>
}

/** A server at work takes something due at least so often, even if the platform hangs. */
const NOBODY_SECONDS = 45
/** With so much patience for calls that come again each minute, the rest is not worth waiting for. */
const WAITING_SECONDS = 300

/** Shows how the work on many packs goes on, until it is done or does not go on. */
export const watchBacklog = async ({ read, packs, show, second }: Watch): Promise<WatchEnd> => {
  let lastTotal = Infinity
  let lastDue = Infinity
  let sameTotal = 0
  let sameDue = 0
  for (;;) {
    const { total, length } = await read()
    show(`${Math.max(0, packs - total)} of ${packs} packs computed`)
    if (total === 0) return 'done'
    sameTotal = total === lastTotal ? sameTotal + 1 : 0
    sameDue = length > 0 && length >= lastDue && total >= lastTotal ? sameDue + 1 : 0
    if (sameDue >= NOBODY_SECONDS) return 'nobody'
    if (sameTotal >= WAITING_SECONDS) return 'waiting'
    lastTotal = total
    lastDue = length
    await second()
  }
}
