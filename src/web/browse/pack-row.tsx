import type { JSX } from 'preact'
import type { IndexEntry } from '../../contract/search-index.ts'
import { PackFacts } from '../parts/pack-facts.tsx'
import { shownText } from '../parts/person-text.tsx'

/** What stands in a row: one line on a desk, two on a phone. The name leads to the pack. */
export const PackRow = ({ entry }: { readonly entry: IndexEntry }): JSX.Element => {
  const { s, n, o, d } = entry
  return (
    <>
      <span class="row-name">
        <a href={`/p/${s}`} dir="auto" title={d === '' ? undefined : shownText(d)}>
          {shownText(n)}
        </a>
        <span class="row-owner" dir="auto">
          <span class="sr-only" dir="ltr">
            by{' '}
          </span>
          {shownText(o)}
        </span>
      </span>
      <PackFacts entry={entry} />
    </>
  )
}
