import type { JSX, TargetedKeyboardEvent } from 'preact'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { IndexEntry } from '../../contract/search-index.ts'
import { PackRow } from './pack-row.tsx'
import { type Slice, sliceOf } from './window-rows.ts'

type Props = {
  readonly entries: readonly IndexEntry[]
  /** Positions in `entries`, in the order shown. */
  readonly rows: Uint16Array
}

/** Of a row, as the style sheet sets it for this width; in pixels. */
const measureRow = (list: HTMLElement): number =>
  Number.parseFloat(getComputedStyle(list).getPropertyValue('--row')) || 44

/** Moves the focus to the pack above or below. */
const step = (event: TargetedKeyboardEvent<HTMLUListElement>): void => {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  const item = document.activeElement?.closest('li')
  if (by === 0 || !item || event.ctrlKey || event.altKey || event.metaKey) return
  const place = Number(item.getAttribute('aria-posinset')) + by
  const next = event.currentTarget.querySelector<HTMLElement>(`[aria-posinset="${place}"] a`)
  if (next === null) return
  event.preventDefault()
  next.focus()
}

/**
 * A list of thousands of packs. Only the rows near the window are there; each says which one of how
 * many it is. The row that has the focus stays wherever one scrolls.
 */
export const PackList = ({ entries, rows }: Props): JSX.Element => {
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
  useEffect(() => {
    addEventListener('scroll', look, { passive: true })
    addEventListener('resize', look)
    return () => {
      removeEventListener('scroll', look)
      removeEventListener('resize', look)
    }
  }, [look])

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
