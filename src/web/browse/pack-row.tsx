import type { JSX } from 'preact'
import type { IndexEntry } from '../../contract/search-index.ts'
import { PackFacts } from '../parts/pack-facts.tsx'

/** What stands in a row: one line on a desk, two on a phone. The name leads to the pack. */
export const PackRow = ({ entry }: { readonly entry: IndexEntry }): JSX.Element => {
  const { s, n, o, d } = entry
  return (
    <>
      <span class="row-name">
        <a href={`/p/${s}`} title={d === '' ? undefined : d}>
          {n}
        </a>
        <span class="row-owner">
          <span class="sr-only">by </span>
          {o}
        </span>
      </span>
      <PackFacts entry={entry} />
    </>
  )
}
