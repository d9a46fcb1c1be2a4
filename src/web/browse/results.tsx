import type { JSX, TargetedKeyboardEvent } from 'preact'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { IndexEntry } from '../../contract/search-index.ts'
import { listen } from '../browser.ts'
import { count, formatNumber } from '../format.ts'
import { Button } from '../parts/buttons.tsx'
import { shownText } from '../parts/labels.tsx'
import { Notice } from '../parts/notices.tsx'
import { PackFacts, PackListHead } from '../parts/pack-rows.tsx'
import type { Columns } from './columns.ts'
import type { Looking } from './find-packs.ts'
import { cleared, type SortKey } from './search-state.ts'

/** What was found, under how much it is and in which order. */
export function Results({ columns, ...looking }: Looking & { readonly columns: Columns }) {
  const { criteria, found } = looking
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
    <div ref={top} class="results">
      <Toolbar all={columns.entries.length} {...looking} />
      <UnratedNote {...looking} />
      {found.rows.length === 0 ? (
        <NoMatch {...looking} />
      ) : (
        <>
          <PackListHead />
          <PackList entries={columns.entries} rows={found.rows} />
        </>
      )}
    </div>
  )
}

function Toolbar({
  criteria,
  change,
  found,
  all,
}: Looking & { readonly all: number }): JSX.Element {
  const { sort, isReversed } = criteria
  const shown = found.rows.length
  const [, usual, reversed] = orders[sort]
  return (
    <div class="toolbar">
      <p role="status">
        {shown === all ? count(all, 'pack') : `${formatNumber(shown)} of ${count(all, 'pack')}`}
      </p>
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

/** What each order is called, and what reversing it would bring to the top. */
const orders: Readonly<Record<SortKey, readonly [name: string, usual: string, reversed: string]>> =
  {
    created: ['Created', 'newest first', 'oldest first'],
    updated: ['Updated', 'most recent first', 'oldest first'],
    name: ['Name', 'A to Z', 'Z to A'],
    stars: ['Stars', 'highest first', 'lowest first'],
    length: ['Length', 'longest first', 'shortest first'],
    bpm: ['BPM', 'fastest first', 'slowest first'],
    beatmaps: ['Maps', 'most first', 'fewest first'],
  }

/** Packs that a filter cannot judge are counted, not lost. */
function UnratedNote({ criteria, change, found: { unrated } }: Looking): JSX.Element | null {
  const isShown = criteria.showsUnrated
  return unrated === 0 ? null : (
    <p class="unrated">
      {count(unrated, 'pack')} without stats {unrated === 1 ? 'is' : 'are'}{' '}
      {isShown ? 'included.' : 'hidden.'}{' '}
      <button type="button" class="link" onClick={() => change({ showsUnrated: !isShown })}>
        {isShown ? 'Hide' : 'Show'}
      </button>
    </p>
  )
}

const NoMatch = ({ criteria, change }: Looking): JSX.Element => (
  <Notice
    title="No matching packs"
    actions={
      <Button tone="primary" onClick={() => change(cleared(criteria))}>
        Clear filters
      </Button>
    }
  >
    Try fewer words or a wider range.
  </Notice>
)

type PackListProps = {
  readonly entries: readonly IndexEntry[]
  /** Positions in `entries`, in the order shown. */
  readonly rows: Uint16Array
}

type Slice = readonly [from: number, to: number]

/**
 * A list of thousands of packs. Only the rows near the window are there; each says which one of how
 * many it is. The row that has the focus stays wherever one scrolls.
 */
function PackList({ entries, rows }: PackListProps): JSX.Element {
  const list = useRef<HTMLUListElement>(null)
  const [rowHeight, setRowHeight] = useState(44)
  const [[from, to], setSlice] = useState<Slice>([0, 0])
  const [focused, setFocused] = useState<number | null>(null)

  const look = useCallback((): void => {
    if (list.current === null) return
    const height = measureRow(list.current)
    const { top } = list.current.getBoundingClientRect()
    const next = sliceOf(top, innerHeight, height, rows.length)
    setRowHeight(height)
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
    // Rows stand where they belong by themselves, so the list has to be as high as all of them.
    <ul
      ref={list}
      class="pack-list"
      role="list"
      style={{ height: `${rows.length * rowHeight}px` }}
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
              style={{ transform: `translateY(${place * rowHeight}px)` }}
            >
              <PackRow entry={entry} />
            </li>
          )
        )
      })}
    </ul>
  )
}

/** Of a row, as the style sheet sets it for this width; in pixels. */
const measureRow = (list: HTMLElement): number =>
  Number.parseFloat(getComputedStyle(list).getPropertyValue('--row')) || 44

/** Rows beyond the window on either side, so that focus and screen readers find the next ones there. */
const BEYOND = 8
/** Rows come and go by so many at a time. */
const STRIDE = 8

/**
 * Which rows of a long list to show.
 *
 * @param top of the list, in pixels below the top of the window; negative when scrolled past it.
 * @param height of the window, in pixels, and of a row.
 */
export function sliceOf(top: number, height: number, rowHeight: number, rows: number): Slice {
  const first = Math.floor(-top / rowHeight) - BEYOND
  const end = Math.ceil((height - top) / rowHeight) + BEYOND
  const from = Math.floor(first / STRIDE) * STRIDE
  const to = Math.ceil(end / STRIDE) * STRIDE
  const last = Math.min(Math.max(to, STRIDE), rows)
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

/** A row of two lines, three on a phone. The name has a line of its own and leads to the pack. */
function PackRow({ entry }: { readonly entry: IndexEntry }): JSX.Element {
  const { s, n, o, d } = entry
  // The link covers the row, so that its title is the one that hovering shows.
  const title = [n, `by ${shownText(o)}`, d].filter((line) => line !== '')
  return (
    <>
      <span class="row-name">
        <a href={`/p/${s}`} dir="auto" title={title.map(shownText).join('\n')}>
          {shownText(n)}
        </a>
      </span>
      <PackFacts entry={entry}>
        <span class="row-owner" dir="auto">
          <span class="sr-only" dir="ltr">
            by{' '}
          </span>
          {shownText(o)}
        </span>
      </PackFacts>
    </>
  )
}
