import { PAGE_PATTERN } from '../contract/bounds.ts'

const PAGE = new RegExp(PAGE_PATTERN)

/** Which page of a list the query of an address asks for; the first where it asks for none (D-15). */
export const readListPage = (search: string): number => {
  const text = new URLSearchParams(search).get('page') ?? ''
  return PAGE.test(text) ? Number(text) : 1
}

/** The query that asks for a page, with what else stands in it; empty for the first page alone. */
export const listPageSearch = (page: number, search = ''): string => {
  const params = new URLSearchParams(search)
  params.delete('page')
  if (page > 1) params.set('page', String(page))
  const text = params.toString()
  return text === '' ? '' : `?${text}`
}
