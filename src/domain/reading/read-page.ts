import { MAX_PAGE, PAGE_PATTERN } from '../../contract/bounds.ts'
import { Failure } from '../../contract/failure.ts'

const PAGE = new RegExp(PAGE_PATTERN)

/** The `page` of a query, 1 when it is left out; `bad_request` for anything but 1 to 999999 (D-15). */
export const readPage = (query: unknown): number => {
  const page: unknown = (query as { page?: unknown }).page
  if (page === undefined) return 1
  if (typeof page === 'string' && PAGE.test(page)) return Number(page)
  throw new Failure('bad_request', `page must be one whole number from 1 to ${MAX_PAGE}`)
}
