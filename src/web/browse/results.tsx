import * as words from '#texts/common'
import * as texts from '#texts/browse'
import type { TargetedKeyboardEvent } from 'preact'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { MAX_INDEX_PACKS } from '../../contract/bounds.ts'
import { listen } from '../browser.ts'
import { formatList } from '../format.ts'
import { Button } from '../parts/buttons.tsx'
import { Notice } from '../parts/notices.tsx'
import { PackListHead, PackRow } from '../parts/pack-rows.tsx'
import { SortBy } from '../parts/sort-by.tsx'
import { Sentences } from '../parts/sentences.tsx'
import { type Columns, createOrders, readColumns } from './columns.ts'
import type { Found } from './find-packs.ts'
import { MoreFound, NamedBeatmaps } from './found.tsx'
import {
  asksForStats,
  type Change,
  cleared,
  type Criteria,
  isNarrowed,
  isServersOrder,
  modsInWords,
  orderOf,
  orders,
  sortsFor,
} from './search-state.ts'
import type { ServerSearch } from './server-search.ts'

/** What is looked for, how to change it, and what the index has of it. */
export type SearchProps = {
  readonly criteria: Criteria
  readonly change: Change
  readonly found: Found
}

type ResultsProps = SearchProps & {
  /** What the list shows: `criteria`, or what was looked for before until there is an answer. */
  readonly shown: Criteria
  /** The index; null: the list is the server's alone. */
  readonly entries: Columns['entries'] | null
  readonly search: ServerSearch
}

export function Results({ entries, search: asked, shown, ...looking }: ResultsProps) {
  const { criteria, change, found } = looking
  const isOld = shown !== criteria
  const search = useMemo(
    () => (entries === null ? sorted(asked, shown) : belowIndex(entries, found, asked, isOld)),
    [entries, found, asked, isOld, shown],
  )
  const rows = entries === null ? 0 : found.rows.length
  const hasRows = rows + search.packs.length > 0
  const isEmpty = !hasRows && search.error === null && !search.reply?.next
  const top = useRef<HTMLDivElement>(null)
  // Otherwise a reader who has scrolled down would see the middle of the new results.
  const isFirst = useRef(true)
  useLayoutEffect(() => {
    if (!isFirst.current && (top.current?.getBoundingClientRect().top ?? 0) < 0) {
      top.current?.scrollIntoView()
    }
    isFirst.current = false
  }, [shown])
  const mods = modsInWords(shown)
  const byMods = mods && (
    <Button
      tone={isEmpty ? 'primary' : 'plain'}
      icon="filter"
      label={texts.onlyWithMods({ mods: formatList(mods.mods) })}
      onClick={() => change(mods)}
    />
  )
  const clear = (
    <Button
      tone={mods === null ? 'primary' : 'plain'}
      label={texts.clearFilters}
      onClick={() => change(cleared(criteria))}
    />
  )
  return (
    <div ref={top} class="results" aria-busy={isOld}>
      <div class="toolbar">
        <p role="status">{statusWords(shown, entries, found, search)}</p>
        {isOld && (
          <span class="quiet-text" aria-hidden="true">
            {texts.searching}
          </span>
        )}
        <SortBy
          class="needs-script"
          orders={orders}
          keys={sortsFor(criteria)}
          sort={orderOf(criteria)}
          isReversed={criteria.isReversed}
          change={change}
        />
      </div>
      <UnratedNote criteria={criteria} change={change} unrated={entries && found.unrated} />
      {!isEmpty && byMods && <p class="actions needs-script">{byMods}</p>}
      {isEmpty && (entries === null || !search.isLoading) && (
        <Notice title={texts.noMatches} actions={[byMods, clear]}>
          {texts.noMatchesHint}
        </Notice>
      )}
      {entries === null && <NamedBeatmaps ids={search.reply?.beatmapIds ?? []} />}
      {hasRows && <PackListHead />}
      {entries !== null && rows > 0 && <PackList entries={entries} rows={found.rows} />}
      <MoreFound
        search={search}
        isBelow={entries !== null}
        isSorted={entries === null && !isServersOrder(shown)}
      />
    </div>
  )
}

/** In an order that the server does not have; else as they came. */
function sorted(search: ServerSearch, shown: Criteria): ServerSearch {
  if (isServersOrder(shown)) return search
  const orderOfRows = createOrders(readColumns(search.packs.map(({ entry }) => entry)))
  const rows = orderOfRows(orderOf(shown), shown.isReversed)
  return { ...search, packs: Array.from(rows, (row) => search.packs[row]!) }
}

/** What the server has found that the index does not show: older packs, where the index is full. */
function belowIndex(
  entries: Columns['entries'],
  { rows }: Found,
  search: ServerSearch,
  isOld: boolean,
): ServerSearch {
  const isAsked = entries.length >= MAX_INDEX_PACKS && !isOld
  const isLoading = isAsked && search.isLoading
  if (!isAsked || !search.isAnswer) {
    return { ...search, packs: [], reply: null, error: null, isLoading }
  }
  const shown = new Set(Array.from(rows, (row) => entries[row]?.s))
  return { ...search, packs: search.packs.filter(({ entry }) => !shown.has(entry.s)) }
}

