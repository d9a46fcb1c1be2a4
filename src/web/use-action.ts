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
export const useAction = (): Action => {
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
