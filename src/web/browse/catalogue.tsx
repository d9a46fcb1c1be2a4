import { useMemo } from 'preact/hooks'
import { MAX_INDEX_PACKS } from '../../contract/bounds.ts'
import type { IndexEntry, SEARCH_INDEX_PATH, SearchIndex } from '../../contract/search-index.ts'
import { useScrollRestoration } from '../browser.ts'
import { count } from '../format.ts'
import { loadJson, useLoad } from '../load.ts'
import { pageData } from '../page-data.ts'
import { NewPackLink } from '../parts/buttons.tsx'
import { PersonText, shownText } from '../parts/labels.tsx'
import { FailureNotice, Notice, SkeletonRows } from '../parts/notices.tsx'
import { PackListHead } from '../parts/pack-rows.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { StarBar, StarRange } from '../parts/stars.tsx'
import { type Columns, createOrders, readColumns } from './columns.ts'
import { Filters } from './filters.tsx'
import { findPacks } from './find-packs.ts'
import { MoreFound, NamedBeatmaps, type ServerSearch, useServerSearch } from './found.tsx'
import { Results } from './results.tsx'
import { isNarrowed, useCriteria } from './search-state.ts'
import '../style/browse.css'
import '../style/filters.css'
import '../style/pack-list.css'

const noColumns = readColumns([])

/** The packs that are public: the rows that came with the page, then all of the index, and the server's for the rest. */
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

  const isOver = value !== null && value.entries.length < MAX_INDEX_PACKS
  const oldest = isOver ? null : (value?.entries.at(-1)?.t ?? null)
  const search = useServerSearch(criteria, !isOver || criteria.query.trim() !== '', oldest)

  if (error !== null && search.packs.length === 0) {
    return <FailureNotice title="Could not load packs" error={error} onRetry={reload} />
  }
  if (value?.entries.length === 0 && search.packs.length === 0) {
    return (
      <Notice title="No public packs yet" actions={<NewPackLink />}>
        Public packs will appear here. Be the first to publish one.
      </Notice>
    )
  }
  const looking = { criteria, change, found }
  return (
    <>
      {!isNarrowed(criteria) && <PinnedPacks />}
      <div class="catalogue">
        <div class="rail">
          <form
            class="search-form"
            role="search"
            action="/packs"
            onSubmit={(event) => event.preventDefault()}
          >
            <SearchField
              label="Search by name, owner, song, artist, mapper, id or link"
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
          <FirstRows search={search} isNarrowed={isNarrowed(criteria)} />
        ) : (
          <Results entries={value.entries} search={search} {...looking} />
        )}
      </div>
    </>
  )
}

/** What came with the page, until the index is there; all there is without a script. */
function FirstRows({ search, isNarrowed }: { search: ServerSearch; isNarrowed: boolean }) {
  const { reply, packs } = search
  return (
    <div class="results">
      <div class="toolbar">
        <p role="status">{reply !== null && !isNarrowed && count(reply.searched, 'pack')}</p>
      </div>
      {reply === null ? (
        <SkeletonRows rows={12} what="packs" />
      ) : (
        <>
          <NamedBeatmaps ids={reply.beatmapIds} />
          {packs.length === 0 ? (
            <Notice title="No matching packs">Try fewer words or a wider range.</Notice>
          ) : (
            <PackListHead />
          )}
          <MoreFound search={search} shown={nothingShown} inPage={null} />
        </>
      )}
    </div>
  )
}

const nothingShown: ReadonlySet<string> = new Set()

// Named by its type alone, so that the schemas of its file are not loaded.
const path: typeof SEARCH_INDEX_PATH = '/packs/index.json'

const loadIndex = async (signal: AbortSignal): Promise<Columns> =>
  readColumns((await loadJson<SearchIndex>(path, signal)).packs)

/** The pinned row (D-30), in its order. */
export function PinnedPacks() {
  const { pinned = [] } = pageData()
  return pinned.length === 0 ? null : (
    <section class="pinned" aria-labelledby="pinned-title">
      <h2 id="pinned-title">Pinned</h2>
      <ul role="list">
        {pinned.map((pack) => (
          <li key={pack.s}>
            <PinnedPack {...pack} />
          </li>
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
