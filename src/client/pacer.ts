import type { ClientTime } from './client-time.ts'
import { Gate } from './gate.ts'
import { type Quota, type Quotas, kindOfQuota } from './quota.ts'

/** Holds the calls of one account back so that they meet no 429 (spec 8): a write spends of both quotas. */
export class Pacer {
  readonly #requests: Gate
  readonly #writes: Gate

  /** @param isHolding false only keeps account of the quotas. */
  constructor(time: ClientTime, isHolding: boolean) {
    this.#requests = new Gate(time, isHolding)
    this.#writes = new Gate(time, isHolding)
  }

  /**
   * Waits until a call may go. Throws the signal's reason.
   *
   * @param onWait hears how long it will be at least, in ms, when that is known.
   * @returns to be called when the call is over.
   */
  async enter(
    isWrite: boolean,
    signal: AbortSignal,
    onWait: (ms: number) => void,
  ): Promise<() => void> {
    // Those that wait for a write must not stand in the way of reads.
    const gates = isWrite ? [this.#writes, this.#requests] : [this.#requests]
    const entered: Gate[] = []
    const leave = (): void => {
      for (const gate of entered.splice(0)) gate.leave()
    }
    try {
      for (const gate of gates) {
        await gate.enter(signal, onWait)
        entered.push(gate)
      }
    } catch (reason) {
      leave()
      throw reason
    }
    return leave
  }

  /** An answer has told where a quota stands. */
  learn(quota: Quota, isWrite: boolean): void {
    const kind = kindOfQuota(quota, isWrite)
    if (kind === 'requests') this.#requests.learn(quota)
    if (kind === 'writes') this.#writes.learn(quota)
  }

  quotas(): Quotas {
    return { requests: this.#requests.quota(), writes: this.#writes.quota() }
  }
}
