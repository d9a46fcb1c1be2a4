import { useRef, useState } from 'preact/hooks'

/** Something that a press sets off and that takes a while. */
export type Action = {
  readonly isBusy: boolean
  /** Why it did not succeed the last time; null when it did, or was not tried. */
  readonly error: unknown
  /** Does it, unless it is being done. Gives whether it succeeded. */
  readonly run: (work: () => Promise<void>) => Promise<boolean>
  /** Forgets the error. */
  readonly clear: () => void
}

/** Keeps track of work that can fail, one piece at a time. */
export function useAction(): Action {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const isRunning = useRef(false)
  const run = async (work: () => Promise<void>): Promise<boolean> => {
    if (isRunning.current) return false
    isRunning.current = true
    setBusy(true)
    setError(null)
    try {
      await work()
      return true
    } catch (failure) {
      setError(failure)
      return false
    } finally {
      isRunning.current = false
      setBusy(false)
    }
  }
  return { isBusy, error, run, clear: () => setError(null) }
}

/** An action that a dialog asks about first. */
export type AskedAction<T> = Action & {
  /** What the dialog is about; null while nothing is asked. */
  readonly asked: T | null
  /** Opens the dialog, without the last error. */
  readonly ask: (about: T) => void
  /** Closes the dialog. */
  readonly close: () => void
}

export function useAskedAction<T>(): AskedAction<T> {
  const [asked, setAsked] = useState<T | null>(null)
  const action = useAction()
  const show = (about: T | null): void => {
    action.clear()
    setAsked(about)
  }
  return { ...action, asked, ask: show, close: () => show(null) }
}
