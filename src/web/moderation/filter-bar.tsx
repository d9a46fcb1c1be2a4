import { SEARCH_LENGTH } from '../../contract/bounds.ts'
import { SearchField } from '../parts/search-field.tsx'
import type { ChangeFilter, Filter } from './filter.ts'

type FilterBarProps = {
  readonly id: string
  /** What is searched: `name or slug`. */
  readonly by: string
  readonly filter: Filter
  readonly change: ChangeFilter
  /** The states that can be listed alone; null: all. */
  readonly states?: readonly (readonly [label: string, only: Filter['only']])[]
  /** How many were found. */
  readonly status: string
}

export const FilterBar = ({ id, by, filter, change, states, status }: FilterBarProps) => (
  <div class="moderation-bar">
    <SearchField
      id={id}
      class="moderation-search"
      label={`Search by ${by}`}
      placeholder={by.charAt(0).toUpperCase() + by.slice(1)}
      value={filter.query}
      maxLength={SEARCH_LENGTH}
      onType={(query) => change({ query })}
    />
    {states && (
      <fieldset class="moderation-only">
        <legend class="sr-only">Show</legend>
        {states.map(([label, only]) => (
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
    )}
    <p class="quiet-text tabular" role="status">
      {status}
    </p>
  </div>
)
