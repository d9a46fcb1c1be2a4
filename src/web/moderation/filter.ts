import { SEARCH_LENGTH } from '../../contract/bounds.ts'
import type { ModerationSearch } from '../../contract/moderation.ts'
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
export const readFilter = (search: string): Filter => {
  const params = new URLSearchParams(search)
  const only = params.get('only')
  return {
    query: (params.get('query') ?? '').slice(0, SEARCH_LENGTH),
    only: onlies.find((state) => state === only) ?? null,
    page: readListPage(search),
  }
}

/** The query of an address that asks for it; empty when it asks for everything. */
export const writeFilter = ({ query, only, page }: Filter): string => {
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
