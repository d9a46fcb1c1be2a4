import * as texts from '#texts/editing'
import { useEffect } from 'preact/hooks'
import { slotLabel } from '../../../pool/slots.ts'
import { listen } from '../../browser.ts'
import { ConfirmDialog } from '../../parts/dialogs.tsx'
import { focusLater, slotId, stepInColumn } from '../focus.ts'
import { AddBucket } from './buckets.tsx'
import type { Board, BoardProps, LaneActions } from './board.ts'
import { LaneMenus } from './lane-menus.tsx'
import { KEYS_HINT, LaneView } from './lane-view.tsx'
import { dropPlace, type LaneExtent, slotOf } from './lanes.ts'
import '../../style/editor-lanes.css'

export function LanesView({ board }: BoardProps) {
  const { actions, rounds } = board
  useEffect(() => listenToDrags(actions), [actions])
  const lanes = actions.lanes.value.map((lane) => (
    <LaneView key={lane.mod ?? ''} lane={lane} board={board} />
  ))
  if (rounds?.isFixed) return <div class="lanes">{lanes}</div>
  return (
    <div
      class="lanes"
      onKeyDown={(event) => pressKey(event, board)}
      onPaste={(event) => pasteLines(event, board)}
    >
      <p id={KEYS_HINT} class="sr-only">
        {texts.keysHint}
      </p>
      {lanes}
      <AddBucket board={board} />
      <LaneMenus board={board} />
      <BucketRemoval board={board} />
      <Ghost board={board} />
    </div>
  )
}

function pressKey(event: KeyboardEvent, { actions }: Board): void {
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
function pasteLines(event: ClipboardEvent, { paste }: Board): void {
  const text = event.clipboardData?.getData('text/plain') ?? ''
  const lane = (event.target as Element).closest<HTMLElement>('[data-lane]')
  if (lane === null || !/\S\s*\n\s*\S/.test(text)) return
  event.preventDefault()
  const { lane: mod } = lane.dataset
  paste.open(mod ? `${mod}\n${text}` : text)
}

function keyOf(target: Element): number | null {
  const key = target.closest<HTMLElement>('[data-key]')?.dataset['key']
  return key === undefined ? null : Number(key)
}

function BucketRemoval({ board: { actions } }: BoardProps) {
  const code = actions.removing.value
  return (
    <ConfirmDialog
      title={texts.removeBucketAsk({ bucket: code ?? '' })}
      isOpen={code !== null}
      action={texts.removeThisBucket}
      onConfirm={() => code !== null && actions.removeBucket(code)}
      onCancel={() => (actions.removing.value = null)}
    >
      <p>{texts.slotsAreKept({ n: actions.slotsIn(code) })}</p>
    </ConfirmDialog>
  )
}

function Ghost({ board: { actions, store, views } }: BoardProps) {
  const drag = actions.drag.value
  const slot = slotOf(store, drag?.key)
  if (drag === null || slot === undefined) return null
  const beatmap = views.value.get(slot)?.beatmap
  return (
    <div
      class="drag-ghost"
      aria-hidden="true"
      style={{ transform: `translate(${drag.x}px, ${drag.y}px)` }}
    >
      <b>{slotLabel(slot)}</b>{' '}
      {beatmap?.state === 'known' ? beatmap.details.title : (slot.beatmapId ?? slot.placeholder)}
    </div>
  )
}

/** A shorter way is a press with an unsteady hand, in pixels. */
const LEAST_WAY = 5
/** This near to an edge of the window the page scrolls, by at most so many pixels a frame. */
const EDGE = 72
const MOST_SCROLL = 14

/** Drags rows by their handles; Escape cancels. Returns a function that stops listening. */
function listenToDrags(actions: LaneActions): () => void {
  const { drag } = actions
  /** The handle that is pressed, and where; whether or not it has been dragged yet. */
  let press: { key: number; lanes: Element; x: number; y: number } | null = null

  const show = (x: number, y: number): void => {
    if (press === null) return
    const { key, lanes } = press
    drag.value = { key, x, y, place: dropPlace(readLanes(lanes), key, y) }
  }
  const scroll = (): void => {
    if (drag.value === null) return
    const { x, y } = drag.value
    const by = scrollBy(y)
    if (by !== 0) {
      window.scrollBy(0, by)
      show(x, y)
    }
    requestAnimationFrame(scroll)
  }
  const move = ({ clientX: x, clientY: y }: PointerEvent): void => {
    if (press === null) return
    if (drag.value === null) {
      if (Math.hypot(x - press.x, y - press.y) < LEAST_WAY) return
      requestAnimationFrame(scroll)
    }
    show(x, y)
  }
  const end = (): void => {
    press = null
    drag.value = null
  }
  return listen({
    pointerdown: ({ target, button, clientX: x, clientY: y }) => {
      const handle = (target as Element).closest('.lanes [data-column=handle]')
      const key = handle && keyOf(handle)
      const lanes = handle?.closest('.lanes')
      if (key !== null && lanes && button === 0) press = { key, lanes, x, y }
    },
    pointermove: move,
    pointerup: (event) => {
      move(event)
      const dragged = drag.value
      end()
      if (dragged === null) return
      ignoreClick()
      if (dragged.place !== null) actions.place(dragged.key, dragged.place)
    },
    pointercancel: end,
    keydown: (event) => {
      if (event.key !== 'Escape' || press === null) return
      event.preventDefault()
      end()
    },
  })
}

/** The click that a browser makes of a drag comes before the next task. */
function ignoreClick(): void {
  const stop = new AbortController()
  const options = { capture: true, signal: stop.signal }
  addEventListener('click', (event) => event.stopPropagation(), options)
  setTimeout(() => stop.abort())
}

function readLanes(lanes: Element): LaneExtent[] {
  return [...lanes.querySelectorAll<HTMLElement>('[data-lane]')].map((lane) => {
    const rows = [...lane.querySelectorAll<HTMLElement>('[data-key]')].map((row) => {
      return { key: Number(row.dataset['key']), ...extentOf(row) }
    })
    return { mod: lane.dataset['lane'] || null, ...extentOf(lane), rows }
  })
}

function extentOf(element: Element) {
  const { top, bottom } = element.getBoundingClientRect()
  return { top, bottom }
}

/** How far the page scrolls in a frame while something is dragged at this height. */
function scrollBy(y: number): number {
  const beyond = y < EDGE ? y - EDGE : Math.max(0, y - (innerHeight - EDGE))
  return (Math.max(-EDGE, Math.min(EDGE, beyond)) / EDGE) * MOST_SCROLL
}
