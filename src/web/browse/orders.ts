import type { Columns } from './columns.ts'
import type { SortKey } from './criteria.ts'

type Compare = (a: number, b: number) => number

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** Largest first; reversed, smallest first. What is not known comes last either way. */
const byNumber =
  (values: Float64Array | Uint8Array, sign: number): Compare =>
  (a, b) => {
    const [x = Number.NaN, y = Number.NaN] = [values[a], values[b]]
    if (Number.isNaN(x)) return Number.isNaN(y) ? 0 : 1
    return Number.isNaN(y) ? -1 : sign * (y - x)
  }

const compareStrings = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)

/** How to compare two rows by each key; `sign` is -1 to reverse. */
const comparisons: Readonly<Record<SortKey, (columns: Columns, sign: number) => Compare>> = {
  // The index comes newest first.
  created: (_columns, sign) => (a, b) => sign * (a - b),
  updated:
    ({ entries }, sign) =>
    (a, b) =>
      sign * compareStrings(entries[b]?.u ?? '', entries[a]?.u ?? ''),
  name:
    ({ entries }, sign) =>
    (a, b) =>
      sign * collator.compare(entries[a]?.n ?? '', entries[b]?.n ?? ''),
  stars: ({ stars }, sign) => byNumber(stars, sign),
  length: ({ longest }, sign) => byNumber(longest, sign),
  bpm: ({ fastest }, sign) => byNumber(fastest, sign),
  beatmaps: ({ beatmaps }, sign) => byNumber(beatmaps, sign),
}

/** Gives the rows in an order; each is made once. Equal ones stay newest created first. */
export const createOrders = (
  columns: Columns,
): ((key: SortKey, isReversed: boolean) => Uint16Array) => {
  const made = new Map<string, Uint16Array>()
  return (key, isReversed) => {
    const name = `${key} ${isReversed}`
    const known = made.get(name)
    if (known !== undefined) return known
    const rows = Uint16Array.from(columns.entries, (_, row) => row)
    const order = rows.toSorted(comparisons[key](columns, isReversed ? -1 : 1))
    made.set(name, order)
    return order
  }
}
