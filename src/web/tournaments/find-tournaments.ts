import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { SEARCH_LENGTH } from '../../contract/bounds.ts'
import { type Ruleset, rulesets } from '../../contract/mods.ts'
import type { TournamentPage } from '../../contract/tournaments.ts'
import { listen } from '../browser.ts'
import { useLoad } from '../load.ts'
import { address, pageData } from '../page-data.ts'
import { readListPage } from '../parts/pager.tsx'
import { poolsCall } from '../pools-api.ts'

/** What a list is narrowed to, as it is typed; empty matches all. */
export type Criteria = Readonly<Record<'search' | 'ruleset' | 'rank' | 'year', string>>

const nothing: Criteria = { search: '', ruleset: '', rank: '', year: '' }

/** What the query of an address asks for. What it does not understand, it leaves out. */
export function readCriteria(query: string): Criteria {
  const params = new URLSearchParams(query)
  const text = (name: string): string => params.get(name) ?? ''
  const matching = (name: string, pattern: RegExp): string =>
    pattern.test(text(name)) ? text(name) : ''
  return {
    search: text('search').slice(0, SEARCH_LENGTH),
    ruleset: rulesets.includes(text('ruleset') as Ruleset) ? text('ruleset') : '',
    rank: matching('rank', /^[1-9]\d{0,7}$/),
    year: matching('year', /^[12]\d{0,3}$/),
  }
}

type Query = Readonly<Record<string, string>>

/** As the address has it, with a year that is not typed to its end. */
const written = (query: Query): Query =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value.trim() !== ''))

/** What to ask the site for; half a year is none yet. */
export function queryOf(criteria: Criteria, page: number): Query {
  const { search, year } = criteria
  return written({
    ...criteria,
    search: search.trim(),
    year: /^[12]\d{3}$/.test(year) ? year : '',
    page: page === 1 ? '' : String(page),
  })
}

export const isNarrowed = (criteria: Criteria): boolean =>
  Object.keys(queryOf(criteria, 1)).length > 0

const askedBy = (criteria: Criteria, page: number): string =>
  new URLSearchParams(queryOf(criteria, page)).toString()

/** Typing asks once it pauses. */
const PAUSE_MS = 250

/** The tournaments that the address asks for; `first` are those that came with the page. */
export function useTournaments(first: TournamentPage | undefined) {
  const [criteria, setCriteria] = useState(() => readCriteria(address().search))
  const [page, setPage] = useState(() => readListPage(address().search))
  const asked = useDebounced(askedBy(criteria, page))
  // A reader may come to the front page with what they look for, or without.
  const { search: came } = new URL(pageData().address, pageData().siteUrl)
  const askedFirst = askedBy(readCriteria(came), readListPage(came))
  const isFirst = asked === askedFirst && first !== undefined
  const load = useCallback(
    async (signal: AbortSignal) =>
      isFirst
        ? first
        : poolsCall('listTournaments', {
            query: Object.fromEntries(new URLSearchParams(asked)),
            signal,
          }),
    [asked, askedFirst, first],
  )
  const { value, error, isLoading, reload } = useLoad(load)

  useLayoutEffect(() => {
    const follow = (): void => {
      setCriteria(readCriteria(location.search))
      setPage(readListPage(location.search))
    }
    // The server may have understood less of it.
    if (location.search !== '') follow()
    return listen({ popstate: follow })
  }, [])
  const latest = useRef(criteria)
  latest.current = criteria
  const show = (next: Criteria): void => {
    latest.current = next
    setCriteria(next)
    setPage(1)
    const query = new URLSearchParams(written(next)).toString()
    history.replaceState(history.state, '', query === '' ? location.pathname : `?${query}`)
  }
  return {
    criteria,
    /** Whether `first` has all tournaments, and not those of a search alone. */
    isWholeFirst: !isNarrowed(readCriteria(came)),
    change: (changes: Partial<Criteria>) => show({ ...latest.current, ...changes }),
    clear: () => show(nothing),
    // What came with the page is there at the first paint.
    page: isFirst ? first : value,
    error,
    isLoading: isLoading && !isFirst,
    reload,
  }
}

/** A text as it was before the last changes, until no more come. */
function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return debounced
}
