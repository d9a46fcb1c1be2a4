import { useCallback, useState } from 'preact/hooks'

/** How something that the reader asked for goes. */
export type Task = {
  readonly isBusy: boolean
  /** Why it failed the last time; null while it did not. */
  readonly error: unknown
  /** Does it; throws nothing. */
  readonly run: (work: () => Promise<void>) => void
  /** Forgets an error that has been read. */
  readonly clear: () => void
}

const idle = { isBusy: false, error: null }

/** One thing at a time that the reader asks for: it is under way, has failed, or neither. */
export const useTask = (): Task => {
  const [state, setState] = useState<Pick<Task, 'isBusy' | 'error'>>(idle)
  const run = useCallback((work: () => Promise<void>) => {
    setState({ isBusy: true, error: null })
    work().then(
      () => setState(idle),
      (error: unknown) => setState({ isBusy: false, error }),
    )
  }, [])
  const clear = useCallback(() => setState(idle), [])
  return { ...state, run, clear }
}
