import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { isServed } from './page-data.ts'

/** The page is as narrow as a phone; the same bound as in the style sheets. */
export const NARROW = '(width < 47.5em)'

/** Whether a media query matches, now and when it changes. */
export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => !isServed() && matchMedia(query).matches)
  useLayoutEffect(() => {
    const media = matchMedia(query)
    const follow = (): void => setMatches(media.matches)
    follow()
    media.addEventListener('change', follow)
    return () => media.removeEventListener('change', follow)
  }, [query])
  return matches
}

/** The fragment of the address, with its `#`, now and when it changes. */
export function useHash(): string {
  const [hash, setHash] = useState(() => (isServed() ? '' : location.hash))
  useEffect(() => {
    const follow = (): void => setHash(location.hash)
    follow()
    return listen({ hashchange: follow })
  }, [])
  return hash
}

/** Restores the scroll position once the list is there: for the browser it would be too early. */
export function useScrollRestoration(isReady: boolean): void {
  useEffect(() => {
    history.scrollRestoration = 'manual'
    return listen({ pagehide: () => history.replaceState({ scroll: scrollY }, '') })
  }, [])
  useLayoutEffect(() => {
    const saved = Number((history.state as { readonly scroll?: unknown } | null)?.scroll)
    if (isReady && saved > 0) scrollTo(0, saved)
  }, [isReady])
}

/** Adds listeners to the window; returns a function that removes them. */
export function listen(handlers: {
  readonly [E in keyof WindowEventMap]?: (event: WindowEventMap[E]) => void
}): () => void {
  const closing = new AbortController()
  for (const [type, handler] of Object.entries(handlers)) {
    addEventListener(type, handler as EventListener, { signal: closing.signal })
  }
  return () => closing.abort()
}

/** What the browser's storage returns; `otherwise` where it is off or full. */
export function fromStorage<T>(use: () => T, otherwise: T): T {
  try {
    return use()
  } catch {
    return otherwise
  }
}

/** Calls back after so many ms, also while the page is hidden; returns a function that cancels it. */
export function later(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, ms)
  return () => clearTimeout(timer)
}

/** For how long a page that is left may take to go; one that is still there then is not left, as when loading was stopped. */
const LEAVING_MS = 10_000

/**
 * Leads to another page. Lasts until this one is left, as what leads there does: another press would do it once more.
 *
 * @param isInstead whether the other page takes the place of this one in the history.
 */
export function leaveTo(path: string, isInstead = false): Promise<void> {
  if (isInstead) location.replace(path)
  else location.assign(path)
  return new Promise((resolve) => {
    later(LEAVING_MS, resolve)
    // Somebody has come back.
    listen({ pageshow: () => resolve() })
  })
}

/** Ends this task: what the reader does and what is to be painted come first. */
export async function nextTask(): Promise<void> {
  const { scheduler } = globalThis as { scheduler?: { readonly yield?: () => Promise<void> } }
  if (scheduler?.yield !== undefined) return scheduler.yield()
  const { port1, port2 } = new MessageChannel()
  await new Promise<void>((resolve) => {
    port1.addEventListener('message', () => resolve(), { once: true })
    port1.start()
    port2.postMessage(null)
  })
  port1.close()
}
