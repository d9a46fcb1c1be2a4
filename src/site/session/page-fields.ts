import { PAGE_SIZE } from '../../contract/bounds.ts'

/** What every page of a list says of itself; there is at least one page (D-15). */
export const pageFields = (
  page: number,
  total: number,
): { page: number; pageCount: number; total: number } => ({
  page,
  pageCount: Math.max(1, Math.ceil(total / PAGE_SIZE)),
  total,
})
