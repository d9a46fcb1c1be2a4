import type { JSX } from 'preact'
import { formatNumber } from '../format.ts'
import { LinkButton } from './button.tsx'

type Props = {
  readonly page: number
  readonly pageCount: number
  readonly hrefOf: (page: number) => string
}

/** Leads from page to page; nothing where there is but one. */
export const Pager = ({ page, pageCount, hrefOf }: Props): JSX.Element | null =>
  pageCount < 2 && page === 1 ? null : (
    <nav class="pager" aria-label="More pages">
      {page > 1 && <LinkButton href={hrefOf(Math.min(page - 1, pageCount))}>Previous</LinkButton>}
      <span>
        Page {formatNumber(page)} of {formatNumber(pageCount)}
      </span>
      {page < pageCount && <LinkButton href={hrefOf(page + 1)}>Next</LinkButton>}
    </nav>
  )
