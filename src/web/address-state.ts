import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { later, listen } from './browser.ts'
import { address } from './page-data.ts'

/** Browsers allow an address to change only so often: it follows once there was no change for so long. */
const PAUSE_MS = 200

/**
 * What a page shows, which the query of its address says, so that it can be shared and come back to.
 *
 * @param read what the query of an address says; it leaves out what it does not understand.
 * @param write the query for the address; empty, or with `?` in front.
 * @returns the state; `change`, which replaces the address after a pause, or with `isEntry` adds an entry to the
 *   history at once; and the state as it was when the address was last right.
 */
export function useAddressState<T extends object>(
  read: (search: string) => T,
  write: (state: T) => string,
) {
  const [{ shown, debounced }, setState] = useState(() => {
    const first = read(address().search)
    return { shown: first, debounced: first }
  })
  const latest = useRef(shown)
  latest.current = shown
  const catchUp = (state: T): void =>
    setState((before) => (before.debounced === state ? before : { shown: state, debounced: state }))
  const put = (how: 'replaceState' | 'pushState', state: T): void => {
    const search = write(state)
    if (search === location.search) return
    const entry = how === 'pushState' ? null : history.state
    history[how](entry, '', location.pathname + search + location.hash)
  }

  useEffect(
    () =>
      later(PAUSE_MS, () => {
        put('replaceState', latest.current)
        catchUp(latest.current)
      }),
    [shown],
  )
  useLayoutEffect(() => {
    const follow = (): void => catchUp(read(location.search))
    // The server may have rendered the page for another query.
    if (write(read(location.search)) !== write(latest.current)) follow()
    return listen({ popstate: follow, pagehide: () => put('replaceState', latest.current) })
  }, [])

  const change = (changes: Partial<T>, isEntry = false): void => {
    const next = { ...latest.current, ...changes }
    if (isEntry) {
      // What has been typed belongs to the entry that is left.
      put('replaceState', latest.current)
      put('pushState', next)
      catchUp(next)
    } else setState((before) => ({ ...before, shown: next }))
    latest.current = next
  }
  return [shown, change, debounced] as const
}
