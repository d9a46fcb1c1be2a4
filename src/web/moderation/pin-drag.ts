import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { listen } from '../browser.ts'

type Drag = { readonly from: number; readonly to: number; readonly by: number }

/** Where an element stands, in pixels from any common line. */
type Extent = { readonly top: number; readonly bottom: number }

type Hold = { readonly from: number; readonly y: number; readonly rows: readonly Extent[] }

/**
 * Drags rows by their handles, by mouse, pen or finger; Escape lets go. The rows stay where they are
 * in the document until one is dropped: they are only shown elsewhere.
 *
 * @param rows finds the rows in their order inside of `list`.
 */
export function usePinDrag(
  list: RefObject<HTMLElement | null>,
  rows: string,
  onDrop: (from: number, to: number) => void,
) {
  const [drag, setDrag] = useState<Drag | null>(null)
  const hold = useRef<Hold | null>(null)
  const latest = useRef<Drag | null>(null)
  const drop = useRef(onDrop)
  drop.current = onDrop

  useEffect(() => {
    const show = (next: Drag | null): void => {
      latest.current = next
      setDrag(next)
    }
    const letGo = (): void => {
      hold.current = null
      show(null)
    }
    const move = ({ pageY }: PointerEvent): void => {
      if (hold.current === null) return
      const { from, y, rows } = hold.current
      const by = pageY - y
      show({ from, to: placeOf(rows, from, by), by })
    }
    const release = (): void => {
      const { current } = latest
      letGo()
      if (current !== null && current.from !== current.to) drop.current(current.from, current.to)
    }
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || hold.current === null) return
      event.preventDefault()
      letGo()
    }
    return listen({ pointermove: move, pointerup: release, pointercancel: letGo, keydown: press })
  }, [])

  const begin = (event: PointerEvent, from: number): void => {
    if (event.button !== 0 || list.current === null) return
    // No text is selected on the way.
    event.preventDefault()
    hold.current = {
      from,
      y: event.pageY,
      rows: [...list.current.querySelectorAll(rows)].map(extentOf),
    }
  }

  /** How a row is shown while one is dragged. */
  const styleOf = (at: number): { transform: string } | undefined => {
    if (drag === null) return undefined
    const held = hold.current?.rows[drag.from]
    const height = held === undefined ? 0 : held.bottom - held.top
    const by = at === drag.from ? drag.by : wayOf(at, drag.from, drag.to, height)
    return { transform: `translateY(${by}px)` }
  }

  return { draggedFrom: drag?.from ?? null, begin, styleOf }
}

/** The place that a row comes to when it is dragged `by` pixels down: whose middle it has passed. */
export function placeOf(rows: readonly Extent[], from: number, by: number): number {
  const dragged = rows[from]
  if (dragged === undefined) return from
  const middle = middleOf(dragged) + by
  const isAbove = (row: Extent, at: number): boolean =>
    at < from ? middleOf(row) <= middle : middleOf(row) < middle
  return rows.filter((row, at) => at !== from && isAbove(row, at)).length
}

const middleOf = ({ top, bottom }: Extent): number => (top + bottom) / 2

function extentOf(row: Element): Extent {
  const { top, bottom } = row.getBoundingClientRect()
  return { top: top + scrollY, bottom: bottom + scrollY }
}

/** How far a row makes way for one of this height that is dragged from one place to another. */
export function wayOf(at: number, from: number, to: number, height: number): number {
  if (from < at && at <= to) return -height
  return to <= at && at < from ? height : 0
}

/** A list with one of its members at another place. */
export function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const rest = list.toSpliced(from, 1)
  return rest.toSpliced(to, 0, ...list.slice(from, from + 1))
}
