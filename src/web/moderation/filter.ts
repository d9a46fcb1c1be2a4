import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { SEARCH_LENGTH } from '../../contract/bounds.ts'
import type { ModerationSearch } from '../../contract/moderation.ts'
import { listen } from '../browser.ts'
import { listPageSearch, readListPage } from '../parts/pager.tsx'

/** Which state a pack must be in to be shown; null: any. */
export const onlies = ['hidden', 'pinned'] as const satisfies ModerationSearch['only'][]
export type Only = (typeof onlies)[number] | null

/** Which packs a moderator looks at. */
export type Filter = {
  /** A part of the name or the owner's name, or a whole slug. */
  readonly query: string
  readonly only: Only
  readonly page: number
}

/** What the query of an address asks for; what it does not understand, it leaves out. */
export function readFilter(search: string): Filter {
  const params = new URLSearchParams(search)
  const only = params.get('only')
  return {
    query: (params.get('query') ?? '').slice(0, SEARCH_LENGTH),
    only: onlies.find((state) => state === only) ?? null,
    page: readListPage(search),
  }
}

/** The query of an address that asks for it; empty when it asks for everything. */
export function writeFilter({ query, only, page }: Filter): string {
  const params = new URLSearchParams()
  if (query !== '') params.set('query', query)
  if (only !== null) params.set('only', only)
  return listPageSearch(page, params.toString())
}

/** As the site is asked for it. */
export const queryOf = ({ query, only, page }: Filter): Record<string, string | number> => ({
  page,
  ...(query.trim() !== '' && { query: query.trim() }),
  ...(only !== null && { only }),
})

/** The pinned row as a whole is shown: only then is there an order to change. */
export const showsWholeRow = ({ query, only }: Filter): boolean =>
  only === 'pinned' && query.trim() === ''

/** Changes some of what is looked at; the first page of it is shown. */
export type ChangeFilter = (changes: Partial<Omit<Filter, 'page'>>) => void

/** While somebody types. */
const PAUSE_MS = 200

/**
 * What is looked at. It stands in the address, so that it can be shared and come back to: another
 * state is another place in the browser's history, other words are not.
 *
 * @returns what stands in the fields, what to load by now, and how to change it.
 */
export function useFilter(): readonly [shown: Filter, asked: Filter, change: ChangeFilter] {
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
    return listen({ popstate: read })
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
