import type { RefObject } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { listen } from '../browser.ts'

/** The vertical extent of an element, in pixels. */
type Extent = { readonly top: number; readonly bottom: number }

/** Drags rows by their handles; Escape cancels. Until the drop, rows are only shown elsewhere. */
export function usePinDrag(
  list: RefObject<HTMLElement | null>,
  selector: string,
  onDrop: (from: number, to: number) => void,
) {
  const [drag, setDrag] = useState<Record<'from' | 'to' | 'by' | 'height', number> | null>(null)
  const drop = useRef(onDrop)
  drop.current = onDrop

  const begin = (event: PointerEvent, from: number): void => {
    const rows = Array.from(list.current?.querySelectorAll(selector) ?? [], extentOf)
    const row = rows[from]
    if (event.button !== 0 || !event.isPrimary || row === undefined) return
    // No text is selected on the way.
    event.preventDefault()
    const height = row.bottom - row.top
    const dragTo = ({ pageY }: PointerEvent) => {
      const by = pageY - event.pageY
      return { from, to: placeOf(rows, from, by), by, height }
    }
    const end = (): void => {
      unlisten()
      setDrag(null)
    }
    const unlisten = listen({
      pointermove: (move) => setDrag(dragTo(move)),
      pointerup: (release) => {
        end()
        const { to } = dragTo(release)
        if (to !== from) drop.current(from, to)
      },
      pointercancel: end,
      keydown: (press) => {
        if (press.key !== 'Escape') return
        press.preventDefault()
        end()
      },
    })
  }

  /** How a row is shown while one is dragged. */
  const styleOf = (at: number): { transform: string } | undefined => {
    if (drag === null) return undefined
    const by = at === drag.from ? drag.by : wayOf(at, drag.from, drag.to, drag.height)
    return { transform: `translateY(${by}px)` }
  }

  return { draggedFrom: drag?.from, begin, styleOf }
}

/** The new place of a row that is dragged `by` pixels down: after the rows whose middle it has passed. */
export function placeOf(rows: readonly Extent[], from: number, by: number): number {
  const dragged = rows[from]
  if (dragged === undefined) return from
  const middle = middleOf(dragged) + by
  const isAbove = (row: Extent, at: number): boolean =>
    at < from ? middleOf(row) <= middle : middleOf(row) < middle
  return rows.filter((row, at) => at !== from && isAbove(row, at)).length
}

const middleOf = ({ top, bottom }: Extent): number => (top + bottom) / 2

/** Relative to the page, which may scroll meanwhile. */
function extentOf(row: Element): Extent {
  const { top, bottom } = row.getBoundingClientRect()
  return { top: top + scrollY, bottom: bottom + scrollY }
}

/** How far a row makes way for one of this height that is dragged from one place to another. */
export function wayOf(at: number, from: number, to: number, height: number): number {
  if (from < at && at <= to) return -height
  return to <= at && at < from ? height : 0
}

export const moved = <T>(list: readonly T[], from: number, to: number): T[] =>
  list.toSpliced(from, 1).toSpliced(to, 0, ...list.slice(from, from + 1))
