import { setImmediate as otherWork } from 'node:timers/promises'

type Log = (details: object, message: string) => void
export type WorkerLog = { readonly warn: Log; readonly error: Log }

type LoopOptions = {
  /**
   * One round of work. Resolves to the ms until the next: 0 as soon as other work has run, Infinity
   * when the loop is woken. It ends soon after `signal` is aborted.
   */
  readonly work: (signal: AbortSignal) => Promise<number>
  /** From `wake` to the round that it begins, ms: calls within that time share it. Left out: 0. */
  readonly batchMs?: number
  /** How long to wait after a failure, ms: twice as long after each one in a row. */
  readonly backOff: { readonly firstMs: number; readonly longestMs: number }
  /** Gets what `work` throws, with this message and these details. */
  readonly log: WorkerLog
  readonly failure: { readonly message: string; readonly details?: object }
}

export type Loop = {
  /** Begins the next round soon, or once the present one is over; never before a back-off ends. */
  readonly wake: () => void
  readonly ended: Promise<void>
  /** Ends the loop: waits for the present round, but not for long. */
  readonly stop: () => Promise<void>
}

/** Repeats a kind of work until it is stopped. What fails is logged and tried again. */
export function startLoop({ work, batchMs = 0, backOff, log, failure }: LoopOptions): Loop {
  const stopping = new AbortController()
  const { signal } = stopping
  let failures = 0
  let isWoken = false
  let isWakeable = false
  let endSleep = () => {}

  async function sleep(ms: number, wakeable = false): Promise<void> {
    if (signal.aborted) return
    isWakeable = wakeable
    await new Promise<void>((resolve) => {
      const timer = ms === Infinity ? undefined : setTimeout(resolve, ms)
      endSleep = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    isWakeable = false
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      isWoken = false
      try {
        const pause = await work(signal)
        failures = 0
        if (pause === 0) {
          await otherWork()
          continue
        }
        if (!isWoken) await sleep(pause, true)
        if (isWoken && batchMs > 0) await sleep(batchMs)
      } catch (error) {
        if (signal.aborted) return
        log.error({ err: error, ...failure.details }, failure.message)
        failures += 1
        await sleep(Math.min(backOff.firstMs * 2 ** (failures - 1), backOff.longestMs))
      }
    }
  }
  const ended = run()

  return {
    wake: () => {
      isWoken = true
      if (isWakeable) endSleep()
    },
    ended,
    stop: async () => {
      stopping.abort()
      endSleep()
      await withinStopTime(ended)
    },
  }
}

/** Waits at most 5 s: a call or a disk that hangs must not hold up the end of the process. */
export async function withinStopTime(ending: Promise<unknown>): Promise<void> {
  const limit = new Promise((resolve) => setTimeout(resolve, 5_000).unref())
  await Promise.race([ending, limit])
}
