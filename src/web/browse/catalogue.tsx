import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { IndexEntry } from '../../contract/search-index.ts'
import { pageData } from '../page-data.ts'
import { LinkButton } from '../parts/buttons.tsx'
import { FailureNotice, Notice, SkeletonRows } from '../parts/notices.tsx'
import { readColumns } from './columns.ts'
import { isNarrowed } from './criteria.ts'
import { Filters } from './filters.tsx'
import { findPacks } from './find-packs.ts'
import { createOrders } from './orders.ts'
import { PinnedPacks } from './pinned-packs.tsx'
import { Results } from './results.tsx'
import { SearchField } from './search-field.tsx'
import { useCriteria } from './use-criteria.ts'
import { type IndexState, useIndex } from './use-index.ts'
import { useScrollMemory } from './use-scroll-memory.ts'
import '../style/browse.css'
import '../style/filters.css'
import '../style/pack-list.css'

const noColumns = readColumns([])
/** Fill the first window, and no more. */
const SKELETON_ROWS = 12

const NoPacks = (): JSX.Element => (
  <Notice
    title="No public packs yet"
    actions={
      <LinkButton tone="primary" href="/new">
        New pack
      </LinkButton>
    }
  >
    Public packs will appear here. Be the first to publish one.
  </Notice>
)

/** What is pinned; null in the place of each pack while the index is on its way. */
const pinnedPacks = (index: IndexState): readonly (IndexEntry | null)[] =>
  (pageData().pinned ?? []).flatMap((slug) =>
    index.phase === 'ready' ? (index.columns.entries.find(({ s }) => s === slug) ?? []) : null,
  )

/** The pinned row, the filters and the list of all public packs. */
export const Catalogue = (): JSX.Element => {
  const [index, retry] = useIndex()
  const [criteria, change] = useCriteria()
  const columns = index.phase === 'ready' ? index.columns : noColumns
  const orderOf = useMemo(() => createOrders(columns), [columns])
  const found = useMemo(
    () => findPacks(columns, orderOf(criteria.sort, criteria.isReversed), criteria),
    [columns, orderOf, criteria],
  )
  const pinned = useMemo(() => pinnedPacks(index), [index])
  useScrollMemory(index.phase === 'ready')

  if (index.phase === 'failed') {
    return <FailureNotice title="Could not load packs" error={index.error} onRetry={retry} />
  }
  if (index.phase === 'ready' && columns.entries.length === 0) return <NoPacks />
  const looking = { criteria, change, found }
  return (
    <>
      {!isNarrowed(criteria) && <PinnedPacks packs={pinned} />}
      <div class="catalogue">
        <div class="rail">
          <SearchField query={criteria.query} change={change} />
          <Filters {...looking} />
        </div>
        {index.phase === 'loading' ? (
          <div class="results">
            <div class="toolbar" />
            <SkeletonRows rows={SKELETON_ROWS} what="packs" />
          </div>
        ) : (
          <Results columns={columns} {...looking} />
        )}
      </div>
    </>
  )
}
