import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'

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

/** Hears of what reaches the window until the function that it returns is called. */
export function listen(handlers: {
  readonly [E in keyof WindowEventMap]?: (event: WindowEventMap[E]) => void
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
  const look = (): void => {
    if (document.hidden) return
    document.removeEventListener('visibilitychange', look)
    then()
  }
  const timer = setTimeout(() => {
    document.addEventListener('visibilitychange', look)
    look()
  }, ms)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', look)
  }
}
