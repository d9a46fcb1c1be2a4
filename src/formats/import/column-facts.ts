import type { ColumnFacts } from './column-names.ts'
import { type BucketCodes, readId, readWhole, tidy } from './labels.ts'
import { LARGEST_ID } from './plausible-ids.ts'
import { isCode, isSlot, MOST_SHOWN } from './block-columns.ts'
import type { CellRow } from './transposed.ts'

/** `3011842 Artist - Title`: shorter numbers begin titles. */
export const titledId = /^\[?([0-9]{5,8})\]?\s+(?:[-–—:|]\s*)?(?=\p{L}.*\s)/u

export const noFacts: ColumnFacts = { counters: new Set(), slot: -1, index: -1, titled: new Set() }

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
  const slot = columns.findIndex(
    (column) => column !== undefined && column.slots > 1 && column.slots * 5 >= column.filled * 3,
  )
  const numbered = columns.filter((column) => (column?.numbers.length ?? 0) > 1)
  // Beside slots, the only numbers are ids, whatever their order.
  const isAlone = slot >= 0 && numbered.length === 1
  const counters = [...columns.keys()].filter((at) => {
    const numbers = columns[at]?.numbers ?? []
    return isOfCounts(numbers) || (!isAlone && isCounted(numbers))
  })
  return {
    counters: new Set(counters),
    slot,
    index: indexColumn(rows, codes),
    titled: titledColumns(rows),
  }
}

/** The column whose numbers begin with 1 at each code beside them, and go up by 1 below it. */
function indexColumn(rows: readonly CellRow[], codes: BucketCodes): number {
  const own = rows.slice(0, MOST_SHOWN)
  const first = own.find(({ cells }) => cells.some((cell) => isBucket(cell, codes)))
  const column = first?.cells.findIndex((cell) => isBucket(cell, codes)) ?? -1
  if (first === undefined || column < 0) return -1
  const buckets = new Set<string>()
  let [expected, most, isLast] = [1, 0, false]
  for (const { cells } of own.slice(own.indexOf(first))) {
    const [code, number] = [tidy(cells[column] ?? ''), tidy(cells[column + 1] ?? '')]
    if (code === '' && number === '') continue
    if (code !== '' && !isBucket(code, codes)) return -1
    const isNew = code !== '' && !buckets.has(code)
    if (isNew) [expected, isLast] = [1, false]
    buckets.add(code)
    // A tiebreaker has no need of a number.
    if (number === '' && isNew) {
      isLast = true
      continue
    }
    if (isLast || readWhole(number) !== expected) return -1
    most = Math.max(most, expected)
    expected += 1
  }
  return most > 1 && buckets.size > 1 ? column + 1 : -1
}

function titledColumns(rows: readonly CellRow[]): ReadonlySet<number> {
  const columns = new Map<number, { filled: number; ids: Set<string> }>()
  for (const { cells } of rows.slice(0, MOST_SHOWN)) {
    for (const [at, cell] of cells.entries()) {
      if (cell === '') continue
      const own = columns.get(at) ?? { filled: 0, ids: new Set() }
      own.filled += 1
      const id = titledId.exec(tidy(cell))?.[1]
      if (id !== undefined && Number(id) <= LARGEST_ID) own.ids.add(id)
      columns.set(at, own)
    }
  }
  const isTitled = ({ filled, ids }: { filled: number; ids: ReadonlySet<string> }): boolean =>
    ids.size > 1 && ids.size * 2 >= filled
  return new Set([...columns].flatMap(([at, own]) => (isTitled(own) ? [at] : [])))
}

/** `NM`, `Hidden`: the bucket of a row whose number is in the next cell. */
function isBucket(cell: string, codes: BucketCodes): boolean {
  return isCode(cell, codes) && !/[0-9]/.test(cell)
}

function isOfCounts(numbers: readonly number[]): boolean {
  // A single one is mistyped.
  const beyond = numbers.filter((number) => number > LARGEST_ID).length
  if (beyond > 1 && beyond * 4 >= numbers.length) return true
  const large = numbers.filter((number) => number >= LEAST_ID)
  return large.length >= LEAST_ROWS && new Set(large).size * 2 <= large.length
}

/** Whether the numbers go up by 1 from row to row. */
function isCounted(numbers: readonly number[]): boolean {
  const large = numbers.filter((number) => number >= LEAST_ID)
  if (large.length < LEAST_ROWS || large[0]! >= MOST_ROWS) return false
  return large.every((number, at) => at === 0 || number === large[at - 1]! + 1)
}
