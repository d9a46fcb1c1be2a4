import { PlatformTrouble } from '../../domain/platform.ts'
import { nameOf, type WireCall } from './wire-call.ts'

/** A call that was not made, because the budget had none left for this caller. */
export class BudgetSpent extends PlatformTrouble {
  constructor(call: WireCall, retryAt: number) {
    super(`${nameOf(call)} was not made: the budget of calls is spent or paused`, retryAt, true)
  }
}
