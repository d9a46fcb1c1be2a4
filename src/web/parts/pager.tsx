import * as texts from '#texts/common'
import { PAGE_PATTERN } from '../../contract/bounds.ts'
import { formatNumber } from '../format.ts'
import { address } from '../page-data.ts'
import { LinkButton } from './buttons.tsx'
import { Notice } from './notices.tsx'

/** Leads from page to page of the list at this address; nothing where there is only one. */
export const Pager = ({ page, pageCount }: { page: number; pageCount: number }) =>
  pageCount < 2 && page === 1 ? null : (
    <nav class="pager" aria-label={texts.morePages}>
      {page > 1 && (
        <LinkButton label={texts.previous} href={listPageHref(Math.min(page - 1, pageCount))} />
      )}
      <span>{texts.pageOf({ page: formatNumber(page), pages: formatNumber(pageCount) })}</span>
      {page < pageCount && <LinkButton label={texts.next} href={listPageHref(page + 1)} />}
    </nav>
  )

type PastTheEndProps = { title: string; text: string; pageCount: number }

/** In place of a page that a list does not have. */
export const PastTheEnd = ({ title, text, pageCount }: PastTheEndProps) => (
  <Notice
    title={title}
    actions={<LinkButton tone="primary" label={texts.toLastPage} href={listPageHref(pageCount)} />}
  >
    {text}
  </Notice>
)

/** Which page of a list the query of an address asks for; the first where it asks for none (D-15). */
export function readListPage(search: string): number {
  const text = new URLSearchParams(search).get('page') ?? ''
  return new RegExp(PAGE_PATTERN).test(text) ? Number(text) : 1
}

function listPageHref(page: number): string {
  const { pathname, search } = address()
  return pathname + listPageSearch(page, search)
}

/** The query that asks for a page and keeps its other parameters; the first page is not named. */
export function listPageSearch(page: number, search = ''): string {
  const params = new URLSearchParams(search)
  params.delete('page')
  if (page > 1) params.set('page', String(page))
  return params.size === 0 ? '' : `?${params.toString()}`
}
