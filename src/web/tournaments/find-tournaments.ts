import { useCallback } from 'preact/hooks'
import { SEARCH_LENGTH } from '../../contract/bounds.ts'
import { type Ruleset, rulesets } from '../../contract/mods.ts'
import type { TournamentPage } from '../../contract/tournaments.ts'
import { useAddressState } from '../address-state.ts'
import { useLoad } from '../load.ts'
import { pageData } from '../page-data.ts'
import { listPageSearch, readListPage } from '../parts/pager.tsx'
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

type Address = Criteria & { readonly page: number }

const readAddress = (search: string): Address => ({
  ...readCriteria(search),
  page: readListPage(search),
})

const writeAddress = ({ page, ...criteria }: Address): string =>
  listPageSearch(page, new URLSearchParams(written(criteria)).toString())

/** The tournaments that the address asks for; `first` are those that came with the page. */
export function useTournaments(first: TournamentPage | undefined) {
  const [{ page: _, ...criteria }, change, settled] = useAddressState(readAddress, writeAddress)
  const asked = askedBy(settled, settled.page)
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
  return {
    criteria,
    /** Whether `first` has all tournaments, and not those of a search alone. */
    isWholeFirst: !isNarrowed(readCriteria(came)),
    change: (changes: Partial<Criteria>) => change({ ...changes, page: 1 }),
    clear: () => change({ ...nothing, page: 1 }),
    // What came with the page is there at the first paint.
    page: isFirst ? first : value,
    error,
    isLoading: isLoading && !isFirst,
    reload,
  }
}
