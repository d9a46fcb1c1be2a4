import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { later } from './browser.ts'
import { whenLost } from './lost-answers.ts'
import { CallFailure, request } from './site-failure.ts'

/** When to read again, after an answer was lost, what cannot be read either. */
const RETRY_MS = 3_000

type Loaded<T> = { value: T | null; error: unknown; isLoading: boolean }

/**
 * Loads when the page opens, when `load` is another function, and on `reload`, which keeps `value`
 * meanwhile, as when an answer to a write is lost. `error` is null unless the last try failed. Outdated responses are ignored. `show` sets what
 * is there already, while more is loaded.
 */
export function useLoad<T>(
  load: (signal: AbortSignal, show: (part: T) => void) => Promise<T>,
  /** Whether the page keeps by itself what was loaded up to date. */
  isOnce = false,
) {
  const [state, setState] = useState<Loaded<T>>({ value: null, error: null, isLoading: true })
  const [tries, setTries] = useState(0)
  useEffect(() => {
    const controller = new AbortController()
    const update = (changes: Partial<Loaded<T>>): void => {
      if (controller.signal.aborted) return
      setState((before) => ({ ...before, error: null, isLoading: false, ...changes }))
    }
    update({ isLoading: true })
    load(controller.signal, (value) => update({ value, isLoading: true })).then(
      (value) => update({ value }),
      (error: unknown) => update({ error }),
    )
    return () => controller.abort()
  }, [load, tries])
  const reload = useCallback(() => setTries((before) => before + 1), [])
  const { error } = state
  const isLost = useRef(false)
  useEffect(() => {
    if (isOnce) return undefined
    return whenLost(() => {
      isLost.current = true
      reload()
    })
  }, [])
  useEffect(() => {
    if (!isLost.current || !(error instanceof CallFailure) || !error.mayPass) return undefined
    return later(RETRY_MS, reload)
  }, [error])
  const change = (by: (value: T) => T): void =>
    setState((before) => (before.value === null ? before : { ...before, value: by(before.value) }))
  return { ...state, reload, change }
}

/** Reads a JSON file of the site; throws a `CallFailure`. */
export async function loadJson<T>(path: string, signal: AbortSignal): Promise<T> {
  const response = await request(path, { signal })
  return (await response.json()) as T
}
