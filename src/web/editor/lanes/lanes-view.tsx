import type { JSX, RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { slotLabel } from '../../../pool/slots.ts'
import { count } from '../../format.ts'
import { ConfirmDialog } from '../../parts/dialogs.tsx'
import type { EditorModel } from '../model.ts'
import { focusLater, slotId, stepInColumn } from '../spots.ts'
import { AddBucket } from './buckets.tsx'
import type { LaneActions } from './lane-actions.ts'
import { LaneMenus } from './lane-menus.tsx'
import { LaneView, type Views } from './lane-view.tsx'
import { type DropPlace, dropPlace, type LaneExtent, slotOf } from './lanes.ts'
import { KEYS_HINT } from './slot-row.tsx'
import '../../style/editor-lanes.css'

type Props = { readonly model: EditorModel; readonly views: Views }

/** The buckets as lanes, in pool order. */
export function LanesView({ model, views }: Props): JSX.Element {
  const { actions, store } = model
  const list = useRef<HTMLDivElement>(null)
  const ghost = useRef<HTMLDivElement>(null)
  const { hold, wasDragged } = useDrag(actions, list, ghost)
  return (
    <div
      ref={list}
      class="lanes"
      onKeyDown={(event) => pressKey(event, model)}
      onPaste={(event) => pasteLines(event, model)}
      onPointerDown={hold}
      onClickCapture={(event) => wasDragged() && event.stopPropagation()}
    >
      <p id={KEYS_HINT} class="sr-only">
        Alt and an arrow key move the slot; Enter opens a menu of places; Delete removes it.
      </p>
      {actions.lanes.value.map((lane) => (
        <LaneView key={lane.mod ?? ''} lane={lane} model={model} views={views} />
      ))}
      <AddBucket buckets={store.buckets} onAdd={(code) => actions.addBucket(code)} />
      <LaneMenus store={store} actions={actions} />
      <BucketRemoval actions={actions} />
      <Ghost element={ghost} model={model} views={views} />
    </div>
  )
}

function pressKey(event: KeyboardEvent, { actions }: EditorModel): void {
  const { key, altKey, ctrlKey, metaKey, shiftKey, defaultPrevented } = event
  if (defaultPrevented || ctrlKey || metaKey || shiftKey) return
  const target = event.target as HTMLElement
  if (key === 'Delete' && target.dataset['column'] === 'handle') actions.remove(keyOf(target) ?? 0)
  const by = key === 'ArrowUp' ? -1 : key === 'ArrowDown' ? 1 : null
  if (by === null) return
  const isDone = altKey ? moveBy(target, by, actions) : stepInColumn(target, by)
  if (isDone) event.preventDefault()
}

/** Moves the slot or the bucket that has the focus, which keeps it. */
function moveBy(target: HTMLElement, by: -1 | 1, actions: LaneActions): boolean {
  const { bucket } = target.dataset
  const key = keyOf(target)
  if (bucket === undefined && key === null) return false
  // What is half typed counts first.
  target.blur()
  if (bucket !== undefined) actions.moveBucket(bucket, by)
  else if (key !== null) actions.step(key, by)
  focusLater(target.id === '' && key !== null ? slotId(key) : target.id)
  return true
}

/** A field has one line: several are for the paste box, under the lane's bucket. */
function pasteLines(event: ClipboardEvent, { paste }: EditorModel): void {
  const text = event.clipboardData?.getData('text/plain') ?? ''
  const lane = (event.target as Element).closest<HTMLElement>('[data-lane]')
  if (lane === null || !/\S\s*\n\s*\S/.test(text)) return
  event.preventDefault()
  const mod = lane.dataset['lane'] ?? ''
  paste.open(mod === '' ? text : `${mod}\n${text}`)
}

/** The slot that an element belongs to. */
function keyOf(target: Element): number | null {
  const key = target.closest<HTMLElement>('[data-key]')?.dataset['key']
  return key === undefined ? null : Number(key)
}

/** Says before a bucket goes what becomes of its slots. */
function BucketRemoval({ actions }: Pick<EditorModel, 'actions'>): JSX.Element {
  const code = actions.removing.value
  return (
    <ConfirmDialog
      title={`Remove bucket ${code ?? ''}?`}
      isOpen={code !== null}
      action="Remove bucket"
      onConfirm={() => code !== null && actions.removeBucket(code)}
      onCancel={() => {
        actions.removing.value = null
      }}
    >
      <p>
        Its {count(actions.slotsIn(code), 'slot')} will be kept without a bucket, at the top of the
        list.
      </p>
    </ConfirmDialog>
  )
}

type GhostProps = Props & { readonly element: RefObject<HTMLDivElement | null> }

/** What is dragged, beside the pointer. */
function Ghost({ element, model: { actions, store }, views }: GhostProps): JSX.Element {
  const dragged = slotOf(store, actions.drag.value?.key ?? -1)
  const beatmap = dragged && views.get(dragged)?.beatmap
  return (
    <div ref={element} class="drag-ghost" aria-hidden="true" hidden={dragged === undefined}>
      {dragged && (
        <>
          <b>{slotLabel(dragged)}</b>{' '}
          {beatmap?.state === 'known' ? beatmap.details.title : beatmap && dragged.beatmapId}
        </>
      )}
    </div>
  )
}

/** Less is a press with an unsteady hand. */
const LEAST_WAY = 5
/** This near to an edge of the window the page scrolls, by at most so many pixels a frame. */
const EDGE = 72
const MOST_SCROLL = 14

/** A press on a handle, and how far the pointer has gone since. */
type Way = {
  readonly key: number
  readonly from: readonly [x: number, y: number]
  at: readonly [x: number, y: number]
  isDrag: boolean
}

type Place = RefObject<HTMLElement | null>

/** Drags rows by their handles, with a mouse, a pen or a finger; Escape calls it off. */
function useDrag(actions: LaneActions, list: Place, ghost: Place) {
  const way = useRef<Way | null>(null)
  const wasDragged = useRef(false)

  useEffect(() => {
    const { drag } = actions
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
      const [before, place] = [drag.value, placeNow()]
      const isSame =
        before?.key === current.key &&
        before.place?.mod === place?.mod &&
        before.place?.at === place?.at
      if (!isSame) drag.value = { key: current.key, place }
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
      drag.value = null
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
      if (place !== null) actions.place(current.key, place.mod, place.at)
    }
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || way.current === null) return
      event.preventDefault()
      letGo(way.current)
      end()
    }
    const stop = new AbortController()
    const { signal } = stop
    addEventListener('pointermove', move, { signal })
    addEventListener('pointerup', up, { signal })
    addEventListener('pointercancel', end, { signal })
    addEventListener('keydown', press, { signal, capture: true })
    return () => {
      cancelAnimationFrame(frame)
      stop.abort()
    }
  }, [])

  /** A press on a handle: the beginning of a drag, or just a press. */
  const hold = ({ target, button, clientX, clientY }: PointerEvent): void => {
    const handle = (target as Element).closest('[data-column=handle]')
    const key = handle && keyOf(handle)
    if (key === null || button !== 0) return
    wasDragged.current = false
    const at = [clientX, clientY] as const
    way.current = { key, from: at, at, isDrag: false }
  }

  return { hold, wasDragged: (): boolean => wasDragged.current }
}

function readLanes(list: HTMLElement): LaneExtent[] {
  return [...list.querySelectorAll<HTMLElement>('[data-lane]')].map((lane) => {
    const { top, bottom } = lane.getBoundingClientRect()
    const rows = [...lane.querySelectorAll<HTMLElement>('[data-key]')].map((row) => {
      const extent = row.getBoundingClientRect()
      return { key: Number(row.dataset['key']), top: extent.top, bottom: extent.bottom }
    })
    const mod = lane.dataset['lane'] ?? ''
    return { mod: mod === '' ? null : mod, top, bottom, rows }
  })
}

/** How far the page scrolls in a frame while something is held at this height. */
function scrollBy(y: number): number {
  const beyond = y < EDGE ? y - EDGE : Math.max(0, y - (innerHeight - EDGE))
  return (Math.max(-EDGE, Math.min(EDGE, beyond)) / EDGE) * MOST_SCROLL
}
