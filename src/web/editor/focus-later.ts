let wish: string | null = null

/** Focuses the element with this id once what was just changed is on the page. */
export const focusLater = (id: string): void => {
  wish = id
  requestAnimationFrame(() => {
    // What was asked for last counts; its element may come with a later frame.
    if (wish !== id || focusNow(id)) wish = null
    else requestAnimationFrame(() => focusNow(id))
  })
}

const focusNow = (id: string): boolean => {
  const element = document.getElementById(id)
  element?.focus()
  return element !== null
}

/** Goes to the next element of the same column, up (-1) or down (1); whether there was one. */
export const stepInColumn = (within: Element, from: Element, by: -1 | 1): boolean => {
  const column = from.getAttribute('data-column')
  if (column === null) return false
  const all = [...within.querySelectorAll<HTMLElement>(`[data-column="${column}"]`)]
  const next = all[all.indexOf(from as HTMLElement) + by]
  next?.focus()
  if (next instanceof HTMLInputElement) next.select()
  return next !== undefined
}
