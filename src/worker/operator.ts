import type { OperatorWatch } from '../operations/operator.ts'
import { type Loop, startLoop, type WorkerLog } from './loop.ts'

/** What the operator decides holds in every process this soon, and costs each of them one statement as often. */
const POLL_INTERVAL_MS = 1_000

/** Follows what the operator decides, in every process, until it is stopped. */
export function startOperatorLoop(watch: OperatorWatch, log: WorkerLog): Loop {
  return startLoop({
    work: async () => {
      await watch.look()
      return POLL_INTERVAL_MS
    },
    backOff: { firstMs: POLL_INTERVAL_MS, longestMs: POLL_INTERVAL_MS },
    log,
    failure: { message: 'what the operator has decided cannot be read' },
  })
}
