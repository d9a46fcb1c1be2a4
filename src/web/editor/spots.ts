/** Where on the page something is: a field, a bucket by its code, a slot by its key. */
export type Spot =
  | { readonly kind: 'name' | 'description' | 'buckets' | 'slots' | 'nowhere' }
  | { readonly kind: 'bucket'; readonly code: string }
  | { readonly kind: 'slot'; readonly key: number }

/** The id of the element that shows a spot, where one goes to mend it. */
export function spotId(spot: Spot): string {
  if (spot.kind === 'slot') return slotId(spot.key)
  return spot.kind === 'bucket' ? bucketId(spot.code) : `edit-${spot.kind}`
}

/** The handle of a slot. */
export function slotId(key: number): string {
  return `edit-slot-${key}`
}

/** The button of a bucket. */
export function bucketId(code: string): string {
  return `edit-bucket-${code}`
}

let wish: string | null = null

/** Focuses the element with this id once what was just changed is on the page. */
export function focusLater(id: string): void {
  wish = id
  requestAnimationFrame(() => {
    // What was asked for last counts; its element may come with a later frame.
    if (wish !== id || focusNow(id)) wish = null
    else requestAnimationFrame(() => focusNow(id))
  })
}

/** Focuses the element with this id; whether it is there. */
export function focusNow(id: string): boolean {
  const element = document.getElementById(id)
  element?.focus()
  return element !== null
}

/** Goes to the next element of the same column of the lanes, up (-1) or down (1); whether there was one. */
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
