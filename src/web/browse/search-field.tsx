import type { JSX } from 'preact'
import { Icon } from '../parts/icons.tsx'
import type { Change } from './use-criteria.ts'

type Props = { readonly query: string; readonly change: Change }

/** Finds packs while one types. */
export const SearchField = ({ query, change }: Props): JSX.Element => (
  <label class="search-field">
    <span class="sr-only">Search by name, owner or description</span>
    <Icon name="search" />
    <input
      class="field"
      type="search"
      value={query}
      placeholder="Search packs"
      autocomplete="off"
      spellcheck={false}
      maxLength={200}
      onInput={({ currentTarget }) => change({ query: currentTarget.value })}
    />
  </label>
)
