import { listen } from '../browser.ts'
import { isTypedInto } from '../parts/typed-text.ts'

export const slotId = (key: number): string => `edit-slot-${key}`

/** The field that adds a slot to a bucket; to none: null. */
export const addId = (mod: string | null): string => `edit-add-${mod ?? ''}`

export const bucketId = (code: string): string => `edit-bucket-${code}`

/** For so many frames an element is waited for: its code may have to be loaded. */
const FRAMES = 600

let calls = 0

/**
 * Focuses the element with this id once the last change is on the page, which is before the next frame; or once it comes,
 * unless somebody has begun to type elsewhere. The last call counts.
 */
export function focusLater(id: string): void {
  const call = ++calls
  const from = document.activeElement
  let isOver = false
  const ignore = listen({ input: ({ target }) => (isOver ||= target !== from) })
  setTimeout(() => {
    const before = document.activeElement
    const look = (left: number): void => {
      const now = document.activeElement
      isOver ||= call !== calls || (now !== null && now !== before && isTypedInto(now))
      if (isOver || focusNow(id) || left === 0) return ignore()
      requestAnimationFrame(() => look(left - 1))
    }
    look(FRAMES)
  })
}

/** Focuses the element with this id; returns whether it exists. */
export function focusNow(id: string): boolean {
  const element = document.getElementById(id)
  element?.focus()
  return element !== null
}

/** Focuses the first field of the lanes of which the text means nothing; returns why that is, null where there is none. */
export function focusRefused(): string | null {
  const field = document.querySelector<HTMLElement>('.lanes [aria-invalid=true]')
  field?.focus()
  const reason = document.getElementById(field?.getAttribute('aria-describedby') ?? '')
  return field && (reason?.textContent ?? '')
}

/** Focuses the next element of the same column of the lanes, up (-1) or down (1); returns whether there is one. */
export function stepInColumn(from: Element, by: -1 | 1): boolean {
  const column = from.getAttribute('data-column')
  const lanes = from.closest('.lanes')
  if (column === null || lanes === null) return false
  const all = [...lanes.querySelectorAll<HTMLElement>(`[data-column="${column}"]`)]
  const next = all[all.indexOf(from as HTMLElement) + by]
  next?.focus()
  if (next instanceof HTMLInputElement) next.select()
  return next !== undefined
}
