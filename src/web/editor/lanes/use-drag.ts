import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type DropPlace, dropPlace, type LaneExtent } from './drop-place.ts'

/** What is being dragged, and where it would come to stand. */
export type Drag = { readonly key: number; readonly place: DropPlace | null }

/** Less is a press with an unsteady hand. */
const LEAST_WAY = 5
/** This near to an edge of the window the page scrolls, by at most so many pixels a frame. */
const EDGE = 72
const MOST_SCROLL = 14

const readLanes = (list: HTMLElement): LaneExtent[] =>
  [...list.querySelectorAll<HTMLElement>('[data-lane]')].map((lane) => {
    const { top, bottom } = lane.getBoundingClientRect()
    const rows = [...lane.querySelectorAll<HTMLElement>('[data-key]')].map((row) => {
      const extent = row.getBoundingClientRect()
      return { key: Number(row.dataset['key']), top: extent.top, bottom: extent.bottom }
    })
    const mod = lane.dataset['lane'] ?? ''
    return { mod: mod === '' ? null : mod, top, bottom, rows }
  })

const scrollBy = (y: number): number => {
  const beyond = y < EDGE ? y - EDGE : Math.max(0, y - (innerHeight - EDGE))
  return (Math.max(-EDGE, Math.min(EDGE, beyond)) / EDGE) * MOST_SCROLL
}

type Way = {
  readonly key: number
  readonly from: readonly [x: number, y: number]
  at: readonly [x: number, y: number]
  isDrag: boolean
}

/**
 * Drags rows by their handles, with a mouse, a pen or a finger; Escape calls it off. `list` holds
 * elements with `data-lane`, and in these some with `data-key`; `ghost` follows the pointer.
 */
export const useDrag = (
  list: RefObject<HTMLElement | null>,
  ghost: RefObject<HTMLElement | null>,
  onDrop: (key: number, place: DropPlace) => void,
) => {
  const [drag, setDrag] = useState<Drag | null>(null)
  const way = useRef<Way | null>(null)
  const wasDragged = useRef(false)
  const drop = useRef(onDrop)
  drop.current = onDrop

  useEffect(() => {
    let frame = 0
    const placeNow = (): DropPlace | null =>
      way.current &&
      list.current &&
      dropPlace(readLanes(list.current), way.current.key, way.current.at[1])

    const follow = (): void => {
      frame = 0
      const { current } = way
      if (current === null || !current.isDrag) return
      const [x, y] = current.at
      if (ghost.current !== null) ghost.current.style.transform = `translate(${x}px, ${y}px)`
      const by = scrollBy(y)
      if (by !== 0) window.scrollBy(0, by)
      const place = placeNow()
      setDrag((before) =>
        before?.key === current.key &&
        before.place?.mod === place?.mod &&
        before.place?.at === place?.at
          ? before
          : { key: current.key, place },
      )
      if (by !== 0) frame = requestAnimationFrame(follow)
    }

    /** The press on the handle that a browser makes of a drag is none. */
    const letGo = ({ isDrag }: Way): void => {
      wasDragged.current = isDrag
      setTimeout(() => {
        wasDragged.current = false
      })
    }
    const end = (): void => {
      way.current = null
      setDrag(null)
      delete document.documentElement.dataset['dragging']
    }
    const move = ({ clientX, clientY }: PointerEvent): void => {
      const { current } = way
      if (current === null) return
      current.at = [clientX, clientY]
      const [x, y] = current.from
      if (!current.isDrag && Math.hypot(clientX - x, clientY - y) < LEAST_WAY) return
      current.isDrag = true
      document.documentElement.dataset['dragging'] = ''
      if (frame === 0) frame = requestAnimationFrame(follow)
    }
    const up = (event: PointerEvent): void => {
      const { current } = way
      if (current === null) return
      move(event)
      const place = current.isDrag ? placeNow() : null
      letGo(current)
      end()
      if (place !== null) drop.current(current.key, place)
    }
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || way.current === null) return
      event.preventDefault()
      letGo(way.current)
      end()
    }
    addEventListener('pointermove', move)
    addEventListener('pointerup', up)
    addEventListener('pointercancel', end)
    addEventListener('keydown', press, true)
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('pointermove', move)
      removeEventListener('pointerup', up)
      removeEventListener('pointercancel', end)
      removeEventListener('keydown', press, true)
    }
  }, [])

  /** A press on a handle: the beginning of a drag, or just a press. */
  const hold = (event: PointerEvent, key: number): void => {
    if (event.button !== 0) return
    wasDragged.current = false
    const at = [event.clientX, event.clientY] as const
    way.current = { key, from: at, at, isDrag: false }
  }

  return { drag, hold, wasDragged: (): boolean => wasDragged.current }
}
