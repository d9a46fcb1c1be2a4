import { useRef, useState } from 'preact/hooks'

/** Does some work, and what has to be done where it fails. */
type Through = (work: () => Promise<void>) => Promise<void>

/** Runs what a press starts; does nothing while busy. `error` is null unless the last run failed. */
export function useAction(through: Through = (work) => work()) {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const isRunning = useRef(false)
  const finish = (failure: unknown): void => {
    isRunning.current = false
    setBusy(false)
    setError(failure)
  }
  const run = (work: () => Promise<void>): void => {
    if (isRunning.current) return
    isRunning.current = true
    setBusy(true)
    setError(null)
    through(work).then(() => finish(null), finish)
  }
  return { isBusy, error, run, clear: () => setError(null) }
}

/** An action that a dialog confirms first; `asked` is what the dialog is about, null while closed. */
export function useAskedAction<T>(through?: Through) {
  const [asked, setAsked] = useState<T | null>(null)
  const { clear, ...action } = useAction(through)
  const ask = (about: T | null): void => {
    clear()
    setAsked(about)
  }
  return { ...action, asked, ask, close: () => ask(null) }
}

export type AskedAction<T> = ReturnType<typeof useAskedAction<T>>
