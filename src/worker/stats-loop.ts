import { setImmediate as otherWork } from 'node:timers/promises'
import { createStatsTurn, type StatsTurnPorts } from './stats-turn.ts'
import type { WorkerLog } from './worker-log.ts'

export type StatsLoop = {
  /** Says that a pack has been saved: it is looked for at once. */
  readonly wake: () => void
  /** Ends the loop: no call begins any more, and what is under way is finished or left to its lease. */
  readonly stop: () => Promise<void>
}

/** What other processes save is found this often. */
const LOOK_EACH_MS = 1_000
const SHORTEST_BACK_OFF_MS = 1_000
const LONGEST_BACK_OFF_MS = 30_000
/** Calls to the platform that hang must not hold up the end of the process. */
const STOP_MS = 5_000

/** Computes the stats of due packs until it is stopped. Whatever fails is logged and tried again. */
export const startStatsLoop = (ports: StatsTurnPorts, log: WorkerLog): StatsLoop => {
  const { statsWork, clock } = ports
  const stopping = new AbortController()
  let isWoken = false
  let failures = 0
  let endSleep = () => {}
  const turn = createStatsTurn(ports, log, () => !stopping.signal.aborted)

  const sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, stopping.signal.aborted ? 0 : ms)
      endSleep = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  /** How long there is nothing to do, ms. */
  const work = async (): Promise<number> => {
    isWoken = false
    const dueAt = (await statsWork.nextDueAt()) ?? Infinity
    const wait = dueAt - clock.now()
    if (wait > 0) return Math.min(wait, LOOK_EACH_MS)
    return (await turn()) > 0 ? 0 : LOOK_EACH_MS
  }

  const backOff = async (error: unknown): Promise<void> => {
    failures += 1
    log.error({ err: error }, 'computing stats failed')
    await sleep(Math.min(SHORTEST_BACK_OFF_MS * 2 ** (failures - 1), LONGEST_BACK_OFF_MS))
  }

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        const pause = await work()
        failures = 0
        if (pause === 0) await otherWork()
        else if (!isWoken) await sleep(pause)
      } catch (error) {
        if (!stopping.signal.aborted) await backOff(error)
      }
    }
  }
  const ended = run()

  return {
    wake: () => {
      isWoken = true
      if (failures === 0) endSleep()
    },
    stop: async () => {
      stopping.abort()
      endSleep()
      const limit = new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())
      await Promise.race([ended, limit])
    },
  }
}
