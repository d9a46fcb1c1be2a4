import { setTimeout as sleep } from 'node:timers/promises'

/** Waits; throws the signal's reason as soon as it is aborted. */
export const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  try {
    await sleep(ms, undefined, { signal })
  } catch {
    signal.throwIfAborted()
  }
}
