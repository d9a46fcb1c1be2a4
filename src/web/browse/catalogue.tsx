import * as words from '#texts/common'
import * as texts from '#texts/browse'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { MAX_INDEX_PACKS, QUERY_LENGTH } from '../../contract/bounds.ts'
import type { IndexEntry, SEARCH_INDEX_PATH } from '../../contract/search-index.ts'
import { later, listen, nextTask, useScrollRestoration } from '../browser.ts'
import { useLoad } from '../load.ts'
import { isServed, pageData } from '../page-data.ts'
import { NewPackLink } from '../parts/buttons.tsx'
import { ownerText, PersonText, shownText } from '../parts/labels.tsx'
import { FailureNotice, Notice, SkeletonRows } from '../parts/notices.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { StarBar, StarRange } from '../parts/stars.tsx'
import { request } from '../site-failure.ts'
import { type Columns, createOrders, readColumns, readEntries } from './columns.ts'
import { Filters } from './filters.tsx'
import { findPacks, type Found } from './find-packs.ts'
import { type SearchProps, Results, showWords } from './results.tsx'
import {
  type Criteria,
  hasWords,
  isNarrowed,
  isServersOrder,
  orderOf,
  useCriteria,
} from './search-state.ts'
import { queryText, type ServerSearch, useServerSearch } from './server-search.ts'
import '../style/browse.css'
import '../style/filters.css'
import '../style/pack-list.css'

const noColumns = readColumns([])

/** The packs that are public: the rows that came with the page, then all of the index; what has words is the server's. */
export function Catalogue() {
  const { value, error, reload } = useLoad(loadIndex)
  const [criteria, change] = useCriteria()
  const columns = value ?? noColumns
  const { entries } = columns
  const rowsIn = useMemo(() => createOrders(columns), [columns])
  const isFirst = value === null && isServersOrder(criteria)
  const isServers = hasWords(criteria) || isFirst
  const isWhole = value !== null && entries.length < MAX_INDEX_PACKS
  const oldest = isWhole ? null : (entries.at(-1)?.t ?? null)
  const asked = useServerSearch(criteria, isServers || (value !== null && !isWhole), oldest)
  const isPressed = usePressed('.results, .pinned')
  const held = useRef(asked)
  if (!isPressed) held.current = asked
  const search = held.current

  const painted = useRef<Painted>({ asked: null, packs: [] })
  if (isFirst && search.isAnswer && !hasWords(criteria)) {
    painted.current = { asked: queryText(criteria, null), packs: search.packs }
  }
  const found = useMemo(() => {
    const order = rowsIn(orderOf(criteria), criteria.isReversed)
    const { rows, ...rest } = findPacks(columns, order, criteria)
    const isPainted =
      isServersOrder(criteria) && queryText(criteria, null) === painted.current.asked
    return { ...rest, rows: isPainted ? startWith(painted.current, rows, entries) : rows }
  }, [columns, rowsIn, criteria])
  /** The last that there is an answer to: it stays until there is one to what is looked for now. */
  const shown = useRef<Shown | null>(null)
  if (!isPressed && (isServers ? search.isAnswer : value !== null)) {
    shown.current = { criteria, found, entries: isServers ? null : entries }
  }
  useScrollRestoration(isServers ? hasWords(criteria) && search.isAnswer : value !== null)

  const hasNothing = !hasWords(criteria) && search.packs.length === 0
  if (error !== null && (hasNothing || !isServers)) {
    return <FailureNotice title={texts.notLoaded} error={error} onRetry={reload} />
  }
  if (value !== null && entries.length === 0 && hasNothing) {
    return (
      <Notice title={texts.noneYet} actions={<NewPackLink />}>
        {texts.noneYetMeans}
      </Notice>
    )
  }
  const looking = { criteria, change, found }
  const showLabel = hasWords(criteria)
    ? showWords(search)
    : texts.showPacks({ n: found.rows.length })
  return (
    <>
      {!isNarrowed(shown.current?.criteria ?? criteria) && <PinnedPacks />}
      <div class="catalogue">
        <div class="rail">
          <form
            class="search-form"
            role="search"
            action="/packs"
            onSubmit={(event) => event.preventDefault()}
          >
            <SearchField
              label={words.searchPacks}
              placeholder={words.searchPacksHint}
              name="q"
              value={criteria.query}
              maxLength={QUERY_LENGTH}
              onType={(query) => change({ query })}
            />
          </form>
          <Filters {...looking} showLabel={showLabel} />
        </div>
        {shown.current === null ? (
          <div class="results needs-script">
            <div class="toolbar" />
            <SkeletonRows rows={12} label={texts.loadingPacks} />
          </div>
        ) : (
          <Results
            {...looking}
            {...shown.current}
            criteria={criteria}
            shown={shown.current.criteria}
            search={search}
          />
        )}
        {/* Without a script, there is no index, and the only order is the server's. */}
        {shown.current === null && isServed() && search.reply !== null && (
          <div class="without-script">
            <Results {...looking} shown={inServersOrder(criteria)} entries={null} search={search} />
          </div>
        )}
      </div>
    </>
  )
}

/** Whether a press goes on in these parts of the page: what changes there meanwhile would get it in place of what was meant. */
function usePressed(parts: string): boolean {
  const [isPressed, setPressed] = useState(false)
  useEffect(() => {
    let stop = (): void => {}
    // The click comes behind it, of a finger not at once.
    const end = (): void => {
      stop()
      stop = later(100, () => setPressed(false))
    }
    return listen({
      pointerdown: ({ target, button }) => {
        stop()
        setPressed(button < 2 && (target as Element).closest(parts) !== null)
      },
      pointerup: end,
      pointercancel: end,
      dragend: end,
      blur: end,
    })
  }, [])
  return isPressed
}

/** In the order in which the page came. */
const inServersOrder = (criteria: Criteria): Criteria => ({
  ...criteria,
  sort: null,
  isReversed: false,
})

type Shown = Pick<SearchProps, 'criteria' | 'found'> & {
  readonly entries: Columns['entries'] | null
}

/** What was shown until the index was there. */
type Painted = { readonly asked: string | null; readonly packs: ServerSearch['packs'] }

/** These packs first, as far as they are among the rows: what is shown already stays where it is. */
function startWith(
  { packs }: Pick<Painted, 'packs'>,
  rows: Found['rows'],
  entries: Columns['entries'],
): Found['rows'] {
  const bySlug = new Map(Array.from(rows, (row) => [entries[row]?.s, row]))
  const first = packs.flatMap(({ entry }) => bySlug.get(entry.s) ?? [])
  return Uint16Array.from(new Set([...first, ...rows]))
}

// Named by its type alone, so that the schemas of its file are not loaded.
const path: typeof SEARCH_INDEX_PATH = '/packs/index.json'

async function loadIndex(signal: AbortSignal): Promise<Columns> {
  const response = await request(path, { signal })
  const entries = await readEntries(await response.text())
  await nextTask()
  const columns = readColumns(entries)
  await nextTask()
  return columns
}

/** The pinned row (D-30), in its order. */
export function PinnedPacks() {
  const { pinned = [] } = pageData()
  return pinned.length === 0 ? null : (
    <section class="pinned" aria-labelledby="pinned-title">
      <h2 id="pinned-title">{texts.pinned}</h2>
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
      <span>{texts.ownerAndMaps({ owner: <PersonText text={ownerText(o)} />, n: c })}</span>
      <span>{r ? <StarRange range={r} /> : words.noStarsYet}</span>
    </span>
    {r && <StarBar range={r} average={a} />}
  </a>
)
