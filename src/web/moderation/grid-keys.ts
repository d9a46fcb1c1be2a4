import type { TargetedKeyboardEvent } from 'preact'
import { rowAfter } from '../focus.ts'

/** What keys do beyond moving the focus. */
export type GridKeys = {
  readonly onHide: (at: number) => void
  readonly onPin: (at: number) => void
  /** Left out where the rows have no order of their own. */
  readonly onMove?: ((from: number, to: number) => void) | undefined
  readonly onSearch: () => void
}

/** Handles keys that are pressed inside of a grid: between rows, across a row, and on its pack. */
export function handleGridKey(
  event: TargetedKeyboardEvent<HTMLElement>,
  rowSelector: string,
  keys: GridKeys,
): void {
  const rows = [...event.currentTarget.querySelectorAll(rowSelector)]
  const at = rows.findIndex((row) => row.contains(event.target as Node))
  const row = rows[at]
  if (row === undefined) return
  if (act(event, at, keys) || stepAcross(event, row) || stepDown(event, rows, at)) {
    event.preventDefault()
  }
}

function act(event: KeyboardEvent, at: number, keys: GridKeys): boolean {
  const { key } = event
  const by = key === 'ArrowUp' ? -1 : key === 'ArrowDown' ? 1 : 0
  if (by !== 0 && event.altKey && keys.onMove !== undefined) {
    keys.onMove(at, at + by)
    return true
  }
  if (!isPlain(event)) return false
  const acts: Readonly<Record<string, (() => void) | undefined>> = {
    h: () => keys.onHide(at),
    p: () => keys.onPin(at),
    '/': keys.onSearch,
  }
  const found = Object.hasOwn(acts, key.toLowerCase()) ? acts[key.toLowerCase()] : undefined
  found?.()
  return found !== undefined
}

const isPlain = ({ ctrlKey, altKey, metaKey }: KeyboardEvent): boolean =>
  !ctrlKey && !altKey && !metaKey

/** What can be focused in a row, in its order. */
const STOPS = 'a, button'

function stepAcross(event: KeyboardEvent, row: Element): boolean {
  const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
  if (by === 0 || !isPlain(event)) return false
  const stops = [...row.querySelectorAll<HTMLElement>(STOPS)]
  const next = stops[stops.indexOf(event.target as HTMLElement) + by]
  next?.focus()
  return next !== undefined
}

function stepDown(event: KeyboardEvent, rows: readonly Element[], at: number): boolean {
  const to = rowAfter(event, at, rows.length)
  const row = to === null ? undefined : rows[to]
  if (row === undefined) return false
  const column = (event.target as HTMLElement).dataset['column'] ?? ''
  const same = row.querySelector<HTMLElement>(`[data-column="${column}"]`)
  ;(same ?? row.querySelector<HTMLElement>(STOPS))?.focus()
  return true
}
