import type { TargetedKeyboardEvent } from 'preact'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { listen } from '../browser.ts'
import { count, formatNumber } from '../format.ts'
import { Button } from '../parts/buttons.tsx'
import { Notice } from '../parts/notices.tsx'
import { PackListHead, PackRow } from '../parts/pack-rows.tsx'
import type { Columns } from './columns.ts'
import type { Found, Looking } from './find-packs.ts'
import { MoreFound, NamedBeatmaps, type ServerSearch } from './found.tsx'
import { cleared, orders, type SortKey } from './search-state.ts'

type ResultsProps = Looking & {
  readonly entries: Columns['entries']
  /** Of all packs, for what the page does not have. */
  readonly search: ServerSearch
}

/** What was found, under how much it is and in which order. */
export function Results({ entries, search, ...looking }: ResultsProps) {
  const { criteria, change, found } = looking
  const shown = useMemo(
    () => new Set(Array.from(found.rows, (row) => entries[row]?.s ?? '')),
    [found, entries],
  )
  const isEmpty = found.rows.length === 0 && search.packs.length === 0 && !search.isLoading
  const reset = (): void => change(cleared(criteria))
  const clear = <Button tone="primary" label="Clear filters" onClick={reset} />
  const top = useRef<HTMLDivElement>(null)
  // Otherwise a reader who has scrolled down would see the middle of the new results.
  const isFirst = useRef(true)
  useLayoutEffect(() => {
    if (!isFirst.current && (top.current?.getBoundingClientRect().top ?? 0) < 0) {
      top.current?.scrollIntoView()
    }
    isFirst.current = false
  }, [criteria])
  return (
    <div ref={top} class="results">
      <Toolbar {...looking} words={foundWords(found.rows.length, entries.length, search, shown)} />
      <UnratedNote {...looking} />
      {isEmpty && search.error === null && (
        <Notice title="No matching packs" actions={clear}>
          Try fewer words or a wider range.
        </Notice>
      )}
      <NamedBeatmaps ids={search.reply?.beatmapIds ?? []} />
      {!isEmpty && <PackListHead />}
      {found.rows.length > 0 && <PackList entries={entries} rows={found.rows} />}
      <MoreFound search={search} shown={shown} inPage={entries.length} />
    </div>
  )
}

/** How many packs there are, as far as that is known: the page counts its own, the server what it has sent. */
function foundWords(
  rows: number,
  inPage: number,
  { packs, reply }: ServerSearch,
  shown: ReadonlySet<string>,
): string {
  if (rows === inPage) return count(Math.max(inPage, reply?.searched ?? 0), 'pack')
  const beyond = packs.filter(({ entry }) => !shown.has(entry.s)).length
  if (beyond === 0) return `${formatNumber(rows)} of ${count(inPage, 'pack')}`
  return `${count(rows + beyond, 'pack')}${reply?.next ? ' and more' : ''}`
}

type ToolbarProps = Pick<Looking, 'criteria' | 'change'> & { readonly words: string }

function Toolbar({ criteria, change, words }: ToolbarProps) {
  const { sort, isReversed } = criteria
  const [, usual, reversed] = orders[sort]
  return (
    <div class="toolbar">
      <p role="status">{words}</p>
      <label>
        <span class="sr-only">Sort by</span>
        <select
          class="field"
          value={sort}
          onChange={({ currentTarget }) =>
            change({ sort: currentTarget.value as SortKey, isReversed: false })
          }
        >
          {Object.entries(orders).map(([key, [name]]) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <Button icon="reverse" onClick={() => change({ isReversed: !isReversed })}>
        <span class="toolbar-direction">{isReversed ? reversed : usual}</span>
      </Button>
    </div>
  )
}

/** Packs that a filter cannot judge are counted, not lost. */
function UnratedNote({ criteria: { showsUnrated }, change, found: { unrated } }: Looking) {
  return unrated === 0 ? null : (
    <p class="unrated">
      {count(unrated, 'pack')} without stats {unrated === 1 ? 'is' : 'are'}{' '}
      {showsUnrated ? 'included.' : 'hidden.'}{' '}
      <button type="button" class="link" onClick={() => change({ showsUnrated: !showsUnrated })}>
        {showsUnrated ? 'Hide' : 'Show'}
      </button>
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
    const rowHeight = Number.parseFloat(getComputedStyle(list.current).getPropertyValue('--row'))
    const { top } = list.current.getBoundingClientRect()
    const next = sliceOf(top, innerHeight, rowHeight, rows.length)
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
