/** One signal out of several. */
export type JoinedSignal = {
  readonly signal: AbortSignal
  /** Aborts it alone. */
  readonly abort: (reason: unknown) => void
  /** Lets go of the others; without it those that live long would collect listeners. */
  readonly release: () => void
}

/** A signal that is aborted with the first of these. `AbortSignal.any` is missing in early Node 20. */
export const joinSignals = (signals: readonly (AbortSignal | undefined)[]): JoinedSignal => {
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
    release: () => {
      for (const release of releases) release()
    },
  }
}
