import type { JSX } from 'preact'
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Button, LinkButton } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { FailureNotice, Notice } from '../parts/notice.tsx'
import { SkeletonRows } from '../parts/skeleton.tsx'
import { pageData } from '../page-data.ts'
import { count } from '../format.ts'
import { NARROW, useMedia } from '../use-media.ts'
import { type Columns, readColumns } from './columns.ts'
import { cleared, countFilters, type Criteria, isNarrowed } from './criteria.ts'
import { FilterPanel } from './filter-panel.tsx'
import { findPacks, type Found } from './find-packs.ts'
import { createOrders } from './orders.ts'
import { PackList } from './pack-list.tsx'
import { PinnedPacks } from './pinned-packs.tsx'
import { SearchField } from './search-field.tsx'
import { Toolbar, UnratedNote } from './toolbar.tsx'
import { type Change, useCriteria } from './use-criteria.ts'
import { useIndex } from './use-index.ts'
import { useScrollMemory } from './use-scroll-memory.ts'
import '../style/browse.css'
import '../style/filters.css'
import '../style/pack-list.css'

const noColumns = readColumns([])
/** Fill the first window, and no more. */
const SKELETON_ROWS = 12

type Looking = {
  readonly criteria: Criteria
  readonly change: Change
  readonly found: Found
}

/** The filters: beside the list on a desk, in a sheet on a phone. */
const Filters = ({ criteria, change, found }: Looking): JSX.Element => {
  const isNarrow = useMedia(NARROW)
  const [isOpen, setOpen] = useState(false)
  const inUse = countFilters(criteria)
  const panel = <FilterPanel criteria={criteria} histograms={found.histograms} change={change} />
  const clear = (
    <Button disabled={!isNarrowed(criteria)} onClick={() => change(cleared(criteria))}>
      Clear filters
    </Button>
  )
  if (!isNarrow) {
    return (
      <div class="filters" role="group" aria-label="Filters">
        {panel}
        {clear}
      </div>
    )
  }
  return (
    <div>
      <Button icon="filter" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {inUse === 0 ? 'Filters' : `Filters (${inUse})`}
      </Button>
      <Dialog
        kind="sheet"
        title="Filters"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        actions={
          <>
            {clear}
            <Button tone="primary" onClick={() => setOpen(false)}>
              Show {count(found.rows.length, 'pack')}
            </Button>
          </>
        }
      >
        {panel}
      </Dialog>
    </div>
  )
}

const NoMatch = ({ criteria, change }: Omit<Looking, 'found'>): JSX.Element => (
  <Notice
    title="No pack matches"
    actions={
      <Button tone="primary" onClick={() => change(cleared(criteria))}>
        Clear filters
      </Button>
    }
  >
    Try fewer words, or a wider range.
  </Notice>
)

const Results = ({ columns, ...looking }: Looking & { readonly columns: Columns }) => {
  const { criteria, change, found } = looking
  const top = useRef<HTMLDivElement>(null)
  // Whoever has scrolled down would otherwise see the middle of what they have just asked for.
  const isFirst = useRef(true)
  useLayoutEffect(() => {
    if (!isFirst.current && (top.current?.getBoundingClientRect().top ?? 0) < 0) {
      top.current?.scrollIntoView()
    }
    isFirst.current = false
  }, [criteria])
  return (
    <div ref={top}>
      <Toolbar
        criteria={criteria}
        change={change}
        shown={found.rows.length}
        all={columns.entries.length}
      />
      <UnratedNote packs={found.unrated} isShown={criteria.showsUnrated} change={change} />
      {found.rows.length === 0 ? (
        <NoMatch criteria={criteria} change={change} />
      ) : (
        <>
          <ListHead />
          <PackList entries={columns.entries} rows={found.rows} />
        </>
      )}
    </div>
  )
}

/** What the numbers of a row are; each says so itself to screen readers. */
const ListHead = (): JSX.Element => (
  <div class="pack-row list-head" aria-hidden="true">
    <span class="row-name">Pack</span>
    <span class="row-stars">Stars</span>
    <span class="row-count">Maps</span>
    <span class="row-mods">Mods</span>
    <span class="row-length">Length</span>
    <span class="row-bpm">BPM</span>
    <span class="row-updated">Updated</span>
  </div>
)

const NoPacks = (): JSX.Element => (
  <Notice
    title="No public packs yet"
    actions={
      <LinkButton tone="primary" href="/new">
        New pack
      </LinkButton>
    }
  >
    The first one that somebody makes public will stand here.
  </Notice>
)

const pinnedEntries = ({ entries }: Columns) =>
  (pageData().pinned ?? []).flatMap((slug) => entries.find(({ s }) => s === slug) ?? [])

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
  const pinned = useMemo(() => pinnedEntries(columns), [columns])
  useScrollMemory(index.phase === 'ready')

  if (index.phase === 'failed') {
    return (
      <FailureNotice title="The packs could not be loaded" error={index.error} onRetry={retry} />
    )
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
          <SkeletonRows rows={SKELETON_ROWS} what="packs" />
        ) : (
          <Results columns={columns} {...looking} />
        )}
      </div>
    </>
  )
}
