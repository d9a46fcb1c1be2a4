import type { JSX } from 'preact'
import { useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks'
import type { IndexEntry, SEARCH_INDEX_PATH, SearchIndex } from '../../contract/search-index.ts'
import { count } from '../format.ts'
import { pageData } from '../page-data.ts'
import { LinkButton } from '../parts/buttons.tsx'
import { Icon } from '../parts/icons.tsx'
import { PersonText, shownText } from '../parts/labels.tsx'
import { FailureNotice, Notice, SkeletonRows } from '../parts/notices.tsx'
import { StarBar, StarRange } from '../parts/stars.tsx'
import { readFailure, unreachable } from '../site-failure.ts'
import { type Columns, createOrders, readColumns } from './columns.ts'
import { Filters } from './filters.tsx'
import { findPacks } from './find-packs.ts'
import { Results } from './results.tsx'
import { type Change, isNarrowed, useCriteria } from './search-state.ts'
import '../style/browse.css'
import '../style/filters.css'
import '../style/pack-list.css'

const noColumns = readColumns([])
/** Fill the first window, and no more. */
const SKELETON_ROWS = 12

/** The pinned row, the filters and the list of all public packs. */
export function Catalogue(): JSX.Element {
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

type IndexState =
  | { readonly phase: 'loading' }
  | { readonly phase: 'failed'; readonly error: unknown }
  | { readonly phase: 'ready'; readonly columns: Columns }

/** Loads the search index when the page opens, and again when asked to. */
function useIndex(): readonly [IndexState, retry: () => void] {
  const [state, setState] = useState<IndexState>({ phase: 'loading' })
  const begin = useCallback(() => {
    setState({ phase: 'loading' })
    load().then(
      (columns) => setState({ phase: 'ready', columns }),
      (error: unknown) => setState({ phase: 'failed', error }),
    )
  }, [])
  useEffect(begin, [begin])
  return [state, begin]
}

// Named by its type alone, so that the schemas beside it are not loaded.
const path: typeof SEARCH_INDEX_PATH = '/packs/index.json'

async function load(): Promise<Columns> {
  const response = await fetch(path).catch(() => {
    throw unreachable()
  })
  if (!response.ok) throw await readFailure(response)
  const { packs } = (await response.json()) as SearchIndex
  return readColumns(packs)
}

/** What is pinned; null in the place of each pack while the index is on its way. */
const pinnedPacks = (index: IndexState): readonly (IndexEntry | null)[] =>
  (pageData().pinned ?? []).flatMap((slug) =>
    index.phase === 'ready' ? (index.columns.entries.find(({ s }) => s === slug) ?? []) : null,
  )

/**
 * Brings people back to where they were in the list. The browser cannot: the list is not there yet
 * when it tries.
 */
function useScrollMemory(isReady: boolean): void {
  useEffect(() => {
    history.scrollRestoration = 'manual'
    const save = (): void => history.replaceState({ scroll: scrollY }, '')
    addEventListener('pagehide', save)
    return () => removeEventListener('pagehide', save)
  }, [])
  useLayoutEffect(() => {
    if (isReady && remembered() > 0) scrollTo(0, remembered())
  }, [isReady])
}

function remembered(): number {
  const state: unknown = history.state
  return typeof state === 'object' && state !== null && 'scroll' in state
    ? Number(state.scroll) || 0
    : 0
}

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

type PinnedPacksProps = {
  /** null keeps the place of a pack that is being loaded. */
  readonly packs: readonly (IndexEntry | null)[]
}

/** The pinned row (D-30), in its order; nothing where none is pinned. */
const PinnedPacks = ({ packs }: PinnedPacksProps): JSX.Element | null =>
  packs.length === 0 ? null : (
    <section class="pinned" aria-labelledby="pinned-title">
      <h2 id="pinned-title">Pinned</h2>
      <ul role="list">
        {packs.map((pack, place) => (
          <li key={place}>{pack ? <PinnedPack pack={pack} /> : <span class="pinned-pack" />}</li>
        ))}
      </ul>
    </section>
  )

const PinnedPack = ({ pack: { s, n, o, c, r, a } }: { readonly pack: IndexEntry }): JSX.Element => (
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

type SearchFieldProps = { readonly query: string; readonly change: Change }

/** Finds packs while one types. */
const SearchField = ({ query, change }: SearchFieldProps): JSX.Element => (
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
