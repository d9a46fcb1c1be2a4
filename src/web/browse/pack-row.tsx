import type { JSX } from 'preact'
import type { IndexEntry } from '../../contract/search-index.ts'
import { shownText } from '../parts/labels.tsx'
import { PackFacts } from '../parts/pack-rows.tsx'

/** A row of two lines, three on a phone. The name has a line of its own and leads to the pack. */
export const PackRow = ({ entry }: { readonly entry: IndexEntry }): JSX.Element => {
  const { s, n, o, d } = entry
  // The link covers the row, so that its title is the one that hovering shows.
  const title = [n, `by ${shownText(o)}`, d].filter((line) => line !== '')
  return (
    <>
      <span class="row-name">
        <a href={`/p/${s}`} dir="auto" title={title.map(shownText).join('\n')}>
          {shownText(n)}
        </a>
      </span>
      <PackFacts entry={entry}>
        <span class="row-owner" dir="auto">
          <span class="sr-only" dir="ltr">
            by{' '}
          </span>
          {shownText(o)}
        </span>
      </PackFacts>
    </>
  )
}
