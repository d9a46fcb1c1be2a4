import type { ComponentChildren } from 'preact'
import { SEARCH_LENGTH } from '../../contract/bounds.ts'
import { count } from '../format.ts'
import type { useLoad } from '../load.ts'
import { FailureNotice, SkeletonRows } from '../parts/notices.tsx'
import { Pager } from '../parts/pager.tsx'
import { SearchField } from '../parts/search-field.tsx'
import type { ChangeFilter, Filter } from './filter.ts'

/** The states that can be listed alone; null: all. */
export type FilterStates = readonly (readonly [label: string, only: Filter['only']])[]

type FilteredListProps = {
  readonly id: string
  /** One of what is listed: `pack`. */
  readonly what: string
  /** What is searched: `name or slug`. */
  readonly by: string
  readonly filter: Filter
  readonly change: ChangeFilter
  readonly states?: FilterStates | undefined
  readonly list: Omit<ReturnType<typeof useLoad<ListPage>>, 'change'>
  /** Rows shown while it is loaded first. */
  readonly skeletonRows?: number
  /** Shown between the filter and the list. */
  readonly refusal?: ComponentChildren
  /** In place of a list of nothing; false where there is something. */
  readonly empty: ComponentChildren
  readonly class?: string
  readonly children: ComponentChildren
}
type ListPage = { readonly total: number; readonly page: number; readonly pageCount: number }

/** A page of what a filter finds, with its states: loading, failed, nothing found. */
export function FilteredList(props: FilteredListProps) {
  const { id, what, by, filter, change, states, skeletonRows = 4, empty } = props
  const { value, error, isLoading, reload } = props.list
  return (
    <>
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
          {value && error === null && count(value.total, what)}
        </p>
      </div>
      {props.refusal}
      {error !== null ? (
        <FailureNotice title={`Could not load ${what}s`} error={error} onRetry={reload} />
      ) : value === null ? (
        <SkeletonRows rows={skeletonRows} label={`Loading ${what}s …`} />
      ) : empty && !isLoading ? (
        empty
      ) : (
        <div class={props.class} aria-busy={isLoading}>
          {props.children}
          <Pager page={value.page} pageCount={value.pageCount} />
        </div>
      )}
    </>
  )
}
