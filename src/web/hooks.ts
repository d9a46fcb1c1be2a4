import type { RefObject } from 'preact'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { announce } from './parts/toasts.tsx'

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
  /** Opens the dialog without the last error; null closes it. */
  readonly ask: (about: T | null) => void
}

export function useAskedAction<T>(): AskedAction<T> {
  const [asked, setAsked] = useState<T | null>(null)
  const action = useAction()
  const ask = (about: T | null): void => {
    action.clear()
    setAsked(about)
  }
  return { ...action, asked, ask }
}

const CONFIRMED_MS = 2_000

/** Copies a text and says so in these words; `isDone` for a moment after it was copied. */
export function useCopy(
  text: string,
  { done, refused }: { readonly done: string; readonly refused: string },
  onCopied?: () => void,
) {
  const [isDone, setDone] = useState(false)
  useEffect(() => {
    if (!isDone) return undefined
    const timer = setTimeout(() => setDone(false), CONFIRMED_MS)
    return () => clearTimeout(timer)
  }, [isDone])

  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      setDone(true)
      onCopied?.()
      announce(done)
    } catch {
      announce(refused, 'danger')
    }
  }
  return { isDone, copy }
}

/** The page is as narrow as a phone; the same bound as in the style sheets. */
export const NARROW = '(max-width: 759px)'

/** Whether a media query holds, now and when it changes. */
export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const media = matchMedia(query)
    const follow = (): void => setMatches(media.matches)
    follow()
    media.addEventListener('change', follow)
    return () => media.removeEventListener('change', follow)
  }, [query])
  return matches
}

/** How wide an element is, in pixels, before anything is painted and whenever it changes. */
export function useWidth(element: RefObject<Element | null>, before: number): number {
  const [width, setWidth] = useState(before)
  useLayoutEffect(() => {
    const { current } = element
    if (current === null) return undefined
    const measure = (): void => setWidth(current.getBoundingClientRect().width || before)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  return width
}

/** `#` and what follows it in the address, now and when it changes. */
export function useHash(): string {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => listen({ hashchange: () => setHash(location.hash) }), [])
  return hash
}

type Events = WindowEventMap & Pick<DocumentEventMap, 'visibilitychange'>

/** Hears of what reaches the window until the function that it returns is called. */
export function listen(handlers: {
  readonly [E in keyof Events]?: (event: Events[E]) => void
}): () => void {
  const closing = new AbortController()
  for (const [type, handler] of Object.entries(handlers)) {
    addEventListener(type, handler as EventListener, { signal: closing.signal })
  }
  return () => closing.abort()
}

/**
 * Calls back after so many ms, and not before somebody looks at the page; the function that it returns
 * cancels it.
 */
export function whenSeen(ms: number, then: () => void): () => void {
  let unlisten = (): void => undefined
  const look = (): void => {
    if (document.hidden) return
    unlisten()
    then()
  }
  const timer = setTimeout(() => {
    unlisten = listen({ visibilitychange: look })
    look()
  }, ms)
  return () => {
    clearTimeout(timer)
    unlisten()
  }
}
