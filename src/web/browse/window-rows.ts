/** Rows beyond the window on either side, so that focus and screen readers find the next ones there. */
const BEYOND = 8
/** Rows come and go by so many at a time. */
const STRIDE = 8

/** The first row to show, and the one after the last. */
export type Slice = readonly [from: number, to: number]

/**
 * Which rows of a long list to show.
 *
 * @param top of the list, in pixels below the top of the window; negative when scrolled past it.
 * @param height of the window, in pixels, and of a row.
 */
export const sliceOf = (top: number, height: number, rowHeight: number, rows: number): Slice => {
  const first = Math.floor(-top / rowHeight) - BEYOND
  const end = Math.ceil((height - top) / rowHeight) + BEYOND
  const from = Math.floor(first / STRIDE) * STRIDE
  const to = Math.ceil(end / STRIDE) * STRIDE
  const last = Math.min(Math.max(to, STRIDE), rows)
  return [Math.min(Math.max(from, 0), Math.max(last - STRIDE, 0)), last]
}
