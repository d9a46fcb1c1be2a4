import { SEARCH_LENGTH } from '../../contract/bounds.ts'
import type { ModerationSearch } from '../../contract/moderation.ts'
import { useAddressState } from '../address-state.ts'
import { listPageSearch, readListPage } from '../parts/pager.tsx'

export const singleStates = ['hidden', 'pinned'] as const satisfies ModerationSearch['only'][]

export type Filter = {
  /** A part of the name or of the owner's name, or a whole slug. */
  readonly query: string
  /** null: packs in any state. */
  readonly only: (typeof singleStates)[number] | null
  readonly page: number
}

/** Reads the query of an address; anything invalid is ignored. */
export function readFilter(search: string): Filter {
  const params = new URLSearchParams(search)
  const only = params.get('only')
  return {
    query: (params.get('query') ?? '').slice(0, SEARCH_LENGTH),
    only: singleStates.find((state) => state === only) ?? null,
    page: readListPage(search),
  }
}

/** The query of an address for a filter; empty if everything is listed. */
export function writeFilter({ query, only, page }: Filter, view: string | null = null): string {
  const params = new URLSearchParams()
  if (view !== null) params.set('view', view)
  if (query !== '') params.set('query', query)
  if (only !== null) params.set('only', only)
  return listPageSearch(page, params.toString())
}

/** The query of the session endpoint for a filter. */
export const queryOf = ({ query, only, page }: Filter): Record<string, string | number> => ({
  page,
  ...(query.trim() !== '' && { query: query.trim() }),
  ...(only !== null && { only }),
})

/** Whether all pinned packs are listed: only then is there an order to change. */
export const showsWholeRow = ({ query, only }: Filter): boolean =>
  only === 'pinned' && query.trim() === ''

/** Changes a part of the filter; the first page is listed. */
export type ChangeFilter = (changes: Partial<Omit<Filter, 'page'>>) => void

/** The filter, in the address of the part of Moderation that is open. `asked`: once no more is typed. */
export function useFilter(): readonly [shown: Filter, asked: Filter, change: ChangeFilter] {
  const [shown, change, asked] = useAddressState(readFilter, (filter) =>
    writeFilter(filter, new URLSearchParams(location.search).get('view')),
  )
  return [shown, asked, (changes) => change({ ...changes, page: 1 }, changes.only !== undefined)]
}