/** How many packs there are, as far as that is known: the page counts its own, the server what it has sent. */
function statusWords(
  shown: Criteria,
  entries: ResultsProps['entries'],
  found: Found,
  search: ServerSearch,
): string {
  const all = Math.max(entries?.length ?? 0, search.reply?.searched ?? 0)
  if (!isNarrowed(shown)) return all === 0 ? '' : words.packCount({ n: all })
  if (entries === null) return foundWords(0, search)
  const rows = found.rows.length
  return search.packs.length === 0
    ? texts.foundOf({ found: rows, n: entries.length })
    : foundWords(rows, search)
}

/** Nothing where the server has not answered. @param rows of the index, which come before those of the server. */
function foundWords(rows: number, { packs, reply }: ServerSearch): string {
  const n = rows + packs.length
  if (rows === 0 && reply === null) return ''
  if (!reply?.next) return words.packCount({ n })
  return n === 0 ? texts.noneSoFar : texts.foundAndMore({ n })
}

/** As above, on a button that leads to those of the server. */
export function showWords({ packs, reply, error }: ServerSearch): string {
  const n = packs.length
  if (reply === null && error !== null) return texts.showList
  if (!reply?.next) return texts.showPacks({ n })
  return n === 0 ? texts.showList : texts.showPacksAndMore({ n })
}

/** Packs that a filter cannot judge are not lost. `unrated`: how many; null: that is not known. */
function UnratedNote({
  criteria,
  change,
  unrated,
}: Pick<SearchProps, 'criteria' | 'change'> & { unrated: number | null }) {
  const { showsUnrated } = criteria
  if (!asksForStats(criteria) || unrated === 0) return null
  const any = showsUnrated ? texts.anyUnratedIncluded : texts.anyUnratedHidden
  return (
    <p class="unrated">
      <Sentences
        of={[
          unrated === null
            ? any
            : (showsUnrated ? texts.unratedIncluded : texts.unratedHidden)({ n: unrated }),
          <button
            type="button"
            class="link"
            onClick={() => change({ showsUnrated: !showsUnrated })}
          >
            {showsUnrated ? texts.hideUnrated : texts.showUnrated}
          </button>,
        ]}
      />
    </p>
  )
}

type Slice = readonly [from: number, to: number]

/** A list of thousands of packs. Only the rows near the window and the focused one exist. */
function PackList({ entries, rows }: { entries: Columns['entries']; rows: Found['rows'] }) {
  const list = useRef<HTMLUListElement>(null)
  const [[from, to], setSlice] = useState<Slice>([0, 0])
  const [focused, setFocused] = useState<number | null>(null)

  const look = useCallback((): void => {
    if (list.current === null) return
    const { top, height } = list.current.getBoundingClientRect()
    const next = sliceOf(top, innerHeight, height / rows.length, rows.length)
    setSlice((before) => (before[0] === next[0] && before[1] === next[1] ? before : next))
  }, [rows])

  useLayoutEffect(look, [look])
  useEffect(() => listen({ scroll: look, resize: look }), [look])

  const places = Array.from({ length: Math.max(to - from, 0) }, (_, at) => from + at)
  if (focused !== null && focused < rows.length) {
    if (focused < from) places.unshift(focused)
    else if (focused >= to) places.push(focused)
  }
  return (
    // Rows are placed by themselves, so the list has to be as high as all of them.
    <ul
      ref={list}
      class="pack-list"
      role="list"
      style={{ height: `calc(${rows.length} * var(--row))` }}
      onKeyDown={step}
      onFocusIn={({ target }) => {
        const place = (target as Element).closest('li')?.getAttribute('aria-posinset')
        setFocused(place ? Number(place) - 1 : null)
      }}
      onFocusOut={() => setFocused(null)}
    >
      {places.map((place) => {
        const entry = entries[rows[place] ?? -1]
        return (
          entry && (
            <li
              // By place: other packs in the same places change texts, and make no elements.
              key={place}
              class="pack-row"
              aria-posinset={place + 1}
              aria-setsize={rows.length}
              style={{ transform: `translateY(calc(${place} * var(--row)))` }}
            >
              <PackRow {...entry} />
            </li>
          )
        )
      })}
    </ul>
  )
}

/** Rows beyond the window on either side, so that focus and screen readers find the next ones there. */
const BEYOND = 8
/** Rows come and go by so many at a time. */
const STRIDE = 8

/** Which rows to show of a list that begins `top` pixels below the top of a window of `height`. */
export function sliceOf(top: number, height: number, rowHeight: number, rows: number): Slice {
  const first = Math.floor(-top / rowHeight) - BEYOND
  const end = Math.ceil((height - top) / rowHeight) + BEYOND
  const from = Math.floor(first / STRIDE) * STRIDE
  const last = Math.min(Math.max(Math.ceil(end / STRIDE), 1) * STRIDE, rows)
  return [Math.min(Math.max(from, 0), Math.max(last - STRIDE, 0)), last]
}

function step(event: TargetedKeyboardEvent<HTMLUListElement>): void {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  const item = document.activeElement?.closest('li')
  if (by === 0 || !item || event.ctrlKey || event.altKey || event.metaKey) return
  const place = Number(item.getAttribute('aria-posinset')) + by
  const next = event.currentTarget.querySelector<HTMLElement>(`[aria-posinset="${place}"] a`)
  if (next === null) return
  event.preventDefault()
  next.focus()
}
