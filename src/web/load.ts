import { useCallback, useEffect, useState } from 'preact/hooks'
import { readFailure, unreachable } from './site-failure.ts'

/** What was loaded, and how loading it goes. */
export type Loaded<T> = {
  /** null until something came; stays while it is loaded anew. */
  readonly value: T | null
  /** Why the last try failed; null while it did not. */
  readonly error: unknown
  readonly isLoading: boolean
}

export type Loading<T> = Loaded<T> & {
  readonly reload: () => void
  /** Puts something else in the place of what was loaded, because the site has just said so. */
  readonly change: (change: (value: T) => T) => void
}

/**
 * Loads something when the page opens, and again when `load` is another function or when asked to.
 * What comes late, after something else was asked for, is left out.
 */
export function useLoad<T>(load: (signal: AbortSignal) => Promise<T>): Loading<T> {
  const [state, setState] = useState<Loaded<T>>({ value: null, error: null, isLoading: true })
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    setState(({ value }) => ({ value, error: null, isLoading: true }))
    load(signal).then(
      (value) => signal.aborted || setState({ value, error: null, isLoading: false }),
      (error: unknown) =>
        signal.aborted || setState(({ value }) => ({ value, error, isLoading: false })),
    )
    return () => controller.abort()
  }, [load, turn])
  const reload = useCallback(() => setTurn((before) => before + 1), [])
  const change = useCallback(
    (by: (value: T) => T) =>
      setState((before) =>
        before.value === null ? before : { ...before, value: by(before.value) },
      ),
    [],
  )
  return { ...state, reload, change }
}

/**
 * Reads a file of the site that is no endpoint of the session's.
 *
 * @throws CallFailure with a sentence for people.
 */
export async function loadJson<T>(path: string, signal: AbortSignal): Promise<T> {
  const response = await fetch(path, { signal }).catch((error: unknown) => {
    throw signal.aborted ? error : unreachable()
  })
  if (!response.ok) throw await readFailure(response)
  return (await response.json()) as T
}
