export type ClientTime = {
  /** Monotonic, in ms. */
  readonly now: () => number
  /** Calls `work` after so many ms; returns a function that cancels it. */
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
export function sleep(time: ClientTime, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const cancel = time.after(ms, () => {
      signal.removeEventListener('abort', giveUp)
      resolve()
    })
    const giveUp = (): void => {
      cancel()
      reject(signal.reason)
    }
    signal.addEventListener('abort', giveUp, { once: true })
  })
}

/** Calls `work` with a signal that joins these. Early Node 20 has no `AbortSignal.any`. */
export async function withSignals<T>(
  signals: readonly (AbortSignal | undefined)[],
  work: (signal: AbortSignal, abort: (reason: unknown) => void) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const abort = (reason: unknown): void => controller.abort(reason)
  const releases = signals.map((signal) => {
    const pass = (): void => abort(signal?.reason)
    if (signal?.aborted) pass()
    else signal?.addEventListener('abort', pass, { once: true })
    return () => signal?.removeEventListener('abort', pass)
  })
  try {
    return await work(controller.signal, abort)
  } finally {
    for (const release of releases) release()
  }
}

/** Calls `work` with a signal that is aborted with this one, or after so many ms. */
export function withTimeout<T>(
  time: ClientTime,
  ms: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return withSignals([signal], async (joined, abort) => {
    const cancel = time.after(ms, () => abort(undefined))
    try {
      return await work(joined)
    } finally {
      cancel()
    }
  })
}
