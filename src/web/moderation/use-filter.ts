import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { type Filter, readFilter, writeFilter } from './filter.ts'

/** While somebody types. */
const PAUSE_MS = 200

/** Changes some of what is looked at; the first page of it is shown. */
export type ChangeFilter = (changes: Partial<Omit<Filter, 'page'>>) => void

/**
 * What is looked at. It stands in the address, so that it can be shared and come back to: another
 * state is another place in the browser's history, other words are not.
 *
 * @returns what stands in the fields, what to load by now, and how to change it.
 */
export const useFilter = (): readonly [shown: Filter, asked: Filter, change: ChangeFilter] => {
  const [shown, setShown] = useState(() => readFilter(location.search))
  const [asked, setAsked] = useState(shown)
  const latest = useRef(shown)

  useEffect(() => {
    const timer = setTimeout(() => {
      setAsked(shown)
      const address = location.pathname + writeFilter(shown)
      if (address !== location.pathname + location.search) {
        history.replaceState(history.state, '', address)
      }
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [shown])

  const show = useCallback((filter: Filter): void => {
    latest.current = filter
    setShown(filter)
  }, [])

  useEffect(() => {
    const read = (): void => {
      const filter = readFilter(location.search)
      show(filter)
      setAsked(filter)
    }
    addEventListener('popstate', read)
    return () => removeEventListener('popstate', read)
  }, [show])

  const change: ChangeFilter = useCallback(
    (changes) => {
      const next = { ...latest.current, ...changes, page: 1 }
      show(next)
      if (changes.only === undefined) return
      history.pushState(null, '', location.pathname + writeFilter(next))
      setAsked(next)
    },
    [show],
  )
  return [shown, asked, change]
}
