/** Where an element stands, in pixels from any common line. */
export type Extent = { readonly top: number; readonly bottom: number }

/** A list with one of its members at another place. */
export const moved = <T>(list: readonly T[], from: number, to: number): readonly T[] => {
  const rest = list.toSpliced(from, 1)
  return rest.toSpliced(to, 0, ...list.slice(from, from + 1))
}

const middleOf = ({ top, bottom }: Extent): number => (top + bottom) / 2

/** The place that a row comes to when it is dragged `by` pixels down: whose middle it has passed. */
export const placeOf = (rows: readonly Extent[], from: number, by: number): number => {
  const dragged = rows[from]
  if (dragged === undefined) return from
  const middle = middleOf(dragged) + by
  const isAbove = (row: Extent, at: number): boolean =>
    at < from ? middleOf(row) <= middle : middleOf(row) < middle
  return rows.filter((row, at) => at !== from && isAbove(row, at)).length
}

/** How far a row makes way for one of this height that is dragged from one place to another. */
export const wayOf = (at: number, from: number, to: number, height: number): number => {
  if (from < at && at <= to) return -height
  return to <= at && at < from ? height : 0
}
