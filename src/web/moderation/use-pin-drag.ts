import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Extent, placeOf, wayOf } from './pin-order.ts'

/** A row that is being dragged: from where, to where, and how far down, in pixels. */
type Drag = { readonly from: number; readonly to: number; readonly by: number }

type Hold = { readonly from: number; readonly y: number; readonly rows: readonly Extent[] }

const extentOf = (row: Element): Extent => {
  const { top, bottom } = row.getBoundingClientRect()
  return { top: top + scrollY, bottom: bottom + scrollY }
}

/**
 * Drags rows by their handles, by mouse, pen or finger; Escape lets go. The rows stay where they are
 * in the document until one is dropped: they are only shown elsewhere.
 *
 * @param rows finds the rows in their order inside of `list`.
 */
export const usePinDrag = (
  list: RefObject<HTMLElement | null>,
  rows: string,
  onDrop: (from: number, to: number) => void,
) => {
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
    addEventListener('pointermove', move)
    addEventListener('pointerup', release)
    addEventListener('pointercancel', letGo)
    addEventListener('keydown', press)
    return () => {
      removeEventListener('pointermove', move)
      removeEventListener('pointerup', release)
      removeEventListener('pointercancel', letGo)
      removeEventListener('keydown', press)
    }
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
