import type { ComponentChildren, JSX } from 'preact'
import { SEARCH_LENGTH } from '../../contract/bounds.ts'
import { Icon } from '../parts/icons.tsx'
import type { Filter, Only } from './filter.ts'
import type { ChangeFilter } from './use-filter.ts'
import { SEARCH_ID } from './use-focus-later.ts'

type Props = {
  readonly filter: Filter
  readonly change: ChangeFilter
  /** How many there are. */
  readonly children: ComponentChildren
}

const choices: readonly (readonly [label: string, only: Only])[] = [
  ['All', null],
  ['Hidden', 'hidden'],
  ['Pinned', 'pinned'],
]

/** Which packs are shown. */
export const FilterBar = ({ filter, change, children }: Props): JSX.Element => (
  <div class="moderation-bar">
    <label class="moderation-search">
      <span class="sr-only">Search by name, owner or slug</span>
      <Icon name="search" />
      <input
        id={SEARCH_ID}
        class="field"
        type="search"
        value={filter.query}
        placeholder="Name, owner or slug"
        autocomplete="off"
        spellcheck={false}
        maxLength={SEARCH_LENGTH}
        onInput={({ currentTarget }) => change({ query: currentTarget.value })}
      />
    </label>
    <fieldset class="moderation-only">
      <legend class="sr-only">Show</legend>
      {choices.map(([label, only]) => (
        <label key={label}>
          <input
            class="sr-only"
            type="radio"
            name="only"
            checked={filter.only === only}
            onChange={() => change({ only })}
          />
          {label}
        </label>
      ))}
    </fieldset>
    <p class="quiet-text tabular" role="status">
      {children}
    </p>
  </div>
)
