import type { ColumnFacts } from './column-names.ts'
import { type BucketCodes, readId } from './labels.ts'
import { LARGEST_ID } from './plausible-ids.ts'
import { isSlot, MOST_SHOWN } from './table-blocks.ts'
import type { CellRow } from './transposed.ts'

export const noFacts: ColumnFacts = { counters: new Set(), slot: -1 }

/** Fewer rows show nothing. */
const LEAST_ROWS = 4
/** Lower numbers are taken for ids only where a column is named. */
const LEAST_ID = 100
/** Databases of tournaments have fewer rows. */
const MOST_ROWS = 100_000

export function factsOfColumns(rows: readonly CellRow[], codes: BucketCodes): ColumnFacts {
  const columns: { filled: number; slots: number; numbers: number[] }[] = []
  for (const { cells } of rows.slice(0, MOST_SHOWN)) {
    for (const [at, cell] of cells.entries()) {
      if (cell === '') continue
      const column = (columns[at] ??= { filled: 0, slots: 0, numbers: [] })
      column.filled += 1
      const number = readId(cell)
      if (number !== null) column.numbers.push(number)
      else if (isSlot(cell, codes)) column.slots += 1
    }
  }
  const counters = [...columns.keys()].filter((at) => isOfCounts(columns[at]?.numbers ?? []))
  const slot = columns.findIndex(
    (column) => column !== undefined && column.slots > 1 && column.slots * 5 >= column.filled * 3,
  )
  return { counters: new Set(counters), slot }
}

function isOfCounts(numbers: readonly number[]): boolean {
  // A single one is mistyped.
  const beyond = numbers.filter((number) => number > LARGEST_ID).length
  if (beyond > 1 && beyond * 4 >= numbers.length) return true
  const large = numbers.filter((number) => number >= LEAST_ID)
  if (large.length < LEAST_ROWS) return false
  const isCounted =
    large[0]! < MOST_ROWS && large.every((number, at) => at === 0 || number === large[at - 1]! + 1)
  return isCounted || new Set(large).size * 2 <= large.length
}
