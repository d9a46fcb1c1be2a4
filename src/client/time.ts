/** The time and its passing, as far as a client needs them. */
export type ClientTime = {
  /** ms on a scale that never goes back. */
  readonly now: () => number
  /** Runs `work` after so many ms, unless the function that it gives is called before. */
  readonly after: (ms: number, work: () => void) => () => void
}

export const realTime: ClientTime = {
  now: () => performance.now(),
  after(ms, work) {
    const timer = setTimeout(work, ms)
    return () => clearTimeout(timer)
  },
}

/** Waits so many ms; throws the signal's reason as soon as it is aborted. */
export const sleep = (time: ClientTime, ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const wake = (): void => {
      signal.removeEventListener('abort', giveUp)
      resolve()
    }
    const cancel = time.after(ms, wake)
    const giveUp = (): void => {
      cancel()
      reject(signal.reason)
    }
    signal.addEventListener('abort', giveUp, { once: true })
  })

/** One signal out of several. */
export type JoinedSignal = {
  readonly signal: AbortSignal
  /** Aborts it alone. */
  readonly abort: (reason: unknown) => void
  /** Lets go of the others; without it those that live long would collect listeners. */
  readonly release: () => void
}

/** A signal that is aborted with the first of these. `AbortSignal.any` is missing in early Node 20. */
export function joinSignals(signals: readonly (AbortSignal | undefined)[]): JoinedSignal {
  const controller = new AbortController()
  const releases = signals.flatMap((signal) => {
    if (signal === undefined) return []
    const pass = (): void => controller.abort(signal.reason)
    if (signal.aborted) pass()
    else signal.addEventListener('abort', pass, { once: true })
    return [() => signal.removeEventListener('abort', pass)]
  })
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    release: () => releases.forEach((release) => release()),
  }
}
