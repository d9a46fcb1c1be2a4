import { useEffect, useLayoutEffect } from 'preact/hooks'

const remembered = (): number => {
  const state: unknown = history.state
  return typeof state === 'object' && state !== null && 'scroll' in state
    ? Number(state.scroll) || 0
    : 0
}

/**
 * Brings people back to where they were in the list. The browser cannot: the list is not there yet
 * when it tries.
 */
export const useScrollMemory = (isReady: boolean): void => {
  useEffect(() => {
    history.scrollRestoration = 'manual'
    const save = (): void => history.replaceState({ scroll: scrollY }, '')
    addEventListener('pagehide', save)
    return () => removeEventListener('pagehide', save)
  }, [])
  useLayoutEffect(() => {
    if (isReady && remembered() > 0) scrollTo(0, remembered())
  }, [isReady])
}
