import { useMemo } from 'preact/hooks'
import type { IndexEntry, SEARCH_INDEX_PATH, SearchIndex } from '../../contract/search-index.ts'
import { useScrollRestoration } from '../browser.ts'
import { count } from '../format.ts'
import { loadJson, useLoad } from '../load.ts'
import { pageData } from '../page-data.ts'
import { NewPackLink } from '../parts/buttons.tsx'
import { PersonText, shownText } from '../parts/labels.tsx'
import { FailureNotice, Notice, SkeletonRows } from '../parts/notices.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { StarBar, StarRange } from '../parts/stars.tsx'
import { type Columns, createOrders, readColumns } from './columns.ts'
import { Filters } from './filters.tsx'
import { findPacks } from './find-packs.ts'
import { Results } from './results.tsx'
import { isNarrowed, useCriteria } from './search-state.ts'
import '../style/browse.css'
import '../style/filters.css'
import '../style/pack-list.css'

const noColumns = readColumns([])

export function Catalogue() {
  const { value, error, reload } = useLoad(loadIndex)
  const [criteria, change] = useCriteria()
  const columns = value ?? noColumns
  const orderOf = useMemo(() => createOrders(columns), [columns])
  const found = useMemo(
    () => findPacks(columns, orderOf(criteria.sort, criteria.isReversed), criteria),
    [columns, orderOf, criteria],
  )
  useScrollRestoration(value !== null)

  if (error !== null) {
    return <FailureNotice title="Could not load packs" error={error} onRetry={reload} />
  }
  if (value?.entries.length === 0) {
    return (
      <Notice title="No public packs yet" actions={<NewPackLink />}>
        Public packs will appear here. Be the first to publish one.
      </Notice>
    )
  }
  const looking = { criteria, change, found }
  return (
    <>
      {!isNarrowed(criteria) && <PinnedPacks entries={value?.entries} />}
      <div class="catalogue">
        <div class="rail">
          <form
            class="search-form"
            role="search"
            action="/packs"
            onSubmit={(event) => event.preventDefault()}
          >
            <SearchField
              label="Search by name, owner or description"
              placeholder="Search packs"
              name="q"
              value={criteria.query}
              maxLength={200}
              onType={(query) => change({ query })}
            />
          </form>
          <Filters {...looking} />
        </div>
        {value === null ? (
          <div class="results">
            <div class="toolbar" />
            <SkeletonRows rows={12} what="packs" />
          </div>
        ) : (
          <Results entries={value.entries} {...looking} />
        )}
      </div>
    </>
  )
}

// Named by its type alone, so that the schemas of its file are not loaded.
const path: typeof SEARCH_INDEX_PATH = '/packs/index.json'

const loadIndex = async (signal: AbortSignal): Promise<Columns> =>
  readColumns((await loadJson<SearchIndex>(path, signal)).packs)

/** The pinned row (D-30), in its order; with a placeholder for each pack while the index is loading. */
function PinnedPacks({ entries }: { entries: readonly IndexEntry[] | undefined }) {
  const packs = (pageData().pinned ?? []).flatMap((slug) =>
    entries === undefined ? null : (entries.find(({ s }) => s === slug) ?? []),
  )
  return packs.length === 0 ? null : (
    <section class="pinned" aria-labelledby="pinned-title">
      <h2 id="pinned-title">Pinned</h2>
      <ul role="list">
        {packs.map((pack, place) => (
          <li key={place}>{pack ? <PinnedPack {...pack} /> : <span class="pinned-pack" />}</li>
        ))}
      </ul>
    </section>
  )
}

const PinnedPack = ({ s, n, o, c, r, a }: IndexEntry) => (
  <a class="pinned-pack" href={`/p/${s}`}>
    <span class="pinned-name" dir="auto">
      {shownText(n)}
    </span>
    <span class="pinned-facts">
      <span>
        <PersonText text={o} />, {count(c, 'map')}
      </span>
      <span>{r ? <StarRange range={r} /> : 'No stars yet'}</span>
    </span>
    {r && <StarBar range={r} average={a} />}
  </a>
)
